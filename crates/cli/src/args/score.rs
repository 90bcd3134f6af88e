//! `score`: options and what they mean.

use std::path::PathBuf;

use clap::Args;

use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Score text with a model of word clusters, or trees with one of latent trees: log-probabilities and perplexity
///
/// Writes the natural logarithm of the probability of each line, a TAB, and its number of words; blank lines have 0 and 0. Perplexity is over
/// words, and over the ends of lines if the model knows them. Words that the model does not know are one class, whose
/// probability is that of any such word. If the model took its text for one sequence, each line follows the one before.
///
/// With a model of latent trees the input is CoNLL-U, and each sentence has a line: the logarithm of the probability of its words given its tree, their number,
/// and `negative` where the estimate is, so that only its size is told.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree cluster news.txt --clusters 200 -o paths.txt --model news.eig
  eigentree score news.eig held-out.txt --totals
  eigentree score latent.eig dev.conllu
  eigentree score news.eig held-out.txt -o scores.tsv --json | tail -1 | jq .likelihood.perplexity")]
pub(crate) struct ScoreArgs {
    /// A model that `cluster --model` or `train deptree` saved
    pub(crate) model: PathBuf,
    /// Text, words between blanks, or dependency trees in CoNLL-U; `-` is standard input
    #[arg(default_value = "-")]
    pub(crate) text: PathBuf,
    /// Where the figures go
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Write totals only
    #[arg(long)]
    pub(crate) totals: bool,
}

impl ScoreArgs {
    pub(crate) fn check(&self) -> Result<(), UsageError> {
        refuse_overwriting(&self.output, [self.model.as_path(), self.text.as_path()])
    }
}
