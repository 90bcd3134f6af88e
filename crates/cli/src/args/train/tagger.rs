//! `train tagger`: options and what they mean.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::corpus::format::conllu::Column;
use eigentree::models::pipeline::column_of;
use eigentree::models::tagger::{Objective, TaggerConfig};
use eigentree::reading::{BadItems, Format};

use super::super::formats::bad_items;
use super::super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Learn parts of speech, morphology or other columns of a CoNLL-U treebank, or the tags of phrase-structure trees
///
/// A linear-chain model over the words around, their endings, shapes and dictionary entries; with --clusters also over the paths of their
/// clusters. All columns go into one model and share its features.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  UPOS and XPOS, scored on a development set:
    eigentree train tagger train.conllu --dev dev.conllu -o tagger.eig
  With morphology:
    eigentree train tagger train.conllu --columns upos,xpos,feats -o tagger.eig
  With clusters of words from raw text:
    eigentree cluster text.txt.zst --clusters 1000 --vocab 50000 -o paths.txt
    eigentree train tagger train.conllu --clusters paths.txt -o tagger.eig
  The tags of phrase-structure trees, for a grammar that parses tagged words:
    eigentree train tagger train.ptb -o tagger.eig")]
pub(crate) struct TrainTaggerArgs {
    /// Treebanks in CoNLL-U, or trees in Penn brackets
    #[arg(required = true, value_name = "TREEBANK")]
    treebanks: Vec<PathBuf>,
    /// The columns that are learnt, between commas: upos, xpos, feats, deprel, lemma, misc [default: upos,xpos; of trees xpos, their tags]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    columns: Option<Vec<String>>,
    #[command(flatten)]
    common: LabelArgs,
}

/// What the learners of labels share.
#[derive(Debug, Args)]
pub(super) struct LabelArgs {
    /// Where the model goes
    #[arg(long, short, value_name = "MODEL")]
    pub(super) output: PathBuf,
    /// Sentences to score the model on after training; nothing is chosen by them
    #[arg(long, value_name = "FILE")]
    pub(super) dev: Option<PathBuf>,
    /// Paths of word clusters, as `cluster` writes them
    #[arg(long, value_name = "PATHS")]
    pub(super) clusters: Option<PathBuf>,
    /// Vectors of words, as `cluster --vectors` writes them: word2vec's text, .bin, or .npy with the words beside it in .words
    #[arg(long, value_name = "VECTORS")]
    pub(super) vectors: Option<PathBuf>,
    /// Go on after sentences that cannot be read, and report them
    #[arg(long)]
    pub(super) skip_bad: bool,
    /// What learning climbs
    #[arg(long, value_enum, value_name = "WHAT", default_value = "likelihood", help_heading = "Learning")]
    objective: ObjectiveArg,
    /// Passes over the sentences
    #[arg(long, value_name = "N", help_heading = "Learning", value_parser = clap::value_parser!(u32).range(1..=1000))]
    passes: Option<u32>,
}

/// What learning climbs.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ObjectiveArg {
    /// The probability of the labels: a conditional random field
    Likelihood,
    /// The number of right labels: a structured perceptron
    Perceptron,
}

/// What is to be done.
pub(crate) struct LabelJob {
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) output: PathBuf,
    pub(crate) dev: Option<PathBuf>,
    pub(crate) clusters: Option<PathBuf>,
    pub(crate) vectors: Option<PathBuf>,
    pub(crate) bad_items: BadItems,
    pub(crate) config: TaggerConfig,
}

/// Where labels come from.
pub(crate) enum LabelSource {
    /// Columns of CoNLL-U.
    Columns(Vec<Column>),
    /// The tags of trees.
    Preterminals,
}

impl LabelArgs {
    pub(super) fn build(
        self,
        inputs: Vec<PathBuf>,
        config: TaggerConfig,
        seed: u64,
    ) -> Result<LabelJob, UsageError> {
        let others = inputs.iter().chain(&self.dev).chain(&self.clusters).chain(&self.vectors);
        refuse_overwriting(&self.output, others.map(PathBuf::as_path))?;
        let objective = match self.objective {
            ObjectiveArg::Likelihood => Objective::Likelihood,
            ObjectiveArg::Perceptron => Objective::Perceptron,
        };
        let passes = self.passes.map_or(config.passes, |passes| passes as usize);
        Ok(LabelJob {
            inputs,
            output: self.output,
            dev: self.dev,
            clusters: self.clusters,
            vectors: self.vectors,
            bad_items: bad_items(self.skip_bad),
            config: TaggerConfig { objective, passes, seed, ..config },
        })
    }
}

/// The columns of these names.
pub(in super::super) fn columns(names: &[String]) -> Result<Vec<Column>, UsageError> {
    let mut columns = Vec::new();
    for name in names {
        let column = column_of(name).ok_or_else(|| {
            UsageError(format!(
                "`{name}` is no column to learn; take upos, xpos, feats, deprel, lemma or misc"
            ))
        })?;
        if columns.contains(&column) {
            return Err(UsageError(format!("the column {column} is named twice")));
        }
        columns.push(column);
    }
    Ok(columns)
}

impl TrainTaggerArgs {
    pub(crate) fn build(self, seed: u64) -> Result<(LabelJob, LabelSource), UsageError> {
        let trees = |path: &PathBuf| Format::of_path(path) == Some(Format::Ptb);
        let source = match (self.treebanks.iter().all(trees), self.columns) {
            (true, None) => LabelSource::Preterminals,
            (true, Some(_)) => {
                return Err(UsageError("--columns is for CoNLL-U; trees have tags alone".to_owned()));
            }
            (false, None) => LabelSource::Columns(vec![Column::Upos, Column::Xpos]),
            (false, Some(names)) => LabelSource::Columns(columns(&names)?),
        };
        Ok((self.common.build(self.treebanks, TaggerConfig::default(), seed)?, source))
    }
}
