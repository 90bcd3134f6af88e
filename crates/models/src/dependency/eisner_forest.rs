//! All projective trees by scores of arcs, as a [`Forest`]: for the k best of them, where [`Eisner`](super::Eisner) finds the best alone.
//!
//! The equations are those of [`eisner`](super::eisner). Every tree has one derivation, so the k best derivations are different trees.

use super::{ArcScores, Forest, NodeId};

/// Fills the forest and returns its goal, of trees with one root; `None` if no tree has a finite score.
pub fn eisner_forest(scores: &ArcScores, forest: &mut Forest) -> Option<NodeId> {
    forest.clear();
    let words = scores.words();
    let place = |i: usize, j: usize| i * (words + 1) + j;
    let nothing: Vec<Option<NodeId>> = vec![None; (words + 1) * (words + 1)];
    let (mut right, mut left) = (nothing.clone(), nothing.clone());
    let (mut open_right, mut open_left) = (nothing.clone(), nothing);
    for i in 1..=words {
        for table in [&mut right, &mut left] {
            forest.edge([None, None], 0.0, None);
            table[place(i, i)] = forest.close();
        }
    }
    for length in 1..words {
        for i in 1..=words - length {
            let j = i + length;
            for (table, head, modifier) in [(&mut open_right, i, j), (&mut open_left, j, i)] {
                for k in i..j {
                    if let (Some(one), Some(two)) = (right[place(i, k)], left[place(k + 1, j)]) {
                        forest.edge(
                            [Some(one), Some(two)],
                            scores.get(head, modifier - 1),
                            Some((head, modifier)),
                        );
                    }
                }
                table[place(i, j)] = forest.close();
            }
            for k in i + 1..=j {
                if let (Some(one), Some(two)) = (open_right[place(i, k)], right[place(k, j)]) {
                    forest.edge([Some(one), Some(two)], 0.0, None);
                }
            }
            right[place(i, j)] = forest.close();
            for k in i..j {
                if let (Some(one), Some(two)) = (left[place(i, k)], open_left[place(k, j)]) {
                    forest.edge([Some(one), Some(two)], 0.0, None);
                }
            }
            left[place(i, j)] = forest.close();
        }
    }
    for root in 1..=words {
        if let (Some(one), Some(two)) = (left[place(1, root)], right[place(root, words)]) {
            forest.edge([Some(one), Some(two)], scores.get(0, root - 1), Some((0, root)));
        }
    }
    forest.close()
}

#[cfg(test)]
mod tests {
    use corpus::dependency::RootRule;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::dependency::enumerate::{Crossing, all_trees};

    #[test]
    fn the_k_best_are_those_of_all_projective_trees() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut forest = Forest::default();
        for words in 1..=5 {
            let mut scores = ArcScores::new(words);
            for head in 0..=words {
                for modifier in 0..words {
                    scores.set(head, modifier, rng.random_range(-3.0..3.0));
                }
            }
            let trees = all_trees(words, RootRule::Single, Crossing::Forbidden);
            let mut all: Vec<f64> = trees.iter().map(|heads| scores.of_tree(heads)).collect();
            all.sort_by(|a, b| b.total_cmp(a));
            let goal = eisner_forest(&scores, &mut forest).unwrap();
            let found = forest.k_best(goal, words, 10);
            assert_eq!(found.len(), all.len().min(10));
            for ((heads, score), best) in found.iter().zip(&all) {
                assert!((score - best).abs() < 1e-4 && (scores.of_tree(heads) - best).abs() < 1e-4);
                assert!(trees.contains(heads));
            }
        }
        assert_eq!(eisner_forest(&ArcScores::new(0), &mut forest), None);
        assert_eq!(eisner_forest(&ArcScores::new(2), &mut forest), None);
    }
}
