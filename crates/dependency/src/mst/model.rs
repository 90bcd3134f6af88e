//! The learnt model.

use corpus::dependency::pseudo_projective::PseudoLabels;
use corpus::ids::LabelId;
use corpus::vocab::Vocab;

use super::arc_features::{Clusters, Templates};
use super::clusters::ClusterPaths;
use super::config::{Choice, Order, PruningConfig, Structure};
use super::labels::{self, Labeler, More};
use super::network::{self, Mix, Networks};
use super::pruner::Pruner;
use super::search::Scoring;
use super::weights::Bits;
use super::words::{Lemmas, Views};
use models::confidence::Odds;
use models::log_linear::RoundedWeights;

/// A dependency parser: weights of hashed features in three stages, pruner, parser, labels.
#[derive(Clone, Debug)]
pub struct Mst {
    pub(super) form: Form,
    pub(super) labels: Vocab<LabelId>,
    /// Decodes labels of lifted arcs, in a model that restores them.
    pub(super) pseudo: Option<PseudoLabels>,
    pub(super) clusters: Option<ClusterPaths>,
    pub(super) pruner: Pruner,
    pub(super) weights: RoundedWeights,
    pub(super) labeler: Labeler,
    pub(super) networks: Option<Networks>,
}

/// The part of the model that is not a table.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Form {
    pub(super) order: Order,
    pub(super) structure: Structure,
    pub(super) pruning: PruningConfig,
    pub(super) lemmas: Lemmas,
    pub(super) bits: u32,
    /// What selects the heads among which a tree is searched; in older files the pruner.
    #[serde(default)]
    pub(super) selection: Selection,
    /// Files written before there was a choice have none.
    #[serde(default)]
    pub(super) choice: Choice,
    /// Divisor of arc scores before exponentiation.
    pub(super) temperature: f32,
    /// The same for scores of labels.
    pub(super) label_temperature: f32,
    /// What becomes of a confidence afterwards.
    #[serde(default)]
    pub(super) odds: Odds,
}

/// What selects the candidate heads of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(super) enum Selection {
    /// The pruner; networks, if there are any, leave fewer.
    #[default]
    Pruner,
    /// The networks, among all heads within reach.
    Networks,
}

impl Mst {
    /// The order of its scores.
    pub fn order(&self) -> Order {
        self.form.order
    }

    /// The trees it produces.
    pub fn structure(&self) -> Structure {
        self.form.structure
    }

    /// The labels of arcs. In a model that restores lifted arcs some labels have marks; labels in parses have none.
    pub fn labels(&self) -> &Vocab<LabelId> {
        &self.labels
    }

    /// The same model with different pruning: fewer candidates are faster, more are more accurate.
    pub fn with_pruning(mut self, pruning: PruningConfig) -> Self {
        self.form.pruning = pruning;
        self
    }

    /// The same model with a different choice by labels; among one tree it is fastest.
    pub fn with_choice(mut self, choice: Choice) -> Self {
        self.form.choice = choice;
        self
    }

    /// The number of networks that score arcs and labels beside the weights of features.
    pub fn networks(&self) -> usize {
        self.networks.as_ref().map_or(0, |networks| networks.members.len())
    }

    /// The same model with a different use of its networks.
    pub fn with_mix(mut self, mix: Mix) -> Self {
        if let Some(networks) = &mut self.networks {
            networks.mix = mix;
        }
        self
    }

    /// Labels a tree over the sentence that the networks have read; see [`Labeler::label`].
    pub(super) fn label(
        &self,
        views: &Views,
        heads: &[u32],
        scratch: &mut labels::Scratch,
        networks: &mut network::Scratch,
        labels: &mut Vec<LabelId>,
        confidences: Option<(&mut Vec<f32>, f32)>,
    ) {
        let more = self.networks.as_ref().map(|model| More { model, scratch: networks });
        self.labeler.label(views, heads, self.templates(), scratch, more, labels, confidences);
    }

    /// The word clusters used as features.
    pub fn clusters(&self) -> Option<&ClusterPaths> {
        self.clusters.as_ref()
    }

    pub(super) fn scoring(&self) -> Scoring<'_, RoundedWeights> {
        Scoring {
            values: &self.weights,
            bits: Bits(self.form.bits),
            templates: self.templates(),
            order: self.form.order,
            structure: self.form.structure,
        }
    }

    pub(super) fn templates(&self) -> Templates {
        templates(self.form.lemmas, self.clusters.as_ref())
    }
}

pub(super) fn templates(lemmas: Lemmas, clusters: Option<&ClusterPaths>) -> Templates {
    let clusters = clusters.map_or(Clusters::Absent, |_| Clusters::Present);
    Templates { lemmas, clusters }
}
