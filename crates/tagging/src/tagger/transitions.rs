//! τ(y', y): the weights of label transitions.

/// Weight of a forbidden transition: its exponential is 0, yet sums stay finite.
pub(super) const FORBIDDEN: f32 = -1e4;

/// The scores of pairs of neighbouring labels: sums over factors, each a table of the labels' values.
pub(super) trait Steps {
    /// The number of factors.
    fn factors(&self) -> usize;

    /// The value of a label for a factor; `None` is an end of the sentence.
    fn value(&self, factor: usize, label: Option<u16>) -> u16;

    /// τ of a factor from this value to all others.
    fn row(&self, factor: usize, value: u16) -> &[f32];
}

impl Steps for Transitions {
    fn factors(&self) -> usize {
        1
    }

    #[inline]
    fn value(&self, _factor: usize, label: Option<u16>) -> u16 {
        label.unwrap_or(self.labels as u16)
    }

    #[inline]
    fn row(&self, _factor: usize, value: u16) -> &[f32] {
        self.row_of(value)
    }
}

/// The transitions between the values of one factor. The index after the last label is both ends of a sentence.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Transitions {
    labels: usize,
    /// `(labels + 1)²`, row-major: from the label of the row to that of the column.
    weights: Vec<f32>,
}

impl Transitions {
    pub(super) fn new(labels: usize) -> Self {
        let cells = (labels + 1) * (labels + 1);
        Self { labels, weights: vec![0.0; cells] }
    }

    /// Builds transitions from row-major weights; `None` if their number is wrong or one is not a number.
    pub(super) fn from_weights(labels: usize, weights: Vec<f32>) -> Option<Self> {
        let sound =
            weights.len() == (labels + 1) * (labels + 1) && weights.iter().all(|weight| weight.is_finite());
        sound.then_some(Self { labels, weights })
    }

    pub(super) fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The weights from a value to all others.
    #[inline]
    pub(super) fn row_of(&self, value: u16) -> &[f32] {
        &self.weights[usize::from(value) * (self.labels + 1)..][..=self.labels]
    }

    /// The index of the end of a sentence in a row.
    pub(super) fn end(&self) -> usize {
        self.labels
    }

    #[inline]
    pub(super) fn cell(&self, from: Option<u16>, to: Option<u16>) -> usize {
        let number = |label: Option<u16>| label.map_or(self.labels, usize::from);
        number(from) * (self.labels + 1) + number(to)
    }

    /// Sets a weight.
    pub(super) fn set(&mut self, cell: usize, weight: f32) {
        self.weights[cell] = weight;
    }

    /// Changes all weights, given the indices of their labels; the end has the index after the last label.
    pub(super) fn change(&mut self, mut change: impl FnMut(usize, usize, &mut f32)) {
        for (cell, weight) in self.weights.iter_mut().enumerate() {
            change(cell / (self.labels + 1), cell % (self.labels + 1), weight);
        }
    }
}
