//! The weights, and what they make of a word in its sentence.

use super::features::{Sentence, Template};
use super::key_table::KeyTable;

/// θ of the [module](super), for one set of labels.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct ContextModel {
    /// The features, in order of their numbers.
    pub(super) names: Vec<u32>,
    /// `starts[f]..starts[f + 1]` are the entries of feature `f`.
    pub(super) starts: Vec<u32>,
    pub(super) labels: Vec<u16>,
    /// In steps of `step`.
    pub(super) weights: Vec<i8>,
    pub(super) step: f32,
    /// From names to numbers; derived.
    pub(super) index: KeyTable,
}

impl ContextModel {
    /// Whether nothing was learnt: all labels are equally good.
    pub(in super::super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Adds `Σ_f θ(f, y)` to `sums[y]` for each label `y`, in steps of [`step`](Self::step).
    pub(in super::super) fn add_scores(
        &self,
        sentence: Sentence<'_>,
        at: usize,
        template: Template,
        sums: &mut [i32],
    ) {
        sentence.features(at, template, |name| {
            if let Some(feature) = self.index.get(name) {
                let row = self.starts[feature] as usize..self.starts[feature + 1] as usize;
                for (&label, &weight) in self.labels[row.clone()].iter().zip(&self.weights[row]) {
                    sums[usize::from(label)] += i32::from(weight);
                }
            }
        });
    }

    /// What a weight of 1 means.
    pub(in super::super) fn step(&self) -> f64 {
        f64::from(self.step)
    }
}
