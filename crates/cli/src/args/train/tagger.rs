//! Options of `train tagger`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::corpus::format::conllu::Column;
use eigentree::models::pipeline::column_of;
use eigentree::models::tagger::{Objective, TaggerConfig};
use eigentree::reading::{BadItems, Format};

use super::super::formats::bad_items;
use super::super::overwrite::refuse_overwriting;
use crate::failure::UsageError;

/// Train a tagger for parts of speech, morphology or other columns of a CoNLL-U treebank, or for the tags of
/// phrase-structure trees
///
/// A linear-chain model over neighbouring words, suffixes, shapes and dictionary entries; with --clusters also over
/// cluster paths. All columns go into one model and share its features.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  UPOS, XPOS, FEATS and lemmas, scored on a development set:
    eigentree train tagger train.conllu --dev dev.conllu -o tagger.eig
  Lemmas with the help of a lexicon (form, lemma, UPOS and optionally FEATS, separated by tabs):
    eigentree train tagger train.conllu --lexicon words.tsv -o tagger.eig
  With word clusters from raw text:
    eigentree cluster text.txt.zst --clusters 1000 --vocab 50000 -o paths.txt
    eigentree train tagger train.conllu --clusters paths.txt -o tagger.eig
  The tags of phrase-structure trees, for a grammar that parses tagged words:
    eigentree train tagger train.ptb -o tagger.eig")]
pub(crate) struct TrainTaggerArgs {
    /// Training treebanks in CoNLL-U or Penn brackets
    #[arg(required = true, value_name = "TREEBANK")]
    treebanks: Vec<PathBuf>,
    /// Columns to learn, separated by commas: upos, xpos, feats, deprel, lemma, misc [default: those of
    /// upos,xpos,feats,lemma that the treebank fills; for Penn trees their tags, as xpos]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    columns: Option<Vec<String>>,
    /// Words with their lemmas, for words that the treebank does not have: form, lemma, UPOS and optionally FEATS,
    /// separated by tabs
    #[arg(long, value_name = "FILE")]
    lexicon: Option<PathBuf>,
    #[command(flatten)]
    common: LabelArgs,
}

/// Options shared by the taggers.
#[derive(Debug, Args)]
pub(super) struct LabelArgs {
    /// Output file for the model
    #[arg(long, short, value_name = "MODEL")]
    pub(super) output: PathBuf,
    /// Development sentences to score after training; confidences of tags and heads are fitted to them, nothing else is
    #[arg(long, value_name = "FILE")]
    pub(super) dev: Option<PathBuf>,
    /// Word clusters for features, as written by `cluster`
    #[arg(long, value_name = "PATHS")]
    pub(super) clusters: Option<PathBuf>,
    /// Word vectors for features, as written by `cluster --vectors`: word2vec text, .bin, or .npy with the words in a
    /// second file ending in .words
    #[arg(long, value_name = "VECTORS")]
    pub(super) vectors: Option<PathBuf>,
    /// Skip sentences that cannot be read, and report them
    #[arg(long)]
    pub(super) skip_bad: bool,
    /// Training objective
    #[arg(
        long,
        value_enum,
        value_name = "OBJECTIVE",
        default_value = "likelihood",
        help_heading = "Learning"
    )]
    objective: ObjectiveArg,
    /// Passes over the sentences [default: 10]
    #[arg(long, value_name = "N", help_heading = "Learning", value_parser = clap::value_parser!(u32).range(1..=1000))]
    passes: Option<u32>,
    /// Networks that score labels beside the weights of features; 0 is fastest [default: 1 for tags, 0 for entities; in a
    /// pipeline by --parser]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=16), help_heading = "Learning")]
    networks: Option<u16>,
}

/// Training objective.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in super::super) enum ObjectiveArg {
    /// Conditional likelihood: a conditional random field
    Likelihood,
    /// Number of correct labels: a structured perceptron
    Perceptron,
    /// Number of correct labels, each word after the right label before it: a greedy perceptron
    Greedy,
}

impl ObjectiveArg {
    pub(in super::super) fn objective(self) -> Objective {
        match self {
            Self::Likelihood => Objective::Likelihood,
            Self::Perceptron => Objective::Perceptron,
            Self::Greedy => Objective::Greedy,
        }
    }
}

/// Files of sentences with labels, what helps to learn from them, and the configuration.
pub(crate) struct LabelJob {
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) output: PathBuf,
    pub(crate) dev: Option<PathBuf>,
    pub(crate) clusters: Option<PathBuf>,
    pub(crate) vectors: Option<PathBuf>,
    pub(crate) lexicon: Option<PathBuf>,
    pub(crate) bad_items: BadItems,
    pub(crate) config: TaggerConfig,
}

/// Source of the labels.
pub(crate) enum LabelSource {
    /// Columns of CoNLL-U.
    Columns(Vec<Column>),
    /// The usual columns of CoNLL-U, as far as the treebank has them.
    FilledColumns,
    /// Preterminals of constituency trees.
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
        let objective = self.objective.objective();
        let passes = self.passes.map_or(config.passes, |passes| passes as usize);
        let config = match self.networks {
            Some(networks) => config.with_networks(usize::from(networks)),
            None => config,
        };
        Ok(LabelJob {
            inputs,
            output: self.output,
            dev: self.dev,
            clusters: self.clusters,
            vectors: self.vectors,
            lexicon: None,
            bad_items: bad_items(self.skip_bad),
            config: TaggerConfig { objective, passes, seed, ..config },
        })
    }
}

/// Parses column names.
pub(in super::super) fn columns(names: &[String]) -> Result<Vec<Column>, UsageError> {
    let mut columns = Vec::new();
    for name in names {
        let column = column_of(name).ok_or_else(|| {
            UsageError(format!(
                "`{name}` is not a column that can be learnt; use upos, xpos, feats, deprel, lemma or misc"
            ))
        })?;
        if columns.contains(&column) {
            return Err(UsageError(format!("--columns lists {column} twice")));
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
                return Err(UsageError(
                    "--columns applies only to CoNLL-U; trees have nothing but tags".to_owned(),
                ));
            }
            (false, None) => LabelSource::FilledColumns,
            (false, Some(names)) => LabelSource::Columns(columns(&names)?),
        };
        refuse_overwriting(&self.common.output, self.lexicon.as_deref())?;
        let job = self.common.build(self.treebanks, TaggerConfig::default(), seed)?;
        Ok((LabelJob { lexicon: self.lexicon, ..job }, source))
    }
}
