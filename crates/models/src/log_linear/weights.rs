//! The weights of a model.

use super::{KeyTable, Rows};

/// θ(f, y) for hashed features f and one set of labels y.
#[derive(Clone, Debug, Default)]
pub(crate) struct SparseWeights {
    /// The features, in order of their numbers.
    pub(crate) names: Vec<u32>,
    /// `starts[f]..starts[f + 1]` are the entries of feature `f`.
    pub(crate) starts: Vec<u32>,
    pub(crate) labels: Vec<u16>,
    /// In steps of `step`.
    pub(crate) weights: Vec<i8>,
    pub(crate) step: f32,
    /// From names to numbers; derived.
    pub(crate) index: KeyTable,
}

impl SparseWeights {
    /// Whether nothing was learnt: all labels are equally good.
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Rounds the mean weights of `passes` passes to eight bits, and leaves out what rounds to nothing. `named` are the features with their rows.
    pub(crate) fn round(named: impl Iterator<Item = (u32, u32)>, rows: &Rows, passes: usize) -> Self {
        let step = rows.largest_sum() / 127.0;
        let mean_step = step / passes.max(1) as f32;
        let mut model = Self { starts: vec![0], step: mean_step, ..Self::default() };
        for (name, row) in named {
            rows.each_sum(row, |label, sum| {
                let weight = (sum / step).round() as i8;
                if weight != 0 {
                    model.labels.push(label);
                    model.weights.push(weight);
                }
            });
            if model.labels.len() as u32 > *model.starts.last().unwrap_or(&0) {
                model.names.push(name);
                model.starts.push(model.labels.len() as u32);
            }
        }
        model.index = KeyTable::with_capacity(model.names.len());
        model.names.iter().for_each(|&name| {
            model.index.insert(name);
        });
        model
    }

    /// Adds the weights of the feature `name` to the sums of its labels, in steps of [`step`](Self::step).
    #[inline]
    pub(crate) fn add(&self, name: u32, sums: &mut [i32]) {
        if let Some(feature) = self.index.get(name) {
            let row = self.starts[feature] as usize..self.starts[feature + 1] as usize;
            for (&label, &weight) in self.labels[row.clone()].iter().zip(&self.weights[row]) {
                sums[usize::from(label)] += i32::from(weight);
            }
        }
    }

    /// What a weight of 1 means.
    pub(crate) fn step(&self) -> f64 {
        f64::from(self.step)
    }
}
