//! Weights of a finished model.

use super::{KeyTable, Rows};

/// θ(f, y) for hashed features f and one set of labels y.
#[derive(Clone, Debug, Default)]
pub struct SparseWeights {
    /// Names of the features, by number.
    pub names: Vec<u32>,
    /// `starts[f]..starts[f + 1]` are the entries of feature `f`.
    pub starts: Vec<u32>,
    /// Weights, feature by feature.
    pub entries: Vec<Entry>,
    /// Value of a weight of 1.
    pub step: f32,
    /// Maps names to numbers; derived from `names`.
    pub index: KeyTable,
}

/// θ(f, y) of one label y. Label and weight are stored together because they are always read together, in random order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The label.
    pub label: u16,
    /// Weight in units of [`step`](SparseWeights::step).
    pub weight: i8,
}

/// Reusable buffers for looking up features.
#[derive(Clone, Debug, Default)]
pub struct Lookup {
    /// Features to look up.
    pub names: Vec<u32>,
    rows: Vec<(u32, u32)>,
}

impl SparseWeights {
    /// Whether there are no weights: all labels score the same.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Rounds the mean weights of `passes` passes to eight bits and drops those that round to zero. `named` gives
    /// features and their rows.
    pub fn round(named: impl Iterator<Item = (u32, u32)>, rows: &Rows, passes: usize) -> Self {
        let step = rows.largest_sum() / 127.0;
        let mean_step = step / passes.max(1) as f32;
        let mut model = Self { starts: vec![0], step: mean_step, ..Self::default() };
        for (name, row) in named {
            rows.each_sum(row, |label, sum| {
                let weight = (sum / step).round() as i8;
                if weight != 0 {
                    model.entries.push(Entry { label, weight });
                }
            });
            if model.entries.len() as u32 > *model.starts.last().unwrap_or(&0) {
                model.names.push(name);
                model.starts.push(model.entries.len() as u32);
            }
        }
        model.index = KeyTable::with_capacity(model.names.len());
        model.names.iter().for_each(|&name| {
            model.index.insert(name);
        });
        model
    }

    /// Adds the weights of the feature `name` to the sums of its labels, in units of [`step`](Self::step).
    #[inline]
    pub fn add(&self, name: u32, sums: &mut [i32]) {
        if let Some(feature) = self.index.get(name) {
            self.add_row(self.starts[feature], self.starts[feature + 1], sums);
        }
    }

    /// Adds the weights of all features in `lookup`.
    ///
    /// Memory latency dominates. Therefore the lookups are batched: first the numbers of all features, then their rows.
    pub fn add_all(&self, lookup: &mut Lookup, sums: &mut [i32]) {
        let Lookup { names, rows } = lookup;
        rows.clear();
        rows.extend(names.iter().filter_map(|&name| self.index.get(name)).map(|feature| (feature as u32, 0)));
        for row in rows.iter_mut() {
            *row = (self.starts[row.0 as usize], self.starts[row.0 as usize + 1]);
        }
        rows.iter().for_each(|&(start, end)| self.add_row(start, end, sums));
    }

    #[inline]
    fn add_row(&self, start: u32, end: u32, sums: &mut [i32]) {
        for entry in &self.entries[start as usize..end as usize] {
            sums[usize::from(entry.label)] += i32::from(entry.weight);
        }
    }

    /// Value of a weight of 1.
    pub fn step(&self) -> f64 {
        f64::from(self.step)
    }
}
