//! Latent dependency trees.
//!
//! Every word `i` has a hidden state `h_i`; that of the root is drawn from `π`. A state emits its word by `o(x | h)`
//! and, independently on each side `d`, has another child with probability `c_d(h)`, whose state is drawn from
//! `t_d(h' | h)` (the tree model of Dhillon et al. 2012, with the number of children made part of the model):
//!
//! ```text
//! p(tree, x) = Σ_h π(h_root) Π_i o(x_i|h_i) Π_d (1 − c_d(h_i)) · Π_{j ≠ root} c_d(h_pa(j)) t_d(h_j|h_pa(j)),   d = side of j
//! ```
//!
//! Children are placed from their head outwards, so all trees are projective.

use rand::Rng;

use super::choice::{Choice, random_simplex};
use super::error::SampleError;
use crate::dependency::{Direction, Head};

/// A sampled sentence: words as numbers, and their heads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DependencySample {
    /// Words, from left to right.
    pub words: Vec<usize>,
    /// Heads of the words.
    pub heads: Vec<Head>,
}

/// A latent dependency tree model with known parameters.
#[derive(Clone, Debug)]
pub struct LatentDependency {
    root: Vec<f64>,
    /// By side and state: probability of another child.
    more: [Vec<f64>; 2],
    /// By side and state of the parent: distribution of the state of the child.
    transition: [Vec<Vec<f64>>; 2],
    emission: Vec<Vec<f64>>,
}

/// Maximum number of attempts to sample a tree.
const ATTEMPTS: usize = 100_000;

struct Growing {
    state: usize,
    /// Children by direction, nearest to the head first.
    children: [Vec<usize>; 2],
}

impl LatentDependency {
    /// A random model with at least one state and one word. A word has fewer than one child on average, so trees are
    /// finite.
    pub fn random<R: Rng + ?Sized>(states: usize, words: usize, rng: &mut R) -> Self {
        let (states, words) = (states.max(1), words.max(1));
        // With c < 0.3, a side has c / (1 - c) < 0.43 children on average.
        let mut more = || (0..states).map(|_| rng.random_range(0.1..0.3)).collect();
        let more = [more(), more()];
        let mut transition = || (0..states).map(|_| random_simplex(states, rng)).collect();
        let transition = [transition(), transition()];
        let emission = (0..states).map(|_| random_simplex(words, rng)).collect();
        Self { root: random_simplex(states, rng), more, transition, emission }
    }

    /// Number of hidden states.
    pub fn state_count(&self) -> usize {
        self.root.len()
    }

    /// Number of words.
    pub fn word_count(&self) -> usize {
        self.emission.first().map_or(0, Vec::len)
    }

    /// `π`.
    pub fn root(&self) -> &[f64] {
        &self.root
    }

    /// `c_d` by state.
    pub fn more(&self, direction: Direction) -> &[f64] {
        &self.more[direction as usize]
    }

    /// `t_d(· | state)`.
    ///
    /// # Panics
    /// If the state does not exist.
    pub fn transition(&self, direction: Direction, state: usize) -> &[f64] {
        &self.transition[direction as usize][state]
    }

    /// `o(· | state)`.
    ///
    /// # Panics
    /// If the state does not exist.
    pub fn emission(&self, state: usize) -> &[f64] {
        &self.emission[state]
    }

    /// Samples a sentence of at most `max_words` words; longer ones are rejected and sampled again.
    ///
    /// # Errors
    /// If no attempt stays within the limit.
    pub fn sample<R: Rng + ?Sized>(
        &self,
        max_words: usize,
        rng: &mut R,
    ) -> Result<DependencySample, SampleError> {
        for _ in 0..ATTEMPTS {
            if let Some(nodes) = self.grow(max_words, rng) {
                return Ok(self.linearise(&nodes, rng));
            }
        }
        Err(SampleError::TooLong { max_words, attempts: ATTEMPTS })
    }

    /// States and children, the root first; `None` if there are too many.
    fn grow<R: Rng + ?Sized>(&self, max_words: usize, rng: &mut R) -> Option<Vec<Growing>> {
        let leaf = |state| Growing { state, children: [Vec::new(), Vec::new()] };
        let mut nodes = vec![leaf(Choice::new(self.root.iter().copied()).draw(rng))];
        let mut next = 0;
        while next < nodes.len() {
            for direction in Direction::BOTH {
                let state = nodes[next].state;
                while rng.random::<f64>() < self.more(direction)[state] {
                    let child = Choice::new(self.transition(direction, state).iter().copied()).draw(rng);
                    let index = nodes.len();
                    nodes[next].children[direction as usize].push(index);
                    nodes.push(leaf(child));
                }
                if nodes.len() > max_words {
                    return None;
                }
            }
            next += 1;
        }
        (nodes.len() <= max_words).then_some(nodes)
    }

    fn linearise<R: Rng + ?Sized>(&self, nodes: &[Growing], rng: &mut R) -> DependencySample {
        enum Step {
            Enter(usize),
            Word(usize),
        }
        let mut order = Vec::with_capacity(nodes.len());
        let mut steps = vec![Step::Enter(0)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Word(node) => order.push(node),
                Step::Enter(node) => {
                    let [left, right] = &nodes[node].children;
                    // Pushed in reverse order: far left children, near left ones, the word, near right ones, far right
                    // ones.
                    steps.extend(right.iter().rev().map(|&child| Step::Enter(child)));
                    steps.push(Step::Word(node));
                    steps.extend(left.iter().map(|&child| Step::Enter(child)));
                }
            }
        }
        let mut place = vec![0; nodes.len()];
        for (position, &node) in order.iter().enumerate() {
            place[node] = position;
        }
        let mut heads = vec![Head::ROOT; nodes.len()];
        for (node, growing) in nodes.iter().enumerate() {
            for &child in growing.children.iter().flatten() {
                heads[place[child]] =
                    Head::word(place[node]).expect("a sentence is shorter than u32::MAX words");
            }
        }
        let word = |&node: &usize| Choice::new(self.emission(nodes[node].state).iter().copied()).draw(rng);
        DependencySample { words: order.iter().map(word).collect(), heads }
    }

    /// Exact probability of words with a projective tree over them, summed over the hidden states. 0 if the heads are
    /// not a tree with a single root, or if a word does not exist.
    pub fn probability(&self, words: &[usize], heads: &[Head]) -> f64 {
        let (n, states) = (words.len(), self.state_count());
        let known = words.iter().all(|&word| word < self.word_count());
        let single = heads.iter().filter(|head| head.is_root()).count() == 1;
        let inside_range = heads.iter().all(|head| head.number() <= n);
        let (Some(root), true) = (
            heads.iter().position(|head| head.is_root()),
            known && single && inside_range && heads.len() == n,
        ) else {
            return 0.0;
        };
        let mut waiting = vec![0usize; n];
        heads.iter().filter_map(|head| head.index()).for_each(|head| waiting[head] += 1);
        // Inside weights, multiplied up from the leaves. A cycle never becomes free and leaves the root unfinished.
        let mut weights: Vec<Vec<f64>> = words
            .iter()
            .map(|&word| {
                let none_left = |h: usize| {
                    Direction::BOTH.iter().map(|&direction| 1.0 - self.more(direction)[h]).product::<f64>()
                };
                (0..states).map(|h| self.emission[h][word] * none_left(h)).collect()
            })
            .collect();
        let mut free: Vec<usize> = (0..n).filter(|&word| waiting[word] == 0).collect();
        let mut finished = 0;
        while let Some(word) = free.pop() {
            finished += 1;
            let Some(head) = heads[word].index() else { continue };
            let direction = if word < head { Direction::Left } else { Direction::Right };
            let below = weights[word].clone();
            for (h, weight) in weights[head].iter_mut().enumerate() {
                let child: f64 = self.transition(direction, h).iter().zip(&below).map(|(t, b)| t * b).sum();
                *weight *= self.more(direction)[h] * child;
            }
            waiting[head] -= 1;
            if waiting[head] == 0 {
                free.push(head);
            }
        }
        if finished < n {
            return 0.0;
        }
        self.root.iter().zip(&weights[root]).map(|(p, w)| p * w).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn projective(heads: &[usize]) -> bool {
        let arc = |i: usize| (heads[i].min(i + 1), heads[i].max(i + 1));
        let crosses = |(a, b): (usize, usize), (c, d): (usize, usize)| a < c && c < b && b < d;
        let n = heads.len();
        (0..n).all(|i| (0..n).all(|j| !crosses(arc(i), arc(j))))
    }

    #[test]
    fn frequencies_of_all_short_trees_match() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let model = LatentDependency::random(2, 2, &mut rng);
        let draws = 60_000;
        let samples: Vec<DependencySample> =
            (0..draws).map(|_| model.sample(200, &mut rng).unwrap()).collect();
        for length in 1..=3usize {
            let mut total = 0.0;
            for code in 0..(length + 1).pow(length as u32) {
                let heads: Vec<usize> =
                    (0..length).map(|i| code / (length + 1).pow(i as u32) % (length + 1)).collect();
                if !projective(&heads) {
                    continue;
                }
                let heads: Vec<Head> = heads.iter().map(|&h| Head::from_number(h).unwrap()).collect();
                for word_code in 0..1usize << length {
                    let words: Vec<usize> = (0..length).map(|i| word_code >> i & 1).collect();
                    total += model.probability(&words, &heads);
                }
            }
            let found =
                samples.iter().filter(|sample| sample.words.len() == length).count() as f64 / draws as f64;
            assert!(
                (found - total).abs() < 5.0 * (total * (1.0 - total) / draws as f64).sqrt(),
                "{found} {total}"
            );
        }
        assert!(samples.iter().all(|s| projective(&s.heads.iter().map(|h| h.number()).collect::<Vec<_>>())));
        assert!(samples.iter().all(|sample| model.probability(&sample.words, &sample.heads) > 0.0));
    }

    #[test]
    fn what_is_no_tree_has_no_probability() {
        let model = LatentDependency::random(2, 2, &mut ChaCha8Rng::seed_from_u64(1));
        let heads =
            |numbers: &[usize]| numbers.iter().map(|&h| Head::from_number(h).unwrap()).collect::<Vec<_>>();
        assert_eq!(model.probability(&[0, 0, 1], &heads(&[0, 3, 2])), 0.0);
        assert_eq!(model.probability(&[0, 1], &heads(&[0, 0])), 0.0);
        assert_eq!(model.probability(&[0, 1], &heads(&[0, 9])), 0.0);
        assert_eq!(model.probability(&[0, 7], &heads(&[0, 1])), 0.0);
        assert_eq!(model.probability(&[0], &heads(&[0, 1])), 0.0);
        assert!(model.sample(0, &mut ChaCha8Rng::seed_from_u64(1)).is_err());
    }
}
