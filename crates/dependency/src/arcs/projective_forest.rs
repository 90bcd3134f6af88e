//! All projective trees of a sentence by scores of arcs, as a forest, for the k best trees and posteriors.
//!
//! The items are those of [`eisner`](super::eisner): complete and incomplete half-constituents; each tree is built in
//! one way. For the best tree alone that module is much faster.

use super::ArcScores;
use super::forest::{Forest, Keep, NodeId};

/// Scratch memory of the search, reused between sentences.
#[derive(Clone, Default, Debug)]
pub struct ProjectiveForest {
    /// `C(i→j)` by `i` then `j` for `i < j`, `C(j←i)` below the diagonal; on the diagonal items without modifiers.
    complete: Vec<Option<NodeId>>,
    open: Vec<Option<NodeId>>,
}

impl ProjectiveForest {
    /// Adds all projective trees with one root to the forest, which is cleared first; `None` if there is no tree. Arcs
    /// with score −∞ are excluded.
    pub fn build(&mut self, scores: &ArcScores, forest: &mut Forest) -> Option<NodeId> {
        forest.restart(Keep::All);
        let words = scores.words();
        let width = words + 1;
        self.complete.clear();
        self.complete.resize(width * width, None);
        self.open.clear();
        self.open.resize(width * width, None);
        for word in 1..=words {
            forest.edge([None; 2], 0.0, None);
            self.complete[word * width + word] = forest.close();
        }
        for length in 1..words {
            for i in 1..=words - length {
                let j = i + length;
                for (head, modifier) in [(i, j), (j, i)] {
                    let score = scores.get(head, modifier - 1);
                    if score == f32::NEG_INFINITY {
                        continue;
                    }
                    for k in i..j {
                        let left = self.complete[i * width + k];
                        let right = self.complete[j * width + k + 1];
                        if left.is_some() && right.is_some() {
                            forest.edge([left, right], score, Some((head, modifier)));
                        }
                    }
                    self.open[head * width + modifier] = forest.close();
                }
                for (head, end) in [(i, j), (j, i)] {
                    for modifier in i..=j {
                        let near = self.open[head * width + modifier];
                        let far = self.complete[modifier * width + end];
                        if modifier != head && near.is_some() && far.is_some() {
                            forest.edge([near, far], 0.0, None);
                        }
                    }
                    self.complete[head * width + end] = forest.close();
                }
            }
        }
        for root in 1..=words {
            let (left, right) = (self.complete[root * width + 1], self.complete[root * width + words]);
            if left.is_some() && right.is_some() {
                forest.edge([left, right], scores.get(0, root - 1), Some((0, root)));
            }
        }
        forest.close()
    }
}

#[cfg(test)]
mod tests {
    use corpus::dependency::RootRule;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::arcs::enumerate::{Crossing, all_trees};
    use crate::arcs::random_case::random_scores;

    #[test]
    fn the_k_best_are_those_of_all_projective_trees() {
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let (mut search, mut forest) = (ProjectiveForest::default(), Forest::default());
        for words in 1..=6 {
            let trees = all_trees(words, RootRule::Single, Crossing::Forbidden);
            for _ in 0..5 {
                let scores = random_scores(words, &mut rng);
                let mut expected: Vec<f64> = trees.iter().map(|heads| scores.of_tree(heads)).collect();
                expected.sort_by(|one, other| other.total_cmp(one));
                let goal = search.build(&scores, &mut forest).unwrap();
                let found = forest.k_best(goal, words, 50);
                assert_eq!(found.len(), expected.len().min(50));
                for ((heads, score), expected) in found.iter().zip(&expected) {
                    assert!((score - expected).abs() < 1e-4);
                    assert!((scores.of_tree(heads) - expected).abs() < 1e-4);
                }
            }
        }
    }
}
