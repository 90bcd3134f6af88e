//! Marginals of arcs, where a tree has probability `exp(Σ s(h, m) / T) / Z`.
//!
//! For projective trees: inside–outside on the forest of all of them. For all trees: the matrix-tree theorem for trees
//! with one word below the root (T. Koo, A. Globerson, X. Carreras and M. Collins, Structured prediction models via the
//! matrix-tree theorem, EMNLP 2007). With `A(h, m) = exp s(h, m)` and `r(m) = exp s(0, m)`, the Laplacian `L` has `Σ_h
//! A(h, m)` on its diagonal, `−A(h, m)` off it, and its first row replaced by `r`; then
//!
//! ```text
//! Z = det L      μ(0, m) = r(m) L⁻¹(m, 1)
//! μ(h, m) = [m ≠ 1] A(h, m) L⁻¹(m, m) − [h ≠ 1] A(h, m) L⁻¹(m, h)
//! ```

use super::ArcScores;
use super::forest::Forest;
use super::projective_forest::ProjectiveForest;

/// Posteriors of arcs and log Z over projective trees with one root; `None` if there is no such tree.
pub fn projective_marginals(scores: &ArcScores, temperature: f32) -> Option<(ArcScores, f64)> {
    let mut forest = Forest::default();
    let goal = ProjectiveForest::default().build(scores, &mut forest)?;
    Some(forest.marginals(goal, scores.words(), temperature))
}

/// Posteriors of arcs and log Z over all trees with one root; `None` if there is no such tree or the determinant is
/// numerically zero.
pub fn tree_marginals(scores: &ArcScores, temperature: f32) -> Option<(ArcScores, f64)> {
    let words = scores.words();
    let temperature = f64::from(temperature);
    // Scaling all arcs into a word only scales Z.
    let shifts: Vec<f64> = (0..words)
        .map(|modifier| {
            let heads = (0..=words).filter(|&head| head != modifier + 1);
            heads.map(|head| f64::from(scores.get(head, modifier))).fold(f64::NEG_INFINITY, f64::max)
        })
        .collect();
    if words == 0 || shifts.contains(&f64::NEG_INFINITY) {
        return None;
    }
    let potential = |head: usize, modifier: usize| {
        if head == modifier + 1 {
            0.0
        } else {
            ((f64::from(scores.get(head, modifier)) - shifts[modifier]) / temperature).exp()
        }
    };
    let mut laplacian = vec![0.0; words * words];
    for modifier in 0..words {
        for head in 0..words {
            let arc = potential(head + 1, modifier);
            laplacian[head * words + modifier] -= arc;
            laplacian[modifier * words + modifier] += arc;
        }
    }
    for (modifier, cell) in laplacian[..words].iter_mut().enumerate() {
        *cell = potential(0, modifier);
    }
    let (inverse, log_determinant) = invert(laplacian, words)?;
    let mut posteriors = ArcScores::new(words);
    for modifier in 0..words {
        let at = |row: usize, column: usize| inverse[row * words + column];
        posteriors.set(0, modifier, probability(potential(0, modifier) * at(modifier, 0)));
        for head in (0..words).filter(|&head| head != modifier) {
            let into = if modifier == 0 { 0.0 } else { at(modifier, modifier) };
            let out = if head == 0 { 0.0 } else { at(modifier, head) };
            posteriors.set(head + 1, modifier, probability(potential(head + 1, modifier) * (into - out)));
        }
        posteriors.set(modifier + 1, modifier, 0.0);
    }
    Some((posteriors, log_determinant + shifts.iter().sum::<f64>() / temperature))
}

fn probability(value: f64) -> f32 {
    value.clamp(0.0, 1.0) as f32
}

/// The inverse and the logarithm of the determinant, by Gaussian elimination with row pivots; `None` unless the
/// determinant is positive.
fn invert(mut matrix: Vec<f64>, size: usize) -> Option<(Vec<f64>, f64)> {
    let mut inverse = vec![0.0; size * size];
    inverse.iter_mut().step_by(size + 1).for_each(|cell| *cell = 1.0);
    let (mut log_determinant, mut sign) = (0.0, 1.0);
    for column in 0..size {
        let largest = |one: &usize, other: &usize| {
            matrix[one * size + column].abs().total_cmp(&matrix[other * size + column].abs())
        };
        let pivot_row = (column..size).max_by(largest)?;
        if pivot_row != column {
            for at in 0..size {
                matrix.swap(pivot_row * size + at, column * size + at);
                inverse.swap(pivot_row * size + at, column * size + at);
            }
            sign = -sign;
        }
        let pivot = matrix[column * size + column];
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
        }
        log_determinant += pivot.abs().ln();
        sign *= pivot.signum();
        for at in 0..size {
            matrix[column * size + at] /= pivot;
            inverse[column * size + at] /= pivot;
        }
        for row in (0..size).filter(|&row| row != column) {
            let factor = matrix[row * size + column];
            if factor != 0.0 {
                for at in 0..size {
                    matrix[row * size + at] -= factor * matrix[column * size + at];
                    inverse[row * size + at] -= factor * inverse[column * size + at];
                }
            }
        }
    }
    (sign > 0.0).then_some((inverse, log_determinant))
}

#[cfg(test)]
mod tests {
    use corpus::dependency::{Head, RootRule};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::arcs::enumerate::{Crossing, all_trees};
    use crate::arcs::random_case::random_scores;

    type Inference = fn(&ArcScores, f32) -> Option<(ArcScores, f64)>;
    const BOTH: [(Inference, Crossing); 2] =
        [(projective_marginals, Crossing::Forbidden), (tree_marginals, Crossing::Allowed)];

    #[test]
    fn posteriors_are_sums_over_all_trees() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        for (inference, crossing) in BOTH {
            for words in 1..=6 {
                let trees = all_trees(words, RootRule::Single, crossing);
                let scores = random_scores(words, &mut rng);
                let temperature = 1.5_f32;
                let weigh = |tree: &Vec<Head>| (scores.of_tree(tree) / f64::from(temperature)).exp();
                let total: f64 = trees.iter().map(weigh).sum();
                let (posteriors, log_partition) = inference(&scores, temperature).unwrap();
                assert!((log_partition - total.ln()).abs() < 1e-4, "{log_partition} for {}", total.ln());
                for head in 0..=words {
                    for modifier in 0..words {
                        let with = trees.iter().filter(|tree| tree[modifier].number() == head);
                        let expected = with.map(weigh).sum::<f64>() / total;
                        let found = f64::from(posteriors.get(head, modifier));
                        assert!(
                            (found - expected).abs() < 1e-4,
                            "{head} to {modifier}: {found} for {expected}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn posteriors_are_derivatives_of_log_z() {
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        for (inference, _) in BOTH {
            // Too long to enumerate.
            let words = 14;
            let mut scores = random_scores(words, &mut rng);
            let (posteriors, _) = inference(&scores, 1.0).unwrap();
            for _ in 0..30 {
                let (head, modifier) = (rng.random_range(0..=words), rng.random_range(0..words));
                if head == modifier + 1 {
                    continue;
                }
                let step = 0.01_f32;
                let score = scores.get(head, modifier);
                let mut log_partition = |by: f32| {
                    scores.set(head, modifier, score + by);
                    inference(&scores, 1.0).unwrap().1
                };
                let slope = (log_partition(step) - log_partition(-step)) / f64::from(2.0 * step);
                log_partition(0.0);
                let found = f64::from(posteriors.get(head, modifier));
                assert!((found - slope).abs() < 1e-3, "{found} for {slope}");
            }
        }
    }

    #[test]
    fn without_trees_there_is_nothing() {
        for (inference, _) in BOTH {
            assert!(inference(&ArcScores::new(0), 1.0).is_none());
            assert!(inference(&ArcScores::new(3), 1.0).is_none());
        }
    }
}
