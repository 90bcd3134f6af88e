//! `train pipeline`: options and what they mean.

use std::path::PathBuf;

use clap::Args;
use eigentree::corpus::format::conllu::Column;
use eigentree::models::tagger::TaggerConfig;

use super::tagger::{LabelArgs, LabelJob, columns};
use crate::failure::UsageError;

/// Learn a pipeline from raw text to annotated sentences: tokeniser, tagger and, if asked for, entities
///
/// Everything goes into one model. With --text, clusters of words are learnt from raw text first and help the tagger.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree train pipeline train.conllu --dev dev.conllu -o en.eig
  eigentree tag en.eig raw.txt -o annotated.conllu
  With clusters from tokenised text, one sentence a line, and with entities:
    eigentree train pipeline train.conllu --text text.txt.zst --entities train.bio -o en.eig")]
pub(crate) struct TrainPipelineArgs {
    /// Treebanks in CoNLL-U with `# text`
    #[arg(required = true, value_name = "TREEBANK")]
    treebanks: Vec<PathBuf>,
    /// Tokenised text to learn clusters of words from
    #[arg(long, value_name = "TEXT", conflicts_with = "clusters")]
    text: Option<PathBuf>,
    /// Two-column files to learn entities from
    #[arg(long, value_name = "FILE")]
    entities: Vec<PathBuf>,
    /// The columns of the tagger, between commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', default_value = "upos,xpos,feats")]
    columns: Vec<String>,
    #[command(flatten)]
    common: LabelArgs,
}

/// What is to be done.
pub(crate) struct PipelineJob {
    pub(crate) label: LabelJob,
    pub(crate) columns: Vec<Column>,
    pub(crate) text: Option<PathBuf>,
    pub(crate) entities: Vec<PathBuf>,
}

impl TrainPipelineArgs {
    pub(crate) fn build(self, seed: u64) -> Result<PipelineJob, UsageError> {
        let columns = columns(&self.columns)?;
        let label = self.common.build(self.treebanks, TaggerConfig::default(), seed)?;
        Ok(PipelineJob { label, columns, text: self.text, entities: self.entities })
    }
}
