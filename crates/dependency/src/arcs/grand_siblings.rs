//! Projective trees scored by arcs together with the arc above them and the inner sibling.
//!
//! Model 1 of T. Koo and M. Collins, Efficient third-order dependency parsers, ACL 2010, over candidate arcs. With `g`
//! the head of `h`,
//!
//! ```text
//! C^g(h, e)   the part of h's tree from h to e, on one side, with all modifiers on that side
//! I^g(h, m)   the same up to and including the near half of its modifier m
//! S^h(s, m)   what lies between two neighbouring modifiers s and m of h
//!
//! I^g(h, m) = max { C^h(m, h±1),  max_s I^g(h, s) + S^h(s, m) } + score(g, h, s, m)
//! S^h(s, m) = max_r C^h(s, r) + C^h(m, r+1)
//! C^g(h, e) = max_m I^g(h, m) + C^h(m, e) + end(h, m)
//! tree      = max_r C^0(r, 1) + C^0(r, N) + score(0, r)
//! ```
//!
//! Departures: the sequence of modifiers of a head ends with a score `end`, which sees the last modifier (or that there
//! is none); and exactly one word hangs from the root. With a handful of candidates per word the cost is close to
//! quadratic in the length.

use super::candidates::Candidates;
use super::forest::{Forest, NodeId};
use super::parts::{Around, Need, Needs, NeighbourScores, Side};

/// Scratch memory of the search, reused between sentences.
#[derive(Clone, Default, Debug)]
pub struct GrandSiblings {
    /// The modifiers of each word, ascending, with the ids of their arcs.
    modifiers: Vec<Vec<(u32, u32)>>,
    /// `C^g(h, e)` by arc from `g` to `h`, then by `e`.
    complete: Vec<Option<NodeId>>,
    /// `C(h, h)` on the left and on the right.
    leaves: Vec<[Option<NodeId>; 2]>,
    /// `I^g(h, m)` by arc from `h` to `m`, then by index of `g` among the heads of `h`.
    open: Vec<Option<NodeId>>,
    open_starts: Vec<u32>,
    ends: Vec<f32>,
    around: Around,
    /// The arcs of the possible siblings, and the item between.
    between: Vec<(u32, NodeId)>,
    /// The indices of the possible grandparents.
    places: Vec<u32>,
    rests: Vec<(u32, NodeId, f32)>,
}

impl GrandSiblings {
    /// Adds all trees over the candidates to the forest, which is cleared first; `None` if there is no tree.
    pub fn build(
        &mut self,
        candidates: &Candidates,
        scores: &mut impl NeighbourScores,
        forest: &mut Forest,
    ) -> Option<NodeId> {
        forest.clear();
        let words = candidates.words();
        if words == 0 {
            return None;
        }
        self.reset(candidates);
        for head in 1..=words {
            for side in [Side::Left, Side::Right] {
                let score = match self.need_of_leaf(candidates, scores.common(), head, side) {
                    Need::Score => scores.end(head, None, side),
                    Need::Nothing => 0.0,
                };
                forest.edge([None; 2], score, None);
                self.leaves[head][side as usize] = forest.close();
            }
        }
        for width in 1..words {
            for i in 1..=words - width {
                let j = i + width;
                for (head, modifier) in [(i, j), (j, i)] {
                    self.attach(candidates, scores, forest, head, modifier);
                }
                for (head, end) in [(i, j), (j, i)] {
                    self.finish(candidates, forest, head, end);
                }
            }
        }
        for root in 1..=words {
            if let Some(arc) = candidates.arc(0, root)
                && let Some(left) = self.complete(arc, root, 1, Side::Left)
                && let Some(right) = self.complete(arc, root, words, Side::Right)
            {
                let is_common = self.modifiers[0].len() == 1 || candidates.of(root).len() == 1;
                let score = match scores.common() {
                    Need::Nothing if is_common => 0.0,
                    _ => scores.arc(0, root),
                };
                forest.edge([Some(left), Some(right)], score, Some((0, root)));
            }
        }
        forest.close()
    }

    /// Whether it must be known how well a head does without modifiers on a side: not if it can have none there, and
    /// not if it has one in every tree.
    fn need_of_leaf(&self, candidates: &Candidates, common: Need, head: usize, side: Side) -> Need {
        let of_side = |modifier: usize| match side {
            Side::Left => modifier < head,
            Side::Right => modifier > head,
        };
        let modifiers = self.modifiers[head].iter().map(|&(modifier, _)| modifier as usize);
        let mut lengths = modifiers.filter(|&at| of_side(at)).map(|at| candidates.of(at).len()).peekable();
        let is_common = lengths.peek().is_none() || lengths.any(|heads| heads == 1);
        if common == Need::Nothing && is_common { Need::Nothing } else { Need::Score }
    }

    /// What must be known of an arc whose siblings and grandparents were found.
    fn needs(&self, candidates: &Candidates, common: Need, around: &Around, arc: (usize, usize)) -> Needs {
        let (head, modifier) = arc;
        // The arc is part of every tree.
        if common == Need::Score || candidates.of(modifier).len() > 1 {
            return Needs::default();
        }
        let outermost = match modifier < head {
            true => self.modifiers[head].first(),
            false => self.modifiers[head].last(),
        };
        let need = |is_needed: bool| if is_needed { Need::Score } else { Need::Nothing };
        Needs {
            arc: Need::Nothing,
            end: need(outermost.is_some_and(|&(last, _)| last as usize != modifier)),
            neighbours: need(candidates.of(head).len() > 1 || around.siblings.len() > 1),
        }
    }

    fn reset(&mut self, candidates: &Candidates) {
        let (words, arcs) = (candidates.words(), candidates.arcs());
        self.modifiers.iter_mut().for_each(Vec::clear);
        self.modifiers.resize(self.modifiers.len().max(words + 1), Vec::new());
        self.open_starts.clear();
        let mut opens = 0;
        for modifier in 1..=words {
            for (arc, &head) in (candidates.first_arc(modifier)..).zip(candidates.of(modifier)) {
                self.modifiers[head as usize].push((modifier as u32, arc as u32));
                self.open_starts.push(opens as u32);
                if head > 0 {
                    opens += candidates.of(head as usize).len();
                }
            }
        }
        self.open.clear();
        self.open.resize(opens, None);
        self.complete.clear();
        self.complete.resize(arcs * (words + 1), None);
        self.leaves.clear();
        self.leaves.resize(words + 1, [None; 2]);
        self.ends.clear();
        self.ends.resize(arcs, 0.0);
    }

    /// `C^g(h, e)` on a side, where `arc` leads from `g` to `h`.
    #[inline]
    fn complete(&self, arc: usize, head: usize, end: usize, side: Side) -> Option<NodeId> {
        if head == end {
            self.leaves[head][side as usize]
        } else {
            self.complete[arc * self.leaves.len() + end]
        }
    }

    /// `I^g(h, m)` for every `g`.
    fn attach(
        &mut self,
        candidates: &Candidates,
        scores: &mut impl NeighbourScores,
        forest: &mut Forest,
        head: usize,
        modifier: usize,
    ) {
        let Some(arc) = candidates.arc(head, modifier) else { return };
        let (low, high) = (head.min(modifier), head.max(modifier));
        let mut around = std::mem::take(&mut self.around);
        around.clear();
        self.places.clear();
        self.between.clear();
        for (place, &grandparent) in (0..).zip(candidates.of(head)) {
            if (grandparent as usize) < low || grandparent as usize > high {
                around.grandparents.push(grandparent);
                self.places.push(place);
            }
        }
        if !around.grandparents.is_empty() {
            self.look_between(arc, forest, head, modifier, &mut around.siblings);
        }
        if !around.siblings.is_empty() {
            around.needs = self.needs(candidates, scores.common(), &around, (head, modifier));
            scores.around(head as u32, modifier as u32, &mut around);
            self.ends[arc] = around.of_end;
            let start = self.open_starts[arc] as usize;
            let each = around.of_both.chunks(around.siblings.len());
            for ((&place, above), both) in self.places.iter().zip(&around.of_grandparents).zip(each) {
                let base = around.of_arc + above;
                let siblings = self.between.iter().zip(&around.siblings);
                for (((&(sibling_arc, node), &sibling), beside), both) in
                    siblings.zip(&around.of_siblings).zip(both)
                {
                    let weight = base + beside + both;
                    if sibling == 0 {
                        forest.edge([Some(node), None], weight, Some((head, modifier)));
                        continue;
                    }
                    let before = self.open[self.open_starts[sibling_arc as usize] as usize + place as usize];
                    if before.is_some() {
                        forest.edge([before, Some(node)], weight, Some((head, modifier)));
                    }
                }
                self.open[start + place as usize] = forest.close();
            }
        }
        self.around = around;
    }

    /// The items between a head or one of its modifiers and its next modifier: `C^h(m, h±1)` and `S^h(s, m)` for every
    /// `s`.
    fn look_between(
        &mut self,
        arc: usize,
        forest: &mut Forest,
        head: usize,
        modifier: usize,
        siblings: &mut Vec<u32>,
    ) {
        let (low, high) = (head.min(modifier), head.max(modifier));
        let rightwards = head < modifier;
        let (inner_end, inner_side) =
            if rightwards { (head + 1, Side::Left) } else { (head - 1, Side::Right) };
        if let Some(inner) = self.complete(arc, modifier, inner_end, inner_side) {
            siblings.push(0);
            self.between.push((0, inner));
        }
        for &(sibling, sibling_arc) in &self.modifiers[head] {
            let s = sibling as usize;
            if s <= low || s >= high {
                continue;
            }
            // The two halves meet between `r` and `r + 1`.
            let (left, right) = if rightwards { (s, modifier) } else { (modifier, s) };
            let (left_arc, right_arc) =
                if rightwards { (sibling_arc as usize, arc) } else { (arc, sibling_arc as usize) };
            for r in left..right {
                if let Some(one) = self.complete(left_arc, left, r, Side::Right)
                    && let Some(other) = self.complete(right_arc, right, r + 1, Side::Left)
                {
                    forest.edge([Some(one), Some(other)], 0.0, None);
                }
            }
            if let Some(node) = forest.close() {
                siblings.push(sibling);
                self.between.push((sibling_arc, node));
            }
        }
    }

    /// `C^g(h, e)` for every `g`.
    fn finish(&mut self, candidates: &Candidates, forest: &mut Forest, head: usize, end: usize) {
        let (low, high) = (head.min(end), head.max(end));
        let outer = if head < end { Side::Right } else { Side::Left };
        // The part beyond the last modifier is the same for every `g`.
        self.rests.clear();
        for &(modifier, arc) in &self.modifiers[head] {
            let m = modifier as usize;
            if m >= low
                && m <= high
                && let Some(rest) = self.complete(arc as usize, m, end, outer)
            {
                self.rests.push((self.open_starts[arc as usize], rest, self.ends[arc as usize]));
            }
        }
        if self.rests.is_empty() {
            return;
        }
        let first = candidates.first_arc(head);
        for (place, &grandparent) in candidates.of(head).iter().enumerate() {
            let g = grandparent as usize;
            if g >= low && g <= high {
                continue;
            }
            for &(start, rest, end_score) in &self.rests {
                let open = self.open[start as usize + place];
                if open.is_some() {
                    forest.edge([open, Some(rest)], end_score, None);
                }
            }
            self.complete[(first + place) * self.leaves.len() + end] = forest.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use corpus::dependency::{Head, RootRule};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::arcs::Keep;
    use crate::arcs::enumerate::{Crossing, all_trees};
    use crate::arcs::parts::{Part, for_each_part};

    /// A pseudo-random score between −2 and 2 for every part.
    pub(crate) struct Random(pub(crate) u64);

    impl Random {
        pub(crate) fn of(&self, part: Part) -> f32 {
            use std::hash::BuildHasher;
            let hash = foldhash::fast::FixedState::with_seed(self.0).hash_one(part);
            (hash % 4000) as f32 / 1000.0 - 2.0
        }

        fn of_tree(&self, heads: &[u32]) -> f32 {
            let mut total = 0.0;
            for_each_part(heads, |part| total += self.of(part));
            total
        }
    }

    fn number(place: Option<usize>) -> u32 {
        place.unwrap_or(0) as u32
    }

    impl NeighbourScores for Random {
        fn arc(&mut self, head: usize, modifier: usize) -> f32 {
            self.of(Part::Arc { head: head as u32, modifier: modifier as u32 })
        }
        fn end(&mut self, head: usize, last: Option<usize>, side: Side) -> f32 {
            self.of(Part::End { head: head as u32, last: number(last), side })
        }
        fn around(&mut self, head: u32, modifier: u32, around: &mut Around) {
            let scores: Vec<f32> = around.parts(head, modifier).map(|part| self.of(part)).collect();
            around.take(scores.into_iter());
        }
    }

    /// All projective trees within the candidates with their scores, best first.
    fn by_enumeration(candidates: &Candidates, scores: &Random) -> Vec<(Vec<u32>, f32)> {
        let trees = all_trees(candidates.words(), RootRule::Single, Crossing::Forbidden);
        let numbers =
            trees.iter().map(|tree| tree.iter().map(|head| head.number() as u32).collect::<Vec<_>>());
        let mut kept: Vec<(Vec<u32>, f32)> = numbers
            .filter(|tree| (1..).zip(tree).all(|(m, &h)| candidates.arc(h as usize, m).is_some()))
            .map(|tree| {
                let score = scores.of_tree(&tree);
                (tree, score)
            })
            .collect();
        kept.sort_by(|one, other| other.1.total_cmp(&one.1));
        kept
    }

    fn cases(mut check: impl FnMut(&Candidates, &mut Random)) {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for words in 1..=6 {
            for seed in 0..12 {
                let mut candidates = Candidates::all(words);
                if seed % 2 == 1 {
                    // About half of the arcs, and always those of the chain.
                    candidates.clear();
                    for modifier in 1..=words as u32 {
                        let heads = (0..=words as u32).filter(|&head| head != modifier);
                        let kept: Vec<u32> =
                            heads.filter(|&head| head == modifier - 1 || rng.random_bool(0.5)).collect();
                        candidates.push(kept);
                    }
                }
                check(&candidates, &mut Random(seed));
            }
        }
    }

    #[test]
    fn the_k_best_are_those_of_all_trees() {
        let (mut search, mut forest) = (GrandSiblings::default(), Forest::default());
        cases(|candidates, scores| {
            let expected = by_enumeration(candidates, scores);
            let goal = search.build(candidates, scores, &mut forest).unwrap();
            let words = candidates.words();
            let mut heads = vec![Head::ROOT; words];
            let best = forest.best(goal, &mut heads);
            assert!((best - expected[0].1).abs() < 1e-3);
            // Keeping only what the best tree needs must give the same tree.
            let mut lean = Forest::default();
            lean.restart(Keep::Best);
            let lean_goal = search.build(candidates, scores, &mut lean).unwrap();
            let mut lean_heads = vec![Head::ROOT; words];
            assert_eq!(lean.best(lean_goal, &mut lean_heads), best);
            assert_eq!(lean_heads, heads);
            assert!(lean.edges() <= forest.edges());
            let k = 40;
            let found = forest.k_best(goal, words, k);
            assert_eq!(found.len(), expected.len().min(k));
            assert_eq!(found[0].0, heads);
            for ((heads, score), (_, expected)) in found.iter().zip(&expected) {
                let heads: Vec<u32> = heads.iter().map(|head| head.number() as u32).collect();
                assert!((score - f64::from(*expected)).abs() < 1e-3, "{score} for {expected}");
                assert!((f64::from(scores.of_tree(&heads)) - score).abs() < 1e-3);
            }
            let mut distinct: Vec<_> = found.iter().map(|(heads, _)| heads).collect();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), found.len());
        });
    }

    /// Scores that leave out what all trees have.
    struct Relative<'s>(&'s mut Random);

    impl NeighbourScores for Relative<'_> {
        fn arc(&mut self, head: usize, modifier: usize) -> f32 {
            self.0.arc(head, modifier)
        }
        fn end(&mut self, head: usize, last: Option<usize>, side: Side) -> f32 {
            self.0.end(head, last, side)
        }
        fn around(&mut self, head: u32, modifier: u32, around: &mut Around) {
            self.0.around(head, modifier, around);
        }
        fn common(&self) -> Need {
            Need::Nothing
        }
    }

    #[test]
    fn what_all_trees_have_makes_no_difference() {
        let (mut search, mut forest) = (GrandSiblings::default(), Forest::default());
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut left_out = 0;
        for seed in 0..400 {
            // Few heads, and mostly those of one tree.
            let words = 2 + seed as usize % 5;
            let trees = all_trees(words, RootRule::Single, Crossing::Forbidden);
            let tree = &trees[rng.random_range(0..trees.len())];
            let mut candidates = Candidates::default();
            for (modifier, own) in (1..).zip(tree) {
                let other = |head: &u32| *head != modifier && *head as usize != own.number();
                let others: Vec<u32> =
                    (0..=words as u32).filter(other).filter(|_| rng.random_bool(0.15)).collect();
                candidates.push(others.into_iter().chain([own.number() as u32]));
            }
            let mut scores = Random(seed);
            let expected = by_enumeration(&candidates, &scores);
            let goal = search.build(&candidates, &mut Relative(&mut scores), &mut forest).unwrap();
            let found = forest.k_best(goal, words, 40);
            assert_eq!(found.len(), expected.len().min(40));
            let common = f64::from(expected[0].1) - found[0].1;
            left_out += usize::from(common.abs() > 1e-2);
            for ((_, score), (_, expected)) in found.iter().zip(&expected) {
                assert!((score + common - f64::from(*expected)).abs() < 1e-3, "{score} for {expected}");
            }
            if candidates.arcs() == words {
                assert_eq!(found[0].1, 0.0);
            }
        }
        assert!(left_out > 200, "{left_out}");
    }

    #[test]
    fn posteriors_are_sums_over_all_trees() {
        let (mut search, mut forest) = (GrandSiblings::default(), Forest::default());
        cases(|candidates, scores| {
            let temperature = 0.7_f32;
            let words = candidates.words();
            let goal = search.build(candidates, scores, &mut forest).unwrap();
            let (posteriors, log_partition) = forest.marginals(goal, words, temperature);
            let weights: Vec<(Vec<u32>, f64)> = by_enumeration(candidates, scores)
                .into_iter()
                .map(|(tree, score)| (tree, f64::from(score / temperature).exp()))
                .collect();
            let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
            assert!((log_partition - total.ln()).abs() < 1e-3);
            for head in 0..=words {
                for modifier in 0..words {
                    let with = weights.iter().filter(|(tree, _)| tree[modifier] as usize == head);
                    let expected = with.map(|(_, weight)| weight).sum::<f64>() / total;
                    assert!((f64::from(posteriors.get(head, modifier)) - expected).abs() < 1e-3);
                }
            }
        });
    }
}
