//! `rerank`: options and what they mean.

use std::path::PathBuf;

use clap::Args;

use super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Choose the best of several dependency trees for each sentence
///
/// Lists are sentences in CoNLL-U that are repeated, each time with another tree, by `parse --nbest` or by any other parser. `# score = NUMBER` tells what the
/// parser thinks of a tree; without it trees count as ordered, the best first. One tree for each list is written.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree parse parser.eig test.conllu --nbest 50 | eigentree rerank reranker.eig -o best.conllu
  eigentree eval test.conllu best.conllu")]
pub(crate) struct RerankArgs {
    /// A model that `train reranker` saved
    pub(crate) model: PathBuf,
    /// Lists of trees in CoNLL-U; `-` is standard input
    #[arg(default_value = "-")]
    pub(crate) lists: PathBuf,
    /// Where the trees go
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
}

impl RerankArgs {
    pub(crate) fn check(&self) -> Result<(), UsageError> {
        refuse_overwriting(&self.output, [self.model.as_path(), self.lists.as_path()])
    }
}
