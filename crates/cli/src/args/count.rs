//! `count` and `merge`: options and what they mean.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::corpus::cooccurrence::{Boundaries, CountConfig, Encoding, UNKNOWN, VocabLimit};
use eigentree::files::STANDARD_STREAM;

use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Count words and the words near them, for clusters
///
/// A text is words between blanks, a sentence a line. The counts go to a file that `cluster` learns from, and that `merge` adds to
/// others: counts of parts of a corpus, even from several machines, add up to those of the whole.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree count news.txt.zst wiki.txt.gz -o counts.eigc
  cat *.txt | eigentree count - -o counts.eigc
  Parts of a corpus, then all of it with a limited vocabulary:
    eigentree count part1.txt -o part1.eigc
    eigentree count part2.txt -o part2.eigc
    eigentree merge part1.eigc part2.eigc --vocab 50000 -o counts.eigc
  A small vocabulary, neighbours only, and no ends of sentences, as classic Brown clustering has it:
    eigentree count news.txt --vocab 10000 --distance 1 --one-sequence -o counts.eigc")]
pub(crate) struct CountArgs {
    /// Texts, packed or not; `-` is standard input
    #[arg(required = true, value_name = "TEXT")]
    texts: Vec<PathBuf>,
    /// Where the counts go
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Count words up to K places apart: 1 is for the contexts r1 and lr1, 2 for lr2
    #[arg(long, value_name = "K", default_value = "2")]
    distance: NonZeroUsize,
    #[command(flatten)]
    vocab: VocabArgs,
    /// Where sequences of words end
    #[arg(long, value_enum, value_name = "WHERE", default_value = "lines")]
    boundaries: BoundariesArg,
    /// Take all text for one sequence; short for --boundaries none
    #[arg(long, conflicts_with = "boundaries")]
    one_sequence: bool,
    /// Read bytes that are not UTF-8 as replacement characters, instead of giving up
    #[arg(long)]
    lossy: bool,
}

/// Which words are kept apart.
#[derive(Debug, Args)]
pub(crate) struct VocabArgs {
    /// Keep the N most frequent words, ties by code point; all others are one class. Such counts can be added only to
    /// counts of the same words
    #[arg(long, value_name = "N", help_heading = "Vocabulary")]
    vocab: Option<NonZeroUsize>,
    /// Keep words that occur N times or more; all others are one class
    #[arg(long, value_name = "N", help_heading = "Vocabulary")]
    min_count: Option<u64>,
    /// The name of the class of all other words
    #[arg(long, value_name = "NAME", default_value = UNKNOWN, help_heading = "Vocabulary")]
    unknown: String,
}

impl VocabArgs {
    fn build(self) -> Result<Option<VocabLimit>, UsageError> {
        Ok(vocab_limit(self.vocab, self.min_count, self.unknown)?.0)
    }
}

/// The limit on the vocabulary, if one was chosen, and the name of the class of other words.
pub(super) fn vocab_limit(
    size: Option<NonZeroUsize>,
    min_count: Option<u64>,
    unknown: String,
) -> Result<(Option<VocabLimit>, String), UsageError> {
    if unknown.is_empty() || unknown.contains(char::is_whitespace) {
        return Err(UsageError(
            "the name of the class of other words must be a word, without blanks".to_owned(),
        ));
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

/// Where sequences of words end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum BoundariesArg {
    /// With each line
    Lines,
    /// Nowhere
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

/// What is to be counted.
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
            distance: self.distance.get(),
            boundaries,
            encoding: if self.lossy { Encoding::Lossy } else { Encoding::Strict },
            vocab: self.vocab.build()?,
            ..CountConfig::default()
        };
        Ok(CountJob { texts: self.texts, output: self.output, config })
    }
}

/// Add counts up
///
/// The sum of counts that `count` wrote is what counting all texts together gives, exactly so if sequences end with lines. The
/// files must be counted up to the same distance, and without a limit on the vocabulary or over the same words.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree merge part1.eigc part2.eigc part3.eigc -o counts.eigc
  The sum over the 50,000 most frequent words:
    eigentree merge part1.eigc part2.eigc --vocab 50000 -o counts.eigc
  One file alone, to limit its vocabulary:
    eigentree merge counts.eigc --min-count 5 -o smaller.eigc")]
pub(crate) struct MergeArgs {
    /// Count files
    #[arg(required = true, value_name = "COUNTS")]
    counts: Vec<PathBuf>,
    /// Where the sum goes
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    vocab: VocabArgs,
}

/// What is to be added up.
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
