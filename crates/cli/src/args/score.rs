//! Options of `score`.

use std::path::PathBuf;

use clap::Args;
use eigentree::sequences::SequenceFormat;

use super::formats::sequence_formats;
use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Score text, sequences or trees with a model: log-probabilities and perplexity
///
/// Writes the natural log-probability of each line, a tab, and its number of words; blank lines give 0 and 0.
/// Perplexity is computed over words and, if the model has them, ends of lines. Unknown words share one class and its
/// probability. If the model was trained on text as one sequence, each line continues the previous one. Sequence models
/// also read PAutomaC and SPiCe files.
///
/// With a latent tree model the input is CoNLL-U. Each sentence gives one line: the log-probability of its words given
/// its tree, their number, and the note `negative` where the estimate is negative, in which case the logarithm is that
/// of its absolute value.
///
/// With a grammar with latent states the input is trees in Penn brackets. Each tree gives one line: the log-probability of the
/// tree, its number of words, the log-probability of its words (the sum over the trees left by a wide search), and the
/// signs of both probabilities (`+`, `-`, or `0` where the grammar has no such tree). Ensembles have the mean over members;
/// a sign is `-` if it is in some member. Only the lexicon of `train lpcfg --paper` gives probabilities that sum to 1.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree cluster news.txt --clusters 200 -o paths.txt --model news.eig
  eigentree score news.eig held-out.txt --totals
  eigentree score news.eig held-out.txt -o scores.tsv --json | tail -1 | jq .likelihood.perplexity
  eigentree score deptree.eig dev.conllu
  eigentree score latent.eig dev.ptb --totals
  A problem of the PAutomaC competition, against its solution:
    eigentree train automaton 1.pautomac.train -o 1.eig
    eigentree score 1.eig 1.pautomac.test --solution 1.pautomac_solution.txt --totals")]
pub(crate) struct ScoreArgs {
    /// Model written by `cluster --model`, `train automaton`, `train hmm`, `train deptree` or `train lpcfg`
    pub(crate) model: PathBuf,
    /// Tokenised text, dependency trees in CoNLL-U, or trees in Penn brackets; `-` is standard input
    #[arg(default_value = "-")]
    pub(crate) text: PathBuf,
    /// Output file for the scores
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Write totals only
    #[arg(long)]
    pub(crate) totals: bool,
    /// Format of the sequences, for sequence models
    #[arg(long, value_parser = sequence_formats(), value_name = "FORMAT", default_value = "detect")]
    pub(crate) input: SequenceFormat,
    /// True probabilities of the sequences in PAutomaC format; also reports the competition's perplexity
    #[arg(long, value_name = "FILE")]
    pub(crate) solution: Option<PathBuf>,
}

impl ScoreArgs {
    pub(crate) fn check(&self) -> Result<(), UsageError> {
        refuse_overwriting(&self.output, [self.model.as_path(), self.text.as_path()])
    }
}
