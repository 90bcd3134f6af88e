//! Training cases of a classifier: the features of each case, and its label.

use super::{Counters, Numbering, Rows};

/// Cases with their features, first by name, after [`number`](Self::number) by row of weights.
#[derive(Debug)]
pub struct Cases {
    labels: Vec<u16>,
    /// `starts[c]..starts[c + 1]` are the features of case `c`.
    starts: Vec<usize>,
    features: Vec<u32>,
    counters: Counters,
}

impl Default for Cases {
    fn default() -> Self {
        Self { labels: Vec::new(), starts: vec![0], features: Vec::new(), counters: Counters::new() }
    }
}

impl Cases {
    /// Adds a case; `emit` calls its argument with the names of the features.
    pub fn push(&mut self, label: u16, emit: impl FnOnce(&mut dyn FnMut(u32))) {
        let Self { features, counters, .. } = self;
        emit(&mut |name| {
            features.push(name);
            counters.add(name);
        });
        self.starts.push(self.features.len());
        self.labels.push(label);
    }

    /// Number of cases.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no cases.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The label of a case.
    pub fn label(&self, case: usize) -> u16 {
        self.labels[case]
    }

    /// The features of a case.
    pub fn features(&self, case: usize) -> &[u32] {
        &self.features[self.starts[case]..self.starts[case + 1]]
    }

    /// Replaces the names of features by the rows of their weights, without features seen fewer than `least` times.
    /// `labels` is the number of labels. Also returns the names of features with their rows.
    pub fn number(&mut self, least: u32, labels: usize) -> (Rows, Vec<(u32, u32)>) {
        let mut numbering = Numbering::new(std::mem::take(&mut self.counters), least);
        self.rewrite(|name, label| numbering.number(name, None, u32::from(label)));
        let numbered = numbering.finish();
        self.rewrite(|number, _| numbered.numbers[number as usize]);
        let pairs: Vec<(u32, u16)> =
            numbered.pairs.iter().map(|&(feature, label)| (feature, label as u16)).collect();
        let (rows, row_of) = Rows::new(&pairs, labels);
        self.features.iter_mut().for_each(|feature| *feature = row_of[*feature as usize]);
        (rows, numbered.names.into_iter().zip(row_of).collect())
    }

    fn rewrite(&mut self, mut new: impl FnMut(u32, u16) -> Option<u32>) {
        let (mut read, mut write) = (0, 0);
        for case in 0..self.labels.len() {
            let end = self.starts[case + 1];
            self.starts[case] = write;
            for at in read..end {
                if let Some(feature) = new(self.features[at], self.labels[case]) {
                    self.features[write] = feature;
                    write += 1;
                }
            }
            read = end;
        }
        let last = self.labels.len();
        self.starts[last] = write;
        self.features.truncate(write);
    }
}
