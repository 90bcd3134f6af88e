//! The best projective tree by scores of arcs, in time O(N³).
//!
//! Half-constituents grow outwards from their head (J. Eisner, Three new probabilistic models for dependency parsing,
//! COLING 1996). With `C` complete and `I` incomplete half-constituents, for words `i < j`:
//!
//! ```text
//! I(i→j) = s(i, j) + max_k C(i→k) + C(k+1←j)        I(i←j) = s(j, i) + the same maximum
//! C(i→j) = max_k I(i→k) + C(k→j)                    C(i←j) = max_k C(i←k) + I(k←j)
//! ```
//!
//! Words are 1…N here, 0 is the artificial root. With [`RootRule::Single`] the root is attached only at the end, `max_r
//! s(0, r) + C(1←r) + C(r→N)`, so a second root is impossible, not just unlikely.

use corpus::dependency::{Head, RootRule};

use super::ArcScores;

/// Scratch memory of the search, reused between sentences.
///
/// A table is stored by row (`i`, then `j`) or by column (`j`, then `i`), depending on how the sums over `k` run, and
/// twice where both happen.
#[derive(Clone, Default, Debug)]
pub struct Eisner {
    width: usize,
    right_by_row: Vec<f32>,
    right_by_column: Vec<f32>,
    left_by_row: Vec<f32>,
    left_by_column: Vec<f32>,
    open_right_by_row: Vec<f32>,
    open_left_by_column: Vec<f32>,
    /// The maximising `k`, by row: of `I`, of `C(i→j)`, of `C(i←j)`.
    open_split: Vec<u32>,
    right_split: Vec<u32>,
    left_split: Vec<u32>,
    agenda: Vec<(Part, usize, usize)>,
}

#[derive(Clone, Copy, Debug)]
enum Part {
    Right,
    Left,
    OpenRight,
    OpenLeft,
}

/// The best projective tree, or `None` if there are no words or no tree has a finite score.
///
/// ```
/// use corpus::dependency::RootRule;
/// use eigentree_dependency::arcs::{ArcScores, best_projective};
/// // "dogs bark": the root takes bark, bark takes dogs.
/// let mut scores = ArcScores::new(2);
/// scores.set(0, 1, 1.0);
/// scores.set(2, 0, 1.0);
/// scores.set(0, 0, 0.5);
/// scores.set(1, 1, 0.5);
/// let heads = best_projective(&scores, RootRule::Single).unwrap();
/// assert_eq!(heads.iter().map(|head| head.number()).collect::<Vec<_>>(), [2, 0]);
/// ```
pub fn best_projective(scores: &ArcScores, roots: RootRule) -> Option<Vec<Head>> {
    let mut heads = Vec::new();
    Eisner::default().decode(scores, roots, &mut heads).map(|_| heads)
}

impl Eisner {
    /// Writes the heads of the best tree to `heads` and returns its score. Returns `None` with empty `heads` if no tree
    /// has a finite score.
    pub fn decode(&mut self, scores: &ArcScores, roots: RootRule, heads: &mut Vec<Head>) -> Option<f64> {
        heads.clear();
        let words = scores.words();
        if words == 0 {
            return None;
        }
        self.reset(words + 1);
        // If the root may have several modifiers it is treated like a word; otherwise it is attached last.
        let first = match roots {
            RootRule::Any => 0,
            RootRule::Single => 1,
        };
        for length in 1..=words - first {
            for i in first..=words - length {
                self.join(scores, i, i + length);
            }
        }
        heads.resize(words, Head::ROOT);
        self.agenda.clear();
        let best = match roots {
            RootRule::Any => {
                self.agenda.push((Part::Right, 0, words));
                self.right_by_row[words]
            }
            RootRule::Single => {
                let (best, root) = self.best_root(scores);
                self.agenda.extend([(Part::Left, 1, root), (Part::Right, root, words)]);
                best
            }
        };
        if best == f32::NEG_INFINITY {
            heads.clear();
            return None;
        }
        self.read_off(heads);
        Some(scores.of_tree(heads))
    }

    fn reset(&mut self, width: usize) {
        self.width = width;
        for table in [
            &mut self.right_by_row,
            &mut self.right_by_column,
            &mut self.left_by_row,
            &mut self.left_by_column,
            &mut self.open_right_by_row,
            &mut self.open_left_by_column,
        ] {
            table.clear();
            table.resize(width * width, f32::NEG_INFINITY);
        }
        for table in [
            &mut self.right_by_row,
            &mut self.right_by_column,
            &mut self.left_by_row,
            &mut self.left_by_column,
        ] {
            table.iter_mut().step_by(width + 1).for_each(|cell| *cell = 0.0);
        }
        for table in [&mut self.open_split, &mut self.right_split, &mut self.left_split] {
            table.clear();
            table.resize(width * width, 0);
        }
    }

    /// The four half-constituents over `i…j`.
    fn join(&mut self, scores: &ArcScores, i: usize, j: usize) {
        let (row, column) = (i * self.width, j * self.width);
        let (open, k) =
            best_sum(&self.right_by_row[row + i..row + j], &self.left_by_column[column + i + 1..=column + j]);
        self.open_split[row + j] = (i + k) as u32;
        self.open_right_by_row[row + j] = open + scores.get(i, j - 1);
        if i > 0 {
            self.open_left_by_column[column + i] = open + scores.get(j, i - 1);
        }

        let (right, k) = best_sum(
            &self.open_right_by_row[row + i + 1..=row + j],
            &self.right_by_column[column + i + 1..=column + j],
        );
        self.right_split[row + j] = (i + 1 + k) as u32;
        self.right_by_row[row + j] = right;
        self.right_by_column[column + i] = right;

        let (left, k) =
            best_sum(&self.left_by_row[row + i..row + j], &self.open_left_by_column[column + i..column + j]);
        self.left_split[row + j] = (i + k) as u32;
        self.left_by_row[row + j] = left;
        self.left_by_column[column + i] = left;
    }

    /// The best word below the root, with the others below it.
    fn best_root(&self, scores: &ArcScores) -> (f32, usize) {
        let words = self.width - 1;
        let mut best = (f32::NEG_INFINITY, 1);
        for root in 1..=words {
            let sum = scores.get(0, root - 1)
                + self.left_by_row[self.width + root]
                + self.right_by_row[root * self.width + words];
            if sum > best.0 {
                best = (sum, root);
            }
        }
        best
    }

    /// Follows the back pointers from the items on the agenda, setting a head at every incomplete half-constituent.
    fn read_off(&mut self, heads: &mut [Head]) {
        let head = |number| Head::from_number(number).unwrap_or(Head::ROOT);
        while let Some((part, i, j)) = self.agenda.pop() {
            if i == j {
                continue;
            }
            let cell = i * self.width + j;
            match part {
                Part::Right => {
                    let k = self.right_split[cell] as usize;
                    self.agenda.extend([(Part::OpenRight, i, k), (Part::Right, k, j)]);
                }
                Part::Left => {
                    let k = self.left_split[cell] as usize;
                    self.agenda.extend([(Part::Left, i, k), (Part::OpenLeft, k, j)]);
                }
                Part::OpenRight | Part::OpenLeft => {
                    match part {
                        Part::OpenRight => heads[j - 1] = head(i),
                        _ => heads[i - 1] = head(j),
                    }
                    let k = self.open_split[cell] as usize;
                    self.agenda.extend([(Part::Right, i, k), (Part::Left, k + 1, j)]);
                }
            }
        }
    }
}

/// The largest sum of two values at the same index, and the first such index.
#[inline]
fn best_sum(left: &[f32], right: &[f32]) -> (f32, usize) {
    let mut best = (f32::NEG_INFINITY, 0);
    for (place, (l, r)) in left.iter().zip(right).enumerate() {
        let sum = l + r;
        if sum > best.0 {
            best = (sum, place);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::arcs::enumerate::{Crossing, all_trees};
    use crate::arcs::random_case::random_scores;

    #[test]
    fn finds_the_best_of_all_projective_trees() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut eisner = Eisner::default();
        let mut heads = Vec::new();
        for roots in [RootRule::Single, RootRule::Any] {
            for words in 1..=6 {
                let trees = all_trees(words, roots, Crossing::Forbidden);
                for _ in 0..20 {
                    let scores = random_scores(words, &mut rng);
                    let best = trees.iter().map(|heads| scores.of_tree(heads)).fold(f64::MIN, f64::max);
                    let found = eisner.decode(&scores, roots, &mut heads).unwrap();
                    assert!((found - best).abs() < 1e-4, "{words} words, {roots:?}: {found} for {best}");
                    assert!(trees.contains(&heads));
                }
            }
        }
    }

    #[test]
    fn has_no_tree_without_words_or_without_arcs() {
        assert_eq!(best_projective(&ArcScores::new(0), RootRule::Single), None);
        assert_eq!(best_projective(&ArcScores::new(3), RootRule::Any), None);
        assert_eq!(best_projective(&ArcScores::new(3), RootRule::Single), None);
    }
}
