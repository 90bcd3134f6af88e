//! Improves the best projective tree by non-projective arcs.
//!
//! With scores of neighbouring arcs the best of all trees is hard to find. The best projective tree is not, and few of
//! its arcs are wrong for lack of crossings. So the search starts there and changes one head at a time, always the one
//! with the largest gain, as long as the score grows (R. McDonald and F. Pereira, Online learning of approximate
//! dependency parsing algorithms, EACL 2006, section 2.2).
//!
//! ```text
//! y ← best projective tree;  repeat  y ← argmax_{m, h} score(y[m → h])  until no change gains
//! ```
//!
//! Departures: only arcs that cross another one are tried, as the projective search covered the rest, and no arc whose
//! own score is much worse; and the word below the root stays.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::candidates::Candidates;
use super::parts::{Part, Side};

/// Maximum loss in arc score for a new arc to be tried for the sake of its neighbours. Scores are learnt to differ by
/// about 1 where one head is wrong.
const MOST_LOSS: f32 = 1.0;

/// Scratch memory of the search, reused between sentences.
#[derive(Clone, Default, Debug)]
pub struct Reattachment {
    known: HashMap<Part, f32, FixedState>,
    changes: Vec<Change>,
}

/// A word whose head changed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Change {
    /// The word, numbered from 1.
    pub modifier: u32,
    /// The increase in score.
    pub gain: f32,
}

impl Reattachment {
    /// Forgets all scores, for another sentence or other weights.
    pub fn restart(&mut self) {
        self.known.clear();
    }

    /// Changes heads (of words numbered from 1) as long as the score grows; returns the total gain. Scores are asked for
    /// once until [`restart`](Self::restart): trees of one sentence share most of their parts.
    pub fn climb(
        &mut self,
        candidates: &Candidates,
        mut score: impl FnMut(Part) -> f32,
        heads: &mut [u32],
    ) -> f32 {
        self.changes.clear();
        let known = &mut self.known;
        let mut of_part = |part: Part| *known.entry(part).or_insert_with(|| score(part));
        // Each change is a gain; more changes than words would bring next to nothing.
        for _ in 0..heads.len() {
            let mut best = (0.0, 0, 0);
            for modifier in 1..=heads.len() as u32 {
                let old = heads[modifier as usize - 1];
                if old == 0 {
                    continue;
                }
                for &head in candidates.of(modifier as usize) {
                    if head == 0
                        || head == old
                        || !crosses(heads, head, modifier)
                        || is_above(heads, modifier, head)
                    {
                        continue;
                    }
                    let arc = |head| Part::Arc { head, modifier };
                    if of_part(arc(head)) + MOST_LOSS < of_part(arc(old)) {
                        continue;
                    }
                    let before = around(heads, modifier, [old, head], &mut of_part);
                    heads[modifier as usize - 1] = head;
                    let after = around(heads, modifier, [old, head], &mut of_part);
                    heads[modifier as usize - 1] = old;
                    if after - before > best.0 {
                        best = (after - before, modifier, head);
                    }
                }
            }
            // Sums in a different order may differ in the last digits.
            if best.0 <= 1e-4 {
                break;
            }
            let (gain, modifier, head) = best;
            heads[modifier as usize - 1] = head;
            self.changes.push(Change { modifier, gain });
        }
        self.changes.iter().map(|change| change.gain).sum()
    }

    /// The changes of the last climb, in order.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }
}

/// Whether an arc would cross an arc of the tree.
fn crosses(heads: &[u32], head: u32, modifier: u32) -> bool {
    let (low, high) = (head.min(modifier), head.max(modifier));
    (1..).zip(heads).any(|(other, &above)| {
        let inside = |at: u32| at > low && at < high;
        let outside = |at: u32| at < low || at > high;
        other != modifier && ((inside(other) && outside(above)) || (inside(above) && outside(other)))
    })
}

/// Whether `word` is `below` or one of its ancestors.
fn is_above(heads: &[u32], word: u32, below: u32) -> bool {
    let mut at = below;
    // No path in a tree is longer than its number of words.
    for _ in 0..=heads.len() {
        if at == word {
            return true;
        }
        match at.checked_sub(1) {
            None => return false,
            Some(place) => at = heads[place as usize],
        }
    }
    true
}

/// The scores of all parts affected by the head of `modifier`, which is one of two.
fn around(heads: &[u32], modifier: u32, two: [u32; 2], score: &mut impl FnMut(Part) -> f32) -> f32 {
    let mut total = score(Part::Arc { head: heads[modifier as usize - 1], modifier });
    for head in [two[0], two[1], modifier] {
        total += of_head(heads, head, score);
    }
    total
}

/// The scores of the modifiers of a word with each other and with its head.
fn of_head(heads: &[u32], head: u32, score: &mut impl FnMut(Part) -> f32) -> f32 {
    let Some(place) = head.checked_sub(1) else { return 0.0 };
    let grandparent = heads[place as usize];
    let mut total = 0.0;
    let mut side = |side: Side, words: &mut dyn Iterator<Item = u32>| {
        let mut sibling = 0;
        for modifier in words.filter(|&word| heads[word as usize - 1] == head) {
            total += score(Part::Sibling { head, sibling, modifier })
                + score(Part::Grandparent { grandparent, head, modifier })
                + score(Part::GrandSibling { grandparent, head, sibling, modifier });
            sibling = modifier;
        }
        total += score(Part::End { head, last: sibling, side });
    };
    side(Side::Left, &mut (1..head).rev());
    side(Side::Right, &mut (head + 1..=heads.len() as u32));
    total
}

#[cfg(test)]
mod tests {
    use std::hash::BuildHasher;

    use super::super::parts::for_each_part;
    use super::*;

    fn of_part(seed: u64, part: Part) -> f32 {
        let hash = FixedState::with_seed(seed).hash_one(part);
        (hash % 4000) as f32 / 1000.0 - 2.0
    }

    fn of_tree(seed: u64, heads: &[u32]) -> f32 {
        let mut total = 0.0;
        for_each_part(heads, |part| total += of_part(seed, part));
        total
    }

    #[test]
    fn climbs_to_a_tree_that_no_crossing_arc_makes_better() {
        let mut climber = Reattachment::default();
        let candidates = Candidates::all(6);
        let mut changed = 0;
        for seed in 0..40 {
            let start = [2, 0, 2, 3, 4, 5];
            let mut heads = start;
            climber.restart();
            let gain = climber.climb(&candidates, |part| of_part(seed, part), &mut heads);
            assert!((of_tree(seed, &heads) - of_tree(seed, &start) - gain).abs() < 1e-3);
            changed += climber.changes().len();
            assert_eq!(heads.iter().filter(|&&head| head == 0).count(), 1);
            assert!((1..=6).all(|word| !is_above(&heads, word, heads[word as usize - 1])));
            let reached = of_tree(seed, &heads);
            for modifier in 1..=6_u32 {
                for head in 1..=6 {
                    let mut other = heads;
                    other[modifier as usize - 1] = head;
                    let is_tree = heads[modifier as usize - 1] != 0 && !is_above(&heads, modifier, head);
                    let arc = |head| of_part(seed, Part::Arc { head, modifier });
                    let tried = is_tree && arc(head) + MOST_LOSS >= arc(heads[modifier as usize - 1]);
                    if tried && crosses(&heads, head, modifier) {
                        assert!(of_tree(seed, &other) < reached + 1e-3);
                    }
                }
            }
        }
        assert!(changed > 20, "{changed}");
    }

    #[test]
    fn tells_crossing_arcs_and_ancestors() {
        // 2 is the root, 1 and 4 hang from it, 3 from 4.
        let heads = [2, 0, 4, 2];
        assert!(crosses(&heads, 1, 3) && !crosses(&heads, 2, 3));
        assert!(is_above(&heads, 2, 3) && is_above(&heads, 4, 3) && !is_above(&heads, 3, 4));
    }
}
