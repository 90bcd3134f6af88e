//! Options of `select`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use eigentree::files::STANDARD_STREAM;
use eigentree::reading::{BadItems, Format};
use eigentree::selection::{SelectConfig, Strategy};

use super::formats::{bad_items, read_formats};
use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Choose the sentences that are worth annotating next, and write them with the model's annotation
///
/// The model annotates all sentences and says how sure it is of each word. The command then picks sentences with many
/// expected errors for their length that differ from one another, and writes them for correction, best first: CoNLL-U
/// with the comments `# select_rank` and `# expected_errors` and `Confidence` in MISC, or trees for grammars. Train with
/// --dev, so that confidences are calibrated.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  A hundred sentences of raw text, with a pipeline:
    eigentree select pipeline.eig raw.txt -n 100 -o next.conllu
  From tagged CoNLL-U, with a parser:
    eigentree select parser.eig pool.conllu -n 50 -o next.conllu
  About two thousand words:
    eigentree select pipeline.eig raw.txt -n 1000 --words 2000 -o next.conllu")]
pub(crate) struct SelectArgs {
    /// Pipeline, parser or tagger
    model: PathBuf,
    /// Sentences to choose from; `-` is standard input
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Number of sentences
    #[arg(long, short = 'n', value_name = "N", default_value_t = SelectConfig::default().count)]
    count: usize,
    /// Stop when the sentences have this many words [default: no limit]
    #[arg(long, value_name = "WORDS")]
    words: Option<usize>,
    /// Output file
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Input format [default: from the file name; else text for pipelines, words otherwise]
    #[arg(long, value_parser = read_formats(&INPUTS), value_name = "FORMAT")]
    input: Option<Format>,
    /// How sentences are chosen
    #[arg(long, value_enum, value_name = "STRATEGY", default_value = "diverse")]
    strategy: StrategyArg,
    /// Leave out shorter sentences
    #[arg(long, value_name = "WORDS", default_value_t = SelectConfig::default().min_words)]
    min_words: usize,
    /// Leave out longer sentences
    #[arg(long, value_name = "WORDS", default_value_t = SelectConfig::default().max_words)]
    max_words: usize,
    /// Skip sentences that cannot be read, and report them
    #[arg(long)]
    skip_bad: bool,
}

/// Input formats.
const INPUTS: [Format; 5] = [Format::Text, Format::Words, Format::Conllu, Format::Bio, Format::Ptb];

/// How sentences are chosen.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum StrategyArg {
    /// Uncertain sentences that differ from one another
    Diverse,
    /// The most uncertain ones for their length
    Uncertain,
    /// At random
    Random,
}

/// Validated options of `select`.
pub(crate) struct SelectJob {
    pub(crate) model: PathBuf,
    pub(crate) file: PathBuf,
    pub(crate) output: PathBuf,
    pub(crate) input: Option<Format>,
    pub(crate) config: SelectConfig,
    pub(crate) bad_items: BadItems,
}

impl SelectArgs {
    pub(crate) fn build(self, seed: u64) -> Result<SelectJob, UsageError> {
        if self.model == Path::new(STANDARD_STREAM) && self.file == Path::new(STANDARD_STREAM) {
            return Err(UsageError(
                "the model and the sentences cannot both come from standard input; give one of them as a file".to_owned(),
            ));
        }
        refuse_overwriting(&self.output, [self.model.as_path(), self.file.as_path()])?;
        if self.min_words > self.max_words {
            return Err(UsageError("--min-words must not exceed --max-words".to_owned()));
        }
        Ok(SelectJob {
            model: self.model,
            file: self.file,
            output: self.output,
            input: self.input,
            config: SelectConfig {
                count: self.count,
                words: self.words.unwrap_or(usize::MAX),
                strategy: match self.strategy {
                    StrategyArg::Diverse => Strategy::Diverse,
                    StrategyArg::Uncertain => Strategy::Uncertain,
                    StrategyArg::Random => Strategy::Random,
                },
                min_words: self.min_words,
                max_words: self.max_words,
                seed,
            },
            bad_items: bad_items(self.skip_bad),
        })
    }
}
