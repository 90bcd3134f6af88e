//! Scores of arcs from the numbers of their words.
//!
//! On x86-64 with AVX2 the same Rust code is compiled a second time with that feature enabled and selected at run time. Sums
//! are taken in the same order and nothing is fused, so both give the same bits.

use super::super::words::Views;
use super::layers::{Between, COMBINATIONS, DISTANCES, Layers, Role, Shape, between};
use models::network::kernels::{PANEL, add};

/// Weights for the scores of arcs.
#[derive(Clone, Debug)]
pub(super) struct ArcWeights {
    hidden: usize,
    /// A row for each class of distance.
    distances: Vec<f32>,
    /// A row for each combination of marks between two words.
    marks: Vec<f32>,
    /// From the hidden numbers of an arc to its score.
    last: Vec<f32>,
}

impl ArcWeights {
    pub(super) fn new(shape: Shape, layers: &Layers) -> Self {
        let hidden = shape.hidden;
        let mut marks = vec![0.0; COMBINATIONS * hidden];
        for (number, sum) in marks.chunks_exact_mut(hidden).enumerate() {
            let [_, rows @ ..] = Between::of_combination(number).arc_rows(hidden);
            rows.into_iter().for_each(|row| add(sum, &layers.between[row]));
        }
        let rows = layers.between.chunks_exact(2 * hidden).take(DISTANCES);
        let distances = rows.flat_map(|row| &row[..hidden]).copied().collect();
        Self { hidden, distances, marks, last: layers.arc.clone() }
    }

    /// Adds the scores of arcs from these heads to a word, given the numbers of all positions in all roles.
    pub(super) fn add(
        &self,
        views: &Views,
        modifier: usize,
        heads: &[u32],
        roles: &[f32],
        scores: &mut [f32],
    ) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the feature was detected.
            return unsafe { self.add_avx2(views, modifier, heads, roles, scores) };
        }
        self.add_portably(views, modifier, heads, roles, scores);
    }

    /// The same with AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn add_avx2(&self, views: &Views, modifier: usize, heads: &[u32], roles: &[f32], scores: &mut [f32]) {
        self.add_portably(views, modifier, heads, roles, scores);
    }

    #[inline(always)]
    fn add_portably(&self, views: &Views, modifier: usize, heads: &[u32], roles: &[f32], scores: &mut [f32]) {
        let hidden = self.hidden;
        let of_modifier = &roles[Role::Modifier.of(modifier, hidden)];
        for (&head, score) in heads.iter().zip(scores) {
            let head = head as usize;
            let between = between(views, head, modifier);
            let rows = [
                &roles[Role::Head.of(head, hidden)],
                of_modifier,
                &self.distances[between.distance() * hidden..][..hidden],
                &self.marks[between.combination() * hidden..][..hidden],
            ];
            *score += weighted(rows, &self.last[..hidden]);
        }
    }
}

/// The sum of what is positive of the rows' sums, times the weights.
#[inline(always)]
fn weighted(rows: [&[f32]; 4], weights: &[f32]) -> f32 {
    let mut sums = [0.0_f32; PANEL];
    let [(one, one_rest), (two, two_rest), (three, three_rest), (four, four_rest)] =
        rows.map(|row| row.as_chunks::<PANEL>());
    let (weights, weight_rest) = weights.as_chunks::<PANEL>();
    for ((one, two), ((three, four), weights)) in one.iter().zip(two).zip(three.iter().zip(four).zip(weights))
    {
        for at in 0..PANEL {
            sums[at] += ((one[at] + two[at]) + (three[at] + four[at])).max(0.0) * weights[at];
        }
    }
    for (at, weight) in weight_rest.iter().enumerate() {
        let sum = (one_rest[at] + two_rest[at]) + (three_rest[at] + four_rest[at]);
        sums[at] += sum.max(0.0) * weight;
    }
    let mut width = PANEL / 2;
    while width > 0 {
        for at in 0..width {
            sums[at] += sums[at + width];
        }
        width /= 2;
    }
    sums[0]
}

#[cfg(test)]
mod tests {
    use super::super::super::words::Lemmas;
    use super::super::layers::ROLES;
    use super::*;

    #[test]
    fn sums_are_those_of_positive_cells() {
        for hidden in [1, 10, 16, 40] {
            let row = |factor: usize| -> Vec<f32> {
                (0..hidden).map(|at| (at * factor % 17) as f32 - 8.0).collect()
            };
            let [one, two, three, four, weights] = [3, 5, 7, 11, 13].map(row);
            let expected: f32 =
                (0..hidden).map(|at| (one[at] + two[at] + three[at] + four[at]).max(0.0) * weights[at]).sum();
            assert_eq!(weighted([&one, &two, &three, &four], &weights), expected);
        }
    }

    #[test]
    fn scores_do_not_depend_on_the_processor() {
        let word = |form| crate::arcs::Word { form, upos: "VERB", xpos: "_", feats: "_", lemma: "_" };
        let mut views = Views::default();
        views.read(&["a", "b", "c", "d"].map(word), Lemmas::Ignore, None);
        for hidden in [10, 40] {
            let shape = Shape { embedded: 2, hidden, bits: 3, labels: 2 };
            let mut layers = Layers::zeros(shape);
            let numbers = |table: &mut Vec<f32>, factor: usize| {
                table
                    .iter_mut()
                    .zip(0..)
                    .for_each(|(cell, at)| *cell = (at * factor % 97) as f32 / 7.0 - 6.0);
            };
            numbers(&mut layers.between, 31);
            numbers(&mut layers.arc, 13);
            let mut roles = vec![0.0; 5 * ROLES * hidden];
            numbers(&mut roles, 17);
            let weights = ArcWeights::new(shape, &layers);
            let (mut scores, mut portable) = (vec![0.5; 4], vec![0.5; 4]);
            weights.add(&views, 2, &[0, 1, 3, 4], &roles, &mut scores);
            weights.add_portably(&views, 2, &[0, 1, 3, 4], &roles, &mut portable);
            assert_eq!(scores, portable);
            assert!(scores.iter().all(|&score| score != 0.5));
        }
    }

    #[test]
    fn combinations_of_marks_are_told_apart() {
        for number in 0..COMBINATIONS {
            assert_eq!(Between::of_combination(number).combination(), number);
        }
    }
}
