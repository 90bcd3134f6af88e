//! Options of `train ner`.

use std::path::PathBuf;

use clap::Args;
use eigentree::models::tagger::TaggerConfig;

use super::tagger::{LabelArgs, LabelJob};
use crate::failure::UsageError;

/// Train a named-entity recogniser on two-column files, `token<TAB>tag`
///
/// Reads the schemes IOB1, IOB2 and BIOES; the model uses BIOES. The features are those of Ratinov and Roth (2009):
/// neighbouring words, shapes and affixes, the previous tag, word clusters, gazetteers.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree train ner train.bio --dev dev.bio -o ner.eig
  With word clusters and a gazetteer, one name per line:
    eigentree train ner train.bio --clusters paths.txt --gazetteer cities.txt -o ner.eig
  eigentree tag ner.eig test.bio -o tagged.bio
  eigentree eval test.bio tagged.bio")]
pub(crate) struct TrainNerArgs {
    /// Two-column training files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Gazetteer, one name per line; may be given up to 31 times
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
