//! `train mst`: options and what they mean.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::models::mst::{Lemmas, MstConfig, Order, Quality, Structure};

use super::treebank::{TreebankArgs, TreebankData};
use crate::failure::UsageError;

/// Learn a dependency parser from a treebank in CoNLL-U
///
/// Features of words, tags and morphology are hashed, so that there is no dictionary; updates are large-margin, averaged over all steps. The
/// parser sees the tags that it is given: train it on tags like those it will meet. Development trees also calibrate its confidences.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  A parser, scored on a development set:
    eigentree train mst train.conllu --dev dev.conllu -o en.eig
    eigentree parse en.eig test.conllu -o parsed.conllu
    eigentree eval test.conllu parsed.conllu
  In the shortest time:
    eigentree train mst train.conllu --quality fast -o en.eig
  With clusters of words from raw text:
    eigentree cluster text.txt --clusters 1000 -o paths.txt
    eigentree train mst train.conllu --clusters paths.txt --quality best -o en.eig
  For a language with many crossing arcs:
    eigentree train mst train.conllu --decoder nonprojective -o nl.eig")]
pub(crate) struct TrainMstArgs {
    #[command(flatten)]
    data: TreebankArgs,
    /// How much effort goes into the model
    #[arg(long, value_enum, value_name = "HOW", default_value = "balanced")]
    quality: QualityArg,
    /// How much of the tree a score sees [default: as the quality has it]
    #[arg(long, value_enum, value_name = "ORDER", help_heading = "Learning")]
    order: Option<OrderArg>,
    /// What trees may look like
    #[arg(long, value_enum, value_name = "TREES", default_value = "auto", help_heading = "Learning")]
    decoder: DecoderArg,
    /// Passes over the data [default: as the quality has it]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Learning")]
    epochs: Option<u16>,
    /// Clusters of words to take features from, as `cluster` writes them
    #[arg(long, value_name = "PATHS", help_heading = "Features")]
    clusters: Option<PathBuf>,
    /// Instead of clusters, vectors of words to take features from, as `cluster --vectors` writes them
    #[arg(long, value_name = "VECTORS", conflicts_with = "clusters", help_heading = "Features")]
    vectors: Option<PathBuf>,
    /// Take features from the column LEMMA too
    #[arg(long, help_heading = "Features")]
    lemmas: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::args) enum QualityArg {
    /// First order: arcs one by one
    Fast,
    /// Second order: arcs with their siblings and grandparents
    Balanced,
    /// Second order with more passes
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
    /// Arcs one by one
    First,
    /// Arcs with their siblings and grandparents
    Second,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DecoderArg {
    /// By the share of training sentences with crossing arcs: projective, pseudo-projective from 4 %, nonprojective from 15 % (first order: 25 %)
    Auto,
    /// No crossing arcs
    Projective,
    /// Crossing arcs by labels that remember them
    PseudoProjective,
    /// Any tree
    #[value(alias = "non-projective")]
    Nonprojective,
}

/// Where classes of words come from.
pub(crate) enum WordClasses {
    Clusters(PathBuf),
    Vectors(PathBuf),
}

/// What is to be done.
pub(crate) struct TrainMstJob {
    pub(crate) data: TreebankData,
    pub(crate) classes: Option<WordClasses>,
    pub(crate) config: MstConfig,
}

impl TrainMstArgs {
    pub(crate) fn build(self, seed: u64) -> Result<TrainMstJob, UsageError> {
        let data = self.data.build(self.clusters.as_deref().or(self.vectors.as_deref()))?;
        let mut config = MstConfig { seed, ..MstConfig::quality(self.quality.into()) };
        match self.order {
            None => {}
            Some(OrderArg::First) => config.order = Order::First,
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
        if self.lemmas {
            config.lemmas = Lemmas::Use;
        }
        let classes = self.clusters.map(WordClasses::Clusters).or(self.vectors.map(WordClasses::Vectors));
        Ok(TrainMstJob { data, classes, config })
    }
}
