//! Options of `count` and `merge`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::corpus::cooccurrence::{Boundaries, CountConfig, Encoding, UNKNOWN, VocabLimit};
use eigentree::files::STANDARD_STREAM;

use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Count words and pairs of nearby words, as input for `cluster`
///
/// The input is tokenised text, one sentence per line with tokens separated by spaces. `cluster` learns from the
/// resulting count file. `merge` adds count files, so a corpus can be counted in parts, even on several machines.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree count news.txt.zst wiki.txt.gz -o counts.eigc
  cat *.txt | eigentree count - -o counts.eigc
  Parts of a corpus, then all of it with a limited vocabulary:
    eigentree count part1.txt -o part1.eigc
    eigentree count part2.txt -o part2.eigc
    eigentree merge part1.eigc part2.eigc --vocab 50000 -o counts.eigc
  A small vocabulary, adjacent words only and no sentence boundaries, as in classic Brown clustering:
    eigentree count news.txt --vocab 10000 --distance 1 --one-sequence -o counts.eigc")]
pub(crate) struct CountArgs {
    /// Text files, plain or compressed; `-` is standard input
    #[arg(required = true, value_name = "TEXT")]
    texts: Vec<PathBuf>,
    /// Output file for the counts
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Count pairs of words up to K positions apart: contexts r1 and lr1 need 1, lr2 needs 2
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1000))]
    distance: u16,
    #[command(flatten)]
    vocab: VocabArgs,
    /// Where a sequence of words ends
    #[arg(long, value_enum, value_name = "BOUNDARY", default_value = "lines")]
    boundaries: BoundariesArg,
    /// Treat the whole text as one sequence; same as --boundaries none
    #[arg(long, conflicts_with = "boundaries")]
    one_sequence: bool,
    /// Replace bytes that are not valid UTF-8 instead of stopping with an error
    #[arg(long)]
    lossy: bool,
}

/// Limits on the vocabulary.
#[derive(Debug, Args)]
pub(crate) struct VocabArgs {
    /// Keep the N most frequent words, with ties broken by code point; all others form one class. Limited counts can be
    /// merged only with counts over the same words [default: all words]
    #[arg(long, value_name = "N", help_heading = "Vocabulary")]
    vocab: Option<NonZeroUsize>,
    /// Keep words with at least N occurrences; all others form one class [default: 1]
    #[arg(long, value_name = "N", help_heading = "Vocabulary")]
    min_count: Option<u64>,
    /// Name of the class of all other words
    #[arg(long, value_name = "NAME", default_value = UNKNOWN, help_heading = "Vocabulary")]
    unknown: String,
}

impl VocabArgs {
    fn build(self) -> Result<Option<VocabLimit>, UsageError> {
        Ok(vocab_limit(self.vocab, self.min_count, self.unknown)?.0)
    }
}

/// The vocabulary limit, if any, and the name of the class of other words.
pub(super) fn vocab_limit(
    size: Option<NonZeroUsize>,
    min_count: Option<u64>,
    unknown: String,
) -> Result<(Option<VocabLimit>, String), UsageError> {
    if unknown.is_empty() || unknown.contains(char::is_whitespace) {
        return Err(UsageError("the name given with --unknown must be one word without spaces".to_owned()));
    }
    if size.is_none() && min_count.is_none() {
        return Ok((None, unknown));
    }
    let limit = VocabLimit {
        size: size.map(NonZeroUsize::get),
        min_count: min_count.unwrap_or(1),
        unknown: unknown.clone(),
    };
    Ok((Some(limit), unknown))
}

/// Where a sequence of words ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum BoundariesArg {
    /// At the end of each line
    Lines,
    /// Nowhere: the text is one sequence
    None,
}

impl BoundariesArg {
    pub(super) fn boundaries(self) -> Boundaries {
        match self {
            BoundariesArg::Lines => Boundaries::Lines,
            BoundariesArg::None => Boundaries::None,
        }
    }
}

/// Validated options of `count`.
pub(crate) struct CountJob {
    pub(crate) texts: Vec<PathBuf>,
    pub(crate) output: PathBuf,
    pub(crate) config: CountConfig,
}

impl CountArgs {
    pub(crate) fn build(self) -> Result<CountJob, UsageError> {
        refuse_overwriting(&self.output, self.texts.iter().map(PathBuf::as_path))?;
        if self.texts.iter().filter(|path| path.as_os_str() == STANDARD_STREAM).count() > 1 {
            return Err(UsageError("standard input can be read once only; give files instead".to_owned()));
        }
        let boundaries = if self.one_sequence { Boundaries::None } else { self.boundaries.boundaries() };
        let config = CountConfig {
            distance: usize::from(self.distance),
            boundaries,
            encoding: if self.lossy { Encoding::Lossy } else { Encoding::Strict },
            vocab: self.vocab.build()?,
            ..CountConfig::default()
        };
        Ok(CountJob { texts: self.texts, output: self.output, config })
    }
}

/// Add count files
///
/// The sum equals the counts of all texts counted together, exactly so if sequences end at line ends. All files must
/// have been counted up to the same distance, and either without a vocabulary limit or over the same words.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree merge part1.eigc part2.eigc part3.eigc -o counts.eigc
  The sum, limited to the 50,000 most frequent words:
    eigentree merge part1.eigc part2.eigc --vocab 50000 -o counts.eigc
  A single file, to limit its vocabulary:
    eigentree merge counts.eigc --min-count 5 -o smaller.eigc")]
pub(crate) struct MergeArgs {
    /// Count files
    #[arg(required = true, value_name = "COUNTS")]
    counts: Vec<PathBuf>,
    /// Output file for the sum
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    vocab: VocabArgs,
}

/// Validated options of `merge`.
pub(crate) struct MergeJob {
    pub(crate) counts: Vec<PathBuf>,
    pub(crate) output: PathBuf,
    pub(crate) vocab: Option<VocabLimit>,
}

impl MergeArgs {
    pub(crate) fn build(self) -> Result<MergeJob, UsageError> {
        refuse_overwriting(&self.output, self.counts.iter().map(PathBuf::as_path))?;
        Ok(MergeJob { counts: self.counts, output: self.output, vocab: self.vocab.build()? })
    }
}
