//! The best tree by scores of arcs, projective or not, with one word below the root.
//!
//! Y.-J. Chu and T.-H. Liu (1965) and J. Edmonds (1967): every word takes its best head. A cycle is contracted to one
//! node, whose incoming arcs are scored by their gain over the arc of the cycle that they replace, and the search
//! continues. Finally cycles are opened where the arc from outside enters. Contraction is in place: O(N³) in the worst
//! case and close to O(N²) on natural language.
//!
//! To ensure that only one word hangs from the root, a constant larger than any difference between trees is subtracted
//! from all arcs of the root. The best tree then has as few of them as possible (M. Stanojević and S. Cohen, A root of
//! the problem, EMNLP 2021, show why this needs care).

use corpus::dependency::Head;

use super::ArcScores;

/// Scratch memory of the search, reused between sentences.
#[derive(Clone, Default, Debug)]
pub struct Edmonds {
    /// By source node and target node: the score of the best arc, and that arc between words. Contracted nodes are
    /// numbered after words.
    scores: Vec<f64>,
    arcs: Vec<(u32, u32)>,
    width: usize,
}

/// A contracted cycle: its nodes, each with the arc that enters it on the cycle.
struct Cycle {
    node: usize,
    members: Vec<(usize, (u32, u32))>,
}

/// The best tree, projective or not, with one word below the root; `None` if there are no words or no tree has a finite
/// score.
///
/// ```
/// use eigentree_dependency::arcs::{ArcScores, best_tree};
/// let mut scores = ArcScores::new(2);
/// scores.set(0, 0, 5.0);
/// scores.set(0, 1, 5.0);
/// scores.set(1, 1, 1.0);
/// scores.set(2, 0, 2.0);
/// // Two roots would score 10, but only one is allowed.
/// let heads = best_tree(&scores).unwrap();
/// assert_eq!(heads.iter().map(|head| head.number()).collect::<Vec<_>>(), [2, 0]);
/// ```
pub fn best_tree(scores: &ArcScores) -> Option<Vec<Head>> {
    let mut heads = Vec::new();
    Edmonds::default().decode(scores, &mut heads).map(|_| heads)
}

impl Edmonds {
    /// Writes the heads of the best tree with one root to `heads` and returns its score. Returns `None` with empty
    /// `heads` if no tree has a finite score.
    pub fn decode(&mut self, scores: &ArcScores, heads: &mut Vec<Head>) -> Option<f64> {
        heads.clear();
        let words = scores.words();
        if words == 0 {
            return None;
        }
        self.read(scores);
        let entering = self.arborescence(words)?;
        heads.resize(words, Head::ROOT);
        for &(head, modifier) in &entering {
            heads[modifier as usize - 1] = Head::from_number(head as usize)?;
        }
        let score = scores.of_tree(heads);
        if score.is_finite() && heads.iter().filter(|head| head.is_root()).count() == 1 {
            Some(score)
        } else {
            heads.clear();
            None
        }
    }

    fn read(&mut self, scores: &ArcScores) {
        let words = scores.words();
        let finite = (0..=words).flat_map(|head| scores.of_head(head)).filter(|score| score.is_finite());
        let spread = 1.0 + 2.0 * finite.map(|&score| f64::from(score).abs()).sum::<f64>();
        // Each contraction merges at least two nodes, so there are fewer new nodes than words.
        self.width = 2 * words + 1;
        self.scores.clear();
        self.scores.resize(self.width * self.width, f64::NEG_INFINITY);
        self.arcs.clear();
        self.arcs.resize(self.width * self.width, (0, 0));
        for head in 0..=words {
            let penalty = if head == 0 { spread } else { 0.0 };
            for modifier in (1..=words).filter(|&modifier| modifier != head) {
                let place = head * self.width + modifier;
                self.scores[place] = f64::from(scores.get(head, modifier - 1)) - penalty;
                self.arcs[place] = (head as u32, modifier as u32);
            }
        }
    }

    /// The arcs of the best arborescence, one into each word.
    fn arborescence(&mut self, words: usize) -> Option<Vec<(u32, u32)>> {
        let mut alive: Vec<usize> = (0..=words).collect();
        // The words in each node.
        let mut contents: Vec<Vec<u32>> = (0..=words as u32).map(|word| vec![word]).collect();
        let mut cycles: Vec<Cycle> = Vec::new();
        let mut heads = vec![0; self.width];
        loop {
            for &node in alive.iter().filter(|&&node| node != 0) {
                let score = |head: usize| self.scores[head * self.width + node];
                let others = alive.iter().copied().filter(|&other| other != node);
                let best = others.reduce(|one, other| if score(other) > score(one) { other } else { one })?;
                if score(best) == f64::NEG_INFINITY {
                    return None;
                }
                heads[node] = best;
            }
            let Some(cycle) = find_cycle(&alive, &heads) else { break };
            let node = contents.len();
            self.contract(&cycle, &heads, &alive, node);
            contents.push(cycle.iter().flat_map(|&member| contents[member].clone()).collect());
            let members =
                cycle.iter().map(|&member| (member, self.arcs[heads[member] * self.width + member]));
            cycles.push(Cycle { node, members: members.collect() });
            alive.retain(|other| !cycle.contains(other));
            alive.push(node);
        }
        let mut entering = vec![(0, 0); contents.len()];
        for &node in alive.iter().filter(|&&node| node != 0) {
            entering[node] = self.arcs[heads[node] * self.width + node];
        }
        // The last contraction is opened first: the arc from outside replaces the cycle's arc into the same member.
        for Cycle { node, members } in cycles.iter().rev() {
            let (_, entered) = entering[*node];
            for &(member, on_cycle) in members {
                let broken = contents[member].contains(&entered);
                entering[member] = if broken { entering[*node] } else { on_cycle };
            }
        }
        Some(entering[1..=words].to_vec())
    }

    /// Scores the arcs of the node that the cycle is contracted to.
    fn contract(&mut self, cycle: &[usize], heads: &[usize], alive: &[usize], node: usize) {
        for &outside in alive.iter().filter(|other| !cycle.contains(other)) {
            for &member in cycle {
                let on_cycle = self.scores[heads[member] * self.width + member];
                let inwards = outside * self.width + member;
                let gain = self.scores[inwards] - on_cycle;
                if gain > self.scores[outside * self.width + node] {
                    self.scores[outside * self.width + node] = gain;
                    self.arcs[outside * self.width + node] = self.arcs[inwards];
                }
                let outwards = member * self.width + outside;
                if self.scores[outwards] > self.scores[node * self.width + outside] {
                    self.scores[node * self.width + outside] = self.scores[outwards];
                    self.arcs[node * self.width + outside] = self.arcs[outwards];
                }
            }
        }
    }
}

/// The `k` best trees with one root, projective or not, with their scores, best first.
///
/// Lawler's partition (E. Lawler, Management Science 1972): after removing the best tree of a set, the rest is divided
/// by the first arc in which a tree differs from it. The best of each division is found by the same search with some
/// arcs required and one forbidden. O(k N) searches.
pub fn k_best_trees(scores: &ArcScores, k: usize) -> Vec<(Vec<Head>, f64)> {
    let mut edmonds = Edmonds::default();
    let mut found = Vec::new();
    let mut open: Vec<Division> = Vec::new();
    let mut heads = Vec::new();
    if let Some(score) = edmonds.decode(scores, &mut heads) {
        open.push(Division { heads, score, fixed: 0, forbidden: Vec::new() });
    }
    while found.len() < k {
        // The first of the best, so that lists are deterministic.
        let better = |one: usize, other: usize| if open[other].score > open[one].score { other } else { one };
        let Some(best) = (0..open.len()).reduce(better) else { break };
        let division = open.remove(best);
        for word in division.fixed..scores.words() {
            let mut rest = scores.clone();
            for fixed in 0..word {
                for head in (0..=scores.words()).filter(|&head| head != division.heads[fixed].number()) {
                    rest.set(head, fixed, f32::NEG_INFINITY);
                }
            }
            // The heads forbidden for the first free word stay forbidden; later words are free.
            let mut forbidden = vec![division.heads[word]];
            if word == division.fixed {
                forbidden.extend_from_slice(&division.forbidden);
            }
            forbidden.iter().for_each(|head| rest.set(head.number(), word, f32::NEG_INFINITY));
            let mut heads = Vec::new();
            if let Some(score) = edmonds.decode(&rest, &mut heads) {
                open.push(Division { heads, score, fixed: word, forbidden });
            }
        }
        found.push((division.heads, division.score));
    }
    found
}

/// Trees that agree in the heads of the first words and exclude some heads for the next word.
struct Division {
    /// The best of them.
    heads: Vec<Head>,
    score: f64,
    /// The number of words with fixed heads.
    fixed: usize,
    /// The forbidden heads of the next word.
    forbidden: Vec<Head>,
}

/// The nodes of a cycle, if following heads from some node never reaches the root.
fn find_cycle(alive: &[usize], heads: &[usize]) -> Option<Vec<usize>> {
    // The walk on which a node was first visited; 0 for none.
    let mut met = vec![0; heads.len()];
    for (walk, &start) in (1..).zip(alive) {
        let mut at = start;
        while at != 0 && met[at] == 0 {
            met[at] = walk;
            at = heads[at];
        }
        if at != 0 && met[at] == walk {
            let mut cycle = vec![at];
            let mut next = heads[at];
            while next != at {
                cycle.push(next);
                next = heads[next];
            }
            return Some(cycle);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use corpus::dependency::RootRule;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::arcs::enumerate::{Crossing, all_trees};
    use crate::arcs::random_case::random_scores;

    #[test]
    fn finds_the_best_of_all_trees_with_one_root() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let (mut edmonds, mut heads) = (Edmonds::default(), Vec::new());
        for words in 1..=6 {
            let trees = all_trees(words, RootRule::Single, Crossing::Allowed);
            for round in 0..30 {
                let mut scores = ArcScores::new(words);
                for head in 0..=words {
                    for modifier in 0..words {
                        // Some arcs are missing; integer scores produce ties.
                        if round % 3 != 1 || rng.random_bool(0.6) {
                            let score: f32 = rng.random_range(-3.0..3.0);
                            scores.set(head, modifier, if round % 3 == 2 { score.round() } else { score });
                        }
                    }
                }
                let best = trees.iter().map(|heads| scores.of_tree(heads)).fold(f64::NEG_INFINITY, f64::max);
                match edmonds.decode(&scores, &mut heads) {
                    Some(found) => {
                        assert!((found - best).abs() < 1e-4, "{words} words: {found} for {best}");
                        assert!(trees.contains(&heads));
                    }
                    None => assert_eq!(best, f64::NEG_INFINITY),
                }
            }
        }
    }

    #[test]
    fn the_k_best_are_those_of_all_trees() {
        let mut rng = ChaCha8Rng::seed_from_u64(12);
        for words in 1..=5 {
            let trees = all_trees(words, RootRule::Single, Crossing::Allowed);
            let scores = random_scores(words, &mut rng);
            let mut expected: Vec<f64> = trees.iter().map(|heads| scores.of_tree(heads)).collect();
            expected.sort_by(|one, other| other.total_cmp(one));
            let found = k_best_trees(&scores, 30);
            assert_eq!(found.len(), expected.len().min(30));
            for ((heads, score), expected) in found.iter().zip(&expected) {
                assert!((score - expected).abs() < 1e-4, "{words} words: {score} for {expected}");
                assert!(trees.contains(heads));
            }
            let mut distinct: Vec<_> = found.iter().map(|(heads, _)| heads).collect();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), found.len());
        }
    }
}
