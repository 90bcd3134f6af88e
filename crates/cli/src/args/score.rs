//! `score`: options and what they mean.

use std::path::PathBuf;

use clap::Args;

use super::overwrite::refuse_overwriting;
use super::sequences::SequenceInput;
use crate::failure::UsageError;

/// Score text, sequences or trees with a model: log-probabilities and perplexity
///
/// Writes the natural logarithm of the probability of each line, a TAB, and its number of words; blank lines have 0 and 0. Perplexity is over
/// words, and over the ends of lines if the model knows them. Words that the model does not know are one class, whose
/// probability is that of any such word. If the model took its text for one sequence, each line follows the one before.
/// Models of sequences also read files in the format of PAutomaC and SPiCe.
///
/// With a model of latent trees the input is CoNLL-U, and each sentence has a line: the logarithm of the probability of its words given its tree, their number,
/// and `negative` where the estimate is, so that only its size is told.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree cluster news.txt --clusters 200 -o paths.txt --model news.eig
  eigentree score news.eig held-out.txt --totals
  eigentree score news.eig held-out.txt -o scores.tsv --json | tail -1 | jq .likelihood.perplexity
  eigentree score deptree.eig dev.conllu
  A problem of the competition PAutomaC, against its solution:
    eigentree train automaton 1.pautomac.train -o 1.eig
    eigentree score 1.eig 1.pautomac.test --solution 1.pautomac_solution.txt --totals")]
pub(crate) struct ScoreArgs {
    /// A model that `cluster --model`, `train automaton`, `train hmm` or `train deptree` saved
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
    /// How sequences are written, for models of sequences
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "detect")]
    pub(crate) input: SequenceInput,
    /// True probabilities of the sequences, as PAutomaC gives them: tells the competition's perplexity too
    #[arg(long, value_name = "FILE")]
    pub(crate) solution: Option<PathBuf>,
}

impl ScoreArgs {
    pub(crate) fn check(&self) -> Result<(), UsageError> {
        refuse_overwriting(&self.output, [self.model.as_path(), self.text.as_path()])
    }
}
