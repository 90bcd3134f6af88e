//! Options of `sample`.

use std::path::PathBuf;

use clap::Args;
use eigentree::conversion::{Drawing, Target};
use eigentree::corpus::synthetic::HiddenStates;
use eigentree::sampling::SamplingConfig;

use super::formats::write_formats;
use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Sample a synthetic treebank from a grammar, or text from a model of word clusters or sequences
///
/// The grammar is the built-in `english`, the small `cycle`, or a file in the same readable format. Its categories have hidden states
/// (number, verb frames, attachment preferences) that the sampled trees do not show; latent-variable models have to
/// recover them. A model written by `cluster --model` or `train automaton` gives lines of words.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  A treebank, and a second one to test on:
    eigentree sample english -n 5000 -o train.ptb
    eigentree sample english -n 500 --seed 2 -o test.ptb
  Sentences only:
    eigentree sample english -n 10 --format words
  With the hidden states shown in the labels:
    eigentree sample english -n 1 --keep-states --format drawing
  Your own grammar, starting from the built-in one:
    eigentree sample english --show-grammar -o mine.grammar
    eigentree sample mine.grammar -n 100
  Text from a model of word clusters:
    eigentree cluster news.txt --clusters 200 -o paths.txt --model news.eig
    eigentree sample news.eig -n 20")]
pub(crate) struct SampleArgs {
    /// `english`, `cycle`, a grammar file, or a model of word clusters or sequences
    grammar: PathBuf,
    /// Number of trees or lines
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000)]
    count: u64,
    /// Output file
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Output format of the trees [default: ptb]
    #[arg(long, value_parser = write_formats(&FORMATS), value_name = "FORMAT")]
    format: Option<Target>,
    /// Maximum length: longer sentences of a grammar are sampled again, longer lines of a model are cut [default: 40;
    /// 1000 for models with line boundaries]
    #[arg(long, value_name = "WORDS")]
    max_words: Option<usize>,
    /// Show hidden states in the labels: `NP[sg]`
    #[arg(long)]
    keep_states: bool,
    /// Write the grammar itself, with comments that explain the format, instead of trees
    #[arg(long, conflicts_with_all = ["count", "format", "max_words", "keep_states"])]
    show_grammar: bool,
}

/// Output formats of the trees.
const FORMATS: [Target; 5] =
    [Target::Ptb, Target::Words, Target::Tagged, Target::Json, Target::Drawing(Drawing::Terminal)];

/// What to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SampleWhat {
    Trees,
    Grammar,
}

/// Validated options of `sample`.
pub(crate) struct SampleJob {
    pub(crate) what: SampleWhat,
    pub(crate) grammar: PathBuf,
    pub(crate) output: PathBuf,
    pub(crate) target: Target,
    pub(crate) config: SamplingConfig,
    /// `None` for the default.
    pub(crate) max_words: Option<usize>,
    /// The first option given that applies to grammars only.
    pub(crate) for_grammars: Option<&'static str>,
}

/// Default maximum number of words per sentence.
pub(crate) const MAX_WORDS: usize = 40;

impl SampleArgs {
    pub(crate) fn build(self, seed: u64) -> Result<SampleJob, UsageError> {
        refuse_overwriting(&self.output, [self.grammar.as_path()])?;
        Ok(SampleJob {
            what: if self.show_grammar { SampleWhat::Grammar } else { SampleWhat::Trees },
            grammar: self.grammar,
            output: self.output,
            for_grammars: match (self.show_grammar, self.keep_states, self.format) {
                (true, ..) => Some("--show-grammar"),
                (_, true, _) => Some("--keep-states"),
                (_, _, None | Some(Target::Words)) => None,
                _ => Some("--format"),
            },
            max_words: self.max_words,
            target: self.format.unwrap_or(Target::Ptb),
            config: SamplingConfig {
                trees: self.count,
                max_words: self.max_words.unwrap_or(MAX_WORDS),
                hidden_states: if self.keep_states { HiddenStates::Keep } else { HiddenStates::Drop },
                seed,
            },
        })
    }
}
