//! Options of `train mst`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::models::mst::{Choice, Lemmas, MstConfig, Order, Quality, Structure};
use eigentree::training::MstJob;

use super::treebank::{TreebankArgs, TreebankData};
use crate::failure::UsageError;

/// Train a dependency parser on a treebank in CoNLL-U
///
/// Features of words, tags and morphology are hashed, so there is no dictionary. Updates are large-margin, averaged
/// over all steps. The parser relies on the tags of its input: train it on tags of the same quality as those it will
/// see. Development trees also calibrate its confidences.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  A parser, scored on a development set:
    eigentree train mst train.conllu --dev dev.conllu -o en.eig
    eigentree parse en.eig test.conllu -o parsed.conllu
    eigentree eval test.conllu parsed.conllu
  Fastest training:
    eigentree train mst train.conllu --quality fast -o en.eig
  With word clusters from raw text:
    eigentree cluster text.txt --clusters 1000 -o paths.txt
    eigentree train mst train.conllu --clusters paths.txt --quality best -o en.eig
  From few sentences, with the help of a related language:
    eigentree train mst train.conllu --source related.conllu -o en.eig
  For a language with many crossing arcs:
    eigentree train mst train.conllu --decoder nonprojective -o nl.eig")]
pub(crate) struct TrainMstArgs {
    #[command(flatten)]
    data: TreebankArgs,
    /// Treebank of another language, best a related one, to learn from as well: its tags, features and universal
    /// relations, not its words. May be given several times
    #[arg(long, value_name = "TREEBANK")]
    source: Vec<PathBuf>,
    /// Training effort
    #[arg(long, value_enum, value_name = "LEVEL", default_value = "balanced")]
    quality: QualityArg,
    /// Factorisation order of the scores [default: from the quality level]
    #[arg(long, value_enum, value_name = "ORDER", help_heading = "Learning")]
    order: Option<OrderArg>,
    /// Which trees the parser may produce
    #[arg(long, value_enum, value_name = "TREES", default_value = "auto", help_heading = "Learning")]
    decoder: DecoderArg,
    /// Passes over the training data [default: from the quality level]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Learning")]
    epochs: Option<u16>,
    /// Parsers learnt from differently shuffled sentences, whose weights are averaged [default: from the quality level]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100), help_heading = "Learning")]
    shuffles: Option<u16>,
    /// Networks that score arcs and labels beside the weights of features; 0 is fastest [default: from the quality level]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=16), help_heading = "Learning")]
    networks: Option<u16>,
    /// Number of best trees among which the labels choose; 1 parses fastest [default: from the quality level]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Learning")]
    choose_among: Option<u16>,
    /// Word clusters for features, as written by `cluster`
    #[arg(long, value_name = "PATHS", help_heading = "Features")]
    clusters: Option<PathBuf>,
    /// Word vectors for features instead of clusters, as written by `cluster --vectors`
    #[arg(long, value_name = "VECTORS", conflicts_with = "clusters", help_heading = "Features")]
    vectors: Option<PathBuf>,
    /// Also use the LEMMA column for features
    #[arg(long, help_heading = "Features")]
    lemmas: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::args) enum QualityArg {
    /// First order: single arcs
    Fast,
    /// Second order: arcs with their siblings and grandparents; a network helps, and labels choose among four trees
    Balanced,
    /// Second order, with more passes, averaged over three shuffles; three networks, and labels choose among eight trees
    Best,
}

impl From<QualityArg> for Quality {
    fn from(quality: QualityArg) -> Self {
        match quality {
            QualityArg::Fast => Quality::Fast,
            QualityArg::Balanced => Quality::Balanced,
            QualityArg::Best => Quality::Best,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OrderArg {
    /// Single arcs
    First,
    /// Arcs with their siblings
    Siblings,
    /// Arcs with their siblings and grandparents
    Second,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DecoderArg {
    /// Chosen by the share of training sentences with crossing arcs: projective, pseudo-projective from 4 %,
    /// nonprojective from 15 % (first order: 25 %)
    Auto,
    /// No crossing arcs
    Projective,
    /// Crossing arcs encoded in the labels
    PseudoProjective,
    /// Any tree
    #[value(alias = "non-projective")]
    Nonprojective,
}

/// Files besides the treebank.
pub(crate) struct MstFiles {
    pub(crate) data: TreebankData,
    pub(crate) classes: Option<ClassesFile>,
    pub(crate) source: Vec<PathBuf>,
}

/// The file with classes of words.
pub(crate) enum ClassesFile {
    Clusters(PathBuf),
    Vectors(PathBuf),
}

impl TrainMstArgs {
    pub(crate) fn build(self, seed: u64) -> Result<(MstFiles, MstJob), UsageError> {
        let others = self.clusters.iter().chain(&self.vectors).chain(&self.source);
        let data = self.data.build(others.map(PathBuf::as_path))?;
        let mut config = MstConfig { seed, ..MstConfig::quality(self.quality.into()) };
        match self.order {
            None => {}
            Some(OrderArg::First) => config.order = Order::First,
            Some(OrderArg::Siblings) => config.order = Order::Siblings,
            Some(OrderArg::Second) => config.order = Order::Second,
        }
        config.structure = match self.decoder {
            DecoderArg::Auto => None,
            DecoderArg::Projective => Some(Structure::Projective),
            DecoderArg::PseudoProjective => Some(Structure::PseudoProjective),
            DecoderArg::Nonprojective => Some(Structure::NonProjective),
        };
        if let Some(epochs) = self.epochs {
            config.epochs = usize::from(epochs);
        }
        if let Some(shuffles) = self.shuffles {
            config.shuffles = usize::from(shuffles);
        }
        if let Some(networks) = self.networks {
            config = config.with_networks(usize::from(networks));
        }
        if let Some(trees) = self.choose_among {
            config.choice = Choice::among(usize::from(trees));
        }
        if self.lemmas {
            config.lemmas = Lemmas::Use;
        }
        let classes = self.clusters.map(ClassesFile::Clusters).or(self.vectors.map(ClassesFile::Vectors));
        Ok((MstFiles { data, classes, source: self.source }, MstJob::new(config)))
    }
}
