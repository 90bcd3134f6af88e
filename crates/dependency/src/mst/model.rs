//! The learnt model.

use corpus::dependency::pseudo_projective::PseudoLabels;
use corpus::ids::LabelId;
use corpus::vocab::Vocab;

use super::arc_features::{Clusters, Templates};
use super::clusters::ClusterPaths;
use super::config::{Order, PruningConfig, Structure};
use super::labels::Labeler;
use super::pruner::Pruner;
use super::search::Scoring;
use super::weights::{Bits, Weights};
use super::words::Lemmas;

/// A dependency parser: weights of hashed features in three stages, pruner, parser, labels.
#[derive(Clone, Debug)]
pub struct Mst {
    pub(super) form: Form,
    pub(super) labels: Vocab<LabelId>,
    /// What labels say of lifted arcs, in a model that puts them back.
    pub(super) pseudo: Option<PseudoLabels>,
    pub(super) clusters: Option<ClusterPaths>,
    pub(super) pruner: Pruner,
    pub(super) weights: Weights,
    pub(super) labeler: Labeler,
}

/// What is no table.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Form {
    pub(super) order: Order,
    pub(super) structure: Structure,
    pub(super) pruning: PruningConfig,
    pub(super) lemmas: Lemmas,
    pub(super) bits: u32,
    /// By what scores of arcs are divided before they are exponents.
    pub(super) temperature: f32,
    /// The same for scores of labels.
    pub(super) label_temperature: f32,
}

impl Mst {
    /// The order of its scores.
    pub fn order(&self) -> Order {
        self.form.order
    }

    /// The trees it makes.
    pub fn structure(&self) -> Structure {
        self.form.structure
    }

    /// The labels of arcs. In a model that puts lifted arcs back, some have marks; parses have none of these.
    pub fn labels(&self) -> &Vocab<LabelId> {
        &self.labels
    }

    /// The same model with another choice of arcs to consider: fewer are faster, more are more accurate.
    pub fn with_pruning(mut self, pruning: PruningConfig) -> Self {
        self.form.pruning = pruning;
        self
    }

    /// The clusters that are among its features.
    pub fn clusters(&self) -> Option<&ClusterPaths> {
        self.clusters.as_ref()
    }

    pub(super) fn scoring(&self) -> Scoring<'_, Weights> {
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
