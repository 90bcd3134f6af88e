//! `sample`: options and what they mean.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::conversion::Target;
use eigentree::corpus::synthetic::HiddenStates;
use eigentree::sampling::SamplingConfig;

use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Draw a synthetic treebank from a grammar, or text from a model of word clusters or of sequences
///
/// The grammar is `english`, which is part of the program, or a file in the same readable format. Its categories have hidden
/// states (number, verb frames, attachment preferences) that the drawn trees do not show: they are what latent-variable
/// models have to find again. From a model that `cluster --model` or `train automaton` saved come lines of words.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  A treebank, and one to test on:
    eigentree sample english -n 5000 -o train.ptb
    eigentree sample english -n 500 --seed 2 -o test.ptb
  Sentences only:
    eigentree sample english -n 10 --format words
  The hidden states shown in the labels:
    eigentree sample english -n 1 --keep-states --format drawing
  A grammar of one's own, beginning with the one of the program:
    eigentree sample english --show-grammar -o mine.grammar
    eigentree sample mine.grammar -n 100
  Text from clusters of words:
    eigentree cluster news.txt --clusters 200 -o paths.txt --model news.eig
    eigentree sample news.eig -n 20")]
pub(crate) struct SampleArgs {
    /// `english`, a grammar file, or a model of word clusters or of sequences
    grammar: PathBuf,
    /// How many trees, or lines
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000)]
    count: u64,
    /// Where they go
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// How trees are written [default: ptb]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<SampleFormat>,
    /// Longer sentences of a grammar are drawn anew, longer lines of a model cut [default: 40, and 1000 for models that know where
    /// lines end]
    #[arg(long, value_name = "WORDS")]
    max_words: Option<usize>,
    /// Show hidden states in the labels: `NP[sg]`
    #[arg(long)]
    keep_states: bool,
    /// Write the grammar itself, which explains its format, instead of trees
    #[arg(long, conflicts_with_all = ["count", "format", "max_words", "keep_states"])]
    show_grammar: bool,
}

/// How trees are written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum SampleFormat {
    /// Penn brackets, one line a tree
    Ptb,
    /// The words alone
    Words,
    /// word_TAG
    Tagged,
    /// One JSON object a line
    Json,
    /// Box characters, for the terminal
    Drawing,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SampleWhat {
    Trees,
    Grammar,
}

/// What is to be done.
pub(crate) struct SampleJob {
    pub(crate) what: SampleWhat,
    pub(crate) grammar: PathBuf,
    pub(crate) output: PathBuf,
    pub(crate) target: Target,
    pub(crate) config: SamplingConfig,
    /// If it was chosen.
    pub(crate) max_words: Option<usize>,
    /// The option that only grammars have, if one was given.
    pub(crate) for_grammars: Option<&'static str>,
}

/// Words of a sentence, unless someone chooses.
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
                (_, _, None | Some(SampleFormat::Words)) => None,
                _ => Some("--format"),
            },
            max_words: self.max_words,
            target: match self.format.unwrap_or(SampleFormat::Ptb) {
                SampleFormat::Ptb => Target::Ptb,
                SampleFormat::Words => Target::Words,
                SampleFormat::Tagged => Target::Tagged,
                SampleFormat::Json => Target::Json,
                SampleFormat::Drawing => Target::Drawing,
            },
            config: SamplingConfig {
                trees: self.count,
                max_words: self.max_words.unwrap_or(MAX_WORDS),
                hidden_states: if self.keep_states { HiddenStates::Keep } else { HiddenStates::Drop },
                seed,
            },
        })
    }
}
