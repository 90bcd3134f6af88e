//! `train ner`: options and what they mean.

use std::path::PathBuf;

use clap::Args;
use eigentree::models::tagger::TaggerConfig;

use super::tagger::{LabelArgs, LabelJob};
use crate::failure::UsageError;

/// Learn named entities from two-column files, `token<TAB>tag`
///
/// Any of the schemes IOB1, IOB2 and BIOES is read; the model works with BIOES. Its features are those of Ratinov and Roth (2009): words, shapes and affixes
/// around, the tag before, clusters of words, lists of names.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree train ner train.bio --dev dev.bio -o ner.eig
  With clusters of words, and lists of names, one name a line:
    eigentree train ner train.bio --clusters paths.txt --gazetteer cities.txt -o ner.eig
  eigentree tag ner.eig test.bio -o tagged.bio
  eigentree eval test.bio tagged.bio")]
pub(crate) struct TrainNerArgs {
    /// Files of two columns
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Lists of names, one name a line; may be given several times, at most 31
    #[arg(long, value_name = "LIST")]
    gazetteer: Vec<PathBuf>,
    #[command(flatten)]
    common: LabelArgs,
}

impl TrainNerArgs {
    pub(crate) fn build(self, seed: u64) -> Result<(LabelJob, Vec<PathBuf>), UsageError> {
        Ok((self.common.build(self.files, TaggerConfig::entities(), seed)?, self.gazetteer))
    }
}
