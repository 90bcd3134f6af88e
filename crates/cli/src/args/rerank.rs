//! Options of `rerank`.

use std::path::PathBuf;

use clap::Args;

use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Choose the best tree from an n-best list of dependency trees per sentence
///
/// An n-best list is a sentence in CoNLL-U repeated with different trees, by `parse --nbest` or any other parser. A
/// comment `# score = NUMBER` gives the parser's score of a tree; without it, trees are taken as ordered from best to
/// worst. Writes one tree per list.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree parse parser.eig test.conllu --nbest 50 | eigentree rerank reranker.eig -o best.conllu
  eigentree eval test.conllu best.conllu")]
pub(crate) struct RerankArgs {
    /// Model written by `train reranker`
    pub(crate) model: PathBuf,
    /// N-best lists in CoNLL-U; `-` is standard input
    #[arg(default_value = "-")]
    pub(crate) lists: PathBuf,
    /// Output file for the trees
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
}

impl RerankArgs {
    pub(crate) fn check(&self) -> Result<(), UsageError> {
        refuse_overwriting(&self.output, [self.model.as_path(), self.lists.as_path()])
    }
}
