//! Word vectors as features.
//!
//! ```text
//! s(x, i, y) = σ Σ_p v(x_{i+p}) · θ(p, y)
//! ```
//!
//! `v` are vectors with standard deviation 1 ([`VectorTable`]), σ is their scale (Turian, Ratinov and Bengio 2010), `p`
//! the window positions. A word without a vector has the score 0. The scores are added to those of the other features,
//! and θ is learnt jointly.

use super::config::Template;
use super::features::PLACES;
use models::persist::{Container, ContainerWriter, LoadError, Storage};
use models::representations::VectorTable;

/// The row of a word without a vector.
pub(super) const NO_VECTOR: u32 = u32::MAX;

/// The window positions whose vectors are used, among the [`PLACES`].
pub(super) fn vector_places(template: Template) -> std::ops::Range<usize> {
    match template {
        Template::Tags => 1..PLACES - 1,
        Template::Entities => 0..PLACES,
    }
}

/// θ(p, y), one row per position and label.
#[derive(Clone, Debug)]
pub(super) struct VectorWeights {
    labels: usize,
    dimension: usize,
    values: Storage<f32>,
}

impl VectorWeights {
    /// σ v · θ(p, y).
    #[inline]
    pub(super) fn score(&self, place: usize, label: usize, vector: &[f32]) -> f32 {
        dot(&self.values[(place * self.labels + label) * self.dimension..][..self.dimension], vector)
    }

    pub(super) fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.tensor("vector_weights", &[PLACES, self.labels, self.dimension], &self.values[..]);
    }

    /// Reads the weights, if any. `labels` and `vectors` are what they must match.
    pub(super) fn load(
        container: &Container,
        labels: usize,
        vectors: Option<&VectorTable>,
    ) -> Result<Option<Self>, LoadError> {
        let Some(vectors) = vectors else { return Ok(None) };
        let dimension = vectors.dimension();
        let values = container.finite("vector_weights", &[PLACES, labels, dimension])?;
        Ok(Some(Self { labels, dimension, values }))
    }
}

/// θ during training.
#[derive(Debug)]
pub(super) struct VectorRows<'v> {
    vectors: &'v VectorTable,
    places: std::ops::Range<usize>,
    labels: usize,
    scale: f32,
    weights: Vec<f32>,
    /// h of AdaGrad.
    squares: Vec<f32>,
    /// Sums of the weights after the passes that count.
    sums: Vec<f32>,
}

impl<'v> VectorRows<'v> {
    pub(super) fn new(vectors: &'v VectorTable, template: Template, labels: usize, scale: f32) -> Self {
        let numbers = vec![0.0; PLACES * labels * vectors.dimension()];
        Self {
            vectors,
            places: vector_places(template),
            labels,
            scale,
            weights: numbers.clone(),
            squares: numbers.clone(),
            sums: numbers,
        }
    }

    /// The index range of θ(p, y).
    fn row(&self, place: usize, label: usize) -> std::ops::Range<usize> {
        let dimension = self.vectors.dimension();
        let start = (place * self.labels + label) * dimension;
        start..start + dimension
    }

    /// The vectors around the word at `at` with their positions; `rows` are those of the sentence.
    fn around(&self, rows: &[u32], at: usize) -> impl Iterator<Item = (usize, &'v [f32])> + use<'v> {
        let vectors = self.vectors;
        let near: [Option<u32>; PLACES] = std::array::from_fn(|place| {
            (at + place).checked_sub(PLACES / 2).and_then(|at| rows.get(at)).copied()
        });
        self.places.clone().filter_map(move |place| {
            let row = near[place].filter(|&row| row != NO_VECTOR)?;
            Some((place, vectors.row(row)))
        })
    }

    /// Adds the scores of some labels.
    pub(super) fn add_scores(
        &self,
        rows: &[u32],
        at: usize,
        labels: impl Iterator<Item = u16> + Clone,
        scores: &mut [f32],
    ) {
        for (place, vector) in self.around(rows, at) {
            for label in labels.clone().map(usize::from) {
                scores[label] += self.scale * dot(&self.weights[self.row(place, label)], vector);
            }
        }
    }

    /// Updates the weights by the gradients of some labels.
    pub(super) fn descend(
        &mut self,
        rows: &[u32],
        at: usize,
        active: &[(u16, f32)],
        rate: f32,
        damping: f32,
    ) {
        for (place, vector) in self.around(rows, at) {
            for &(label, slope) in active {
                let row = self.row(place, usize::from(label));
                let slope = slope * self.scale;
                let weights = self.weights[row.clone()].iter_mut().zip(&mut self.squares[row]);
                for ((weight, squares), &value) in weights.zip(vector) {
                    let slope = slope * value;
                    *squares += slope * slope;
                    *weight -= rate * slope / (*squares + damping).sqrt();
                }
            }
        }
    }

    /// Adds the current weights to the sums.
    pub(super) fn sum(&mut self) {
        self.sums.iter_mut().zip(&self.weights).for_each(|(sum, weight)| *sum += weight);
    }

    /// The means of the weights, times the scale of the vectors.
    pub(super) fn mean(self, passes: usize) -> VectorWeights {
        let factor = self.scale / passes.max(1) as f32;
        let values: Vec<f32> = self.sums.iter().map(|sum| sum * factor).collect();
        VectorWeights {
            labels: self.labels,
            dimension: self.vectors.dimension(),
            values: Storage::from(values),
        }
    }
}

/// Eight partial sums, which processors compute in parallel.
#[inline]
fn dot(one: &[f32], other: &[f32]) -> f32 {
    const LANES: usize = 8;
    let (ones, others) = (one.chunks_exact(LANES), other.chunks_exact(LANES));
    let rest: f32 = ones.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; LANES];
    for (one, other) in ones.zip(others) {
        for lane in 0..LANES {
            sums[lane] += one[lane] * other[lane];
        }
    }
    rest + sums.iter().sum::<f32>()
}

#[cfg(test)]
mod tests {
    use corpus::format::word_vectors::WordVectors;

    use super::*;

    /// A step must follow the gradient: the finite difference of the loss −log softmax at the gold label, in all
    /// weights it touches.
    #[test]
    fn steps_go_down_the_slope_of_the_loss() {
        let words: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        let numbers: Vec<f32> = (0..33).map(|n| ((n * 7 % 11) as f32 - 4.5) / 3.0).collect();
        let table = VectorTable::new(&WordVectors::new(words, 11, numbers).unwrap()).unwrap();
        let (labels, gold, rows) = (3_u16, 1, [0, NO_VECTOR, 2, 1]);
        let mut learning = VectorRows::new(&table, Template::Entities, usize::from(labels), 0.5);
        learning.weights.iter_mut().enumerate().for_each(|(n, weight)| *weight = (n * 13 % 17) as f32 / 40.0);
        let loss = |learning: &VectorRows<'_>| {
            let mut scores = vec![0.0; usize::from(labels)];
            learning.add_scores(&rows, 2, 0..labels, &mut scores);
            let total: f32 = scores.iter().map(|score| score.exp()).sum();
            let shares: Vec<f32> = scores.iter().map(|score| score.exp() / total).collect();
            (-shares[gold].ln(), shares)
        };
        let (_, shares) = loss(&learning);
        let active: Vec<(u16, f32)> = (0..labels)
            .map(|y| (y, shares[usize::from(y)] - f32::from(u8::from(usize::from(y) == gold))))
            .collect();
        let before = learning.weights.clone();
        // With a large damping the step is the gradient itself.
        learning.descend(&rows, 2, &active, 1e3, 1e6);
        let steps: Vec<f32> = learning.weights.iter().zip(&before).map(|(new, old)| old - new).collect();
        assert_eq!(steps.iter().filter(|step| **step != 0.0).count(), 3 * 3 * 11, "three words have vectors");
        learning.weights = before;
        for cell in (0..steps.len()).step_by(5) {
            let mut moved = |by: f32| {
                learning.weights[cell] += by;
                let loss = loss(&learning).0;
                learning.weights[cell] -= by;
                loss
            };
            let slope = (moved(0.01) - moved(-0.01)) / 0.02;
            assert!((slope - steps[cell]).abs() < 2e-3, "cell {cell}: {slope} against {}", steps[cell]);
        }
    }

    #[test]
    fn tags_look_at_three_words_and_means_keep_the_scale() {
        let words = vec!["a".to_owned(), "b".to_owned()];
        let table = VectorTable::new(&WordVectors::new(words, 1, vec![1.0, -1.0]).unwrap()).unwrap();
        let mut learning = VectorRows::new(&table, Template::Tags, 1, 0.25);
        learning.weights.copy_from_slice(&[100.0, 1.0, 2.0, 4.0, 100.0]);
        let mut scores = [0.0];
        learning.add_scores(&[0, 0, 0, 1, 1], 2, 0..1, &mut scores);
        assert_eq!(scores, [0.25 * (1.0 + 2.0 - 4.0)]);
        learning.sum();
        learning.sum();
        assert_eq!(learning.mean(2).score(2, 0, &[3.0]), 1.5);
    }
}
