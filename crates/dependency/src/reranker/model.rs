//! The re-ranking model.

use super::features::{BUCKETS, Features, REAL, features_of};
use super::{FeatureSet, NBest};
use crate::deptree::{self, Deptree};

/// Chooses among trees.
#[derive(Clone, Debug)]
pub struct Reranker {
    pub(super) set: FeatureSet,
    pub(super) deptree: Option<Deptree>,
    pub(super) weights: Weights,
}

/// The weights of all features.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Weights {
    /// Divisors of the real-valued features.
    pub(super) spread: [f64; REAL],
    pub(super) real: [f64; REAL],
    pub(super) sparse: Vec<f64>,
}

/// Scratch memory for one list.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    deptree: deptree::Scratch,
}

impl Weights {
    pub(super) fn zero(spread: [f64; REAL]) -> Self {
        Self { spread, real: [0.0; REAL], sparse: vec![0.0; BUCKETS] }
    }

    pub(super) fn score(&self, features: &Features) -> f64 {
        let real = (0..REAL).map(|i| self.real[i] * features.real[i] / self.spread[i]).sum::<f64>();
        let sparse = features.sparse.iter().map(|&at| self.sparse[at as usize]).sum::<f64>();
        real + sparse
    }

    /// The tree with the largest score; ties go to the first.
    pub(super) fn best(&self, trees: &[Features]) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (index, features) in trees.iter().enumerate() {
            let score = self.score(features);
            if score > best.1 {
                best = (index, score);
            }
        }
        best.0
    }
}

impl Reranker {
    /// The scores of all trees of a list; the largest is chosen.
    pub fn scores(&self, list: &NBest, scratch: &mut Scratch) -> Vec<f64> {
        let features = features_of(list, self.set, self.deptree.as_ref(), &mut scratch.deptree);
        features.iter().map(|features| self.weights.score(features)).collect()
    }

    /// The index of the chosen tree; ties go to the first.
    pub fn choose(&self, list: &NBest, scratch: &mut Scratch) -> usize {
        let features = features_of(list, self.set, self.deptree.as_ref(), &mut scratch.deptree);
        self.weights.best(&features)
    }

    /// The features used.
    pub fn feature_set(&self) -> FeatureSet {
        self.set
    }

    /// The weights of the parser's score, of `log p̂` and of a negative sign, each per standard deviation within lists.
    pub fn real_weights(&self) -> [f64; REAL] {
        self.weights.real
    }
}
