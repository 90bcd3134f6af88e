//! Deterministic head automata, DET and DET+F.
//!
//! ```text
//! P(x₁…x_T | h, d) = Π_{t=1}^{T+1} P(x_t | h, d, σ_t),    x_{T+1} = STOP,    σ₁ = FIRST, σ_t = REST for t > 1
//! ```
//!
//! (Luque et al. 2012, equation 2; DET has a single state.) The relative frequencies of a head are smoothed by those of
//! its class, these by those of all heads, and these by the uniform distribution. At each level the frequencies of a
//! context seen `c` times with `u` different outcomes get the weight `c / (c + κ u)`, as in Collins' (1999) back-off;
//! with `κ = 0` they are not smoothed wherever they exist. The paper does not smooth, but then a single unseen modifier
//! leaves a sentence without any tree.

use corpus::dependency::Direction;

use super::config::Memory;
use super::sequences::ModifierCounts;
use super::symbols::Symbols;

/// The states.
pub(super) const FIRST: usize = 0;
pub(super) const REST: usize = 1;

/// Probabilities of the next modifier or of stopping, by head, direction and state.
#[derive(Clone, PartialEq, Debug)]
pub struct Deterministic {
    pub(super) symbols: usize,
    /// `[(2 head + direction) · symbols + modifier]` → for the first and for later modifiers.
    pub(super) emit: Vec<[f64; 2]>,
    /// `[2 head + direction]`
    pub(super) stop: Vec<[f64; 2]>,
    /// P(modifier | root).
    pub(super) root: Vec<f64>,
}

/// Counts of the outcomes of a state; the last outcome is STOP.
#[derive(Clone)]
struct Outcomes {
    counts: Vec<f64>,
}

impl Outcomes {
    fn new(symbols: usize) -> Self {
        Self { counts: vec![0.0; symbols + 1] }
    }

    fn add(&mut self, other: &Outcomes) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(sum, count)| *sum += count);
    }

    /// The distribution smoothed by `below`.
    fn smoothed(&self, below: &[f64], kappa: f64) -> Vec<f64> {
        let total: f64 = self.counts.iter().sum();
        let different = self.counts.iter().filter(|&&count| count > 0.0).count() as f64;
        if total == 0.0 {
            return below.to_vec();
        }
        let weight = kappa * different;
        let share = |(count, below): (&f64, &f64)| (count + weight * below) / (total + weight);
        self.counts.iter().zip(below).map(share).collect()
    }
}

impl Deterministic {
    /// Learns from counts of sequences.
    pub fn learn(symbols: &Symbols, counts: &ModifierCounts, memory: Memory, kappa: f64) -> Self {
        let size = symbols.len();
        let mut model = Self {
            symbols: size,
            emit: vec![[0.0; 2]; 2 * size * size],
            stop: vec![[0.0; 2]; 2 * size],
            root: root_distribution(counts, kappa),
        };
        let uniform = vec![1.0 / (size + 1) as f64; size + 1];
        for direction in Direction::BOTH {
            let heads: Vec<[Outcomes; 2]> =
                (0..size).map(|head| head_outcomes(counts, head, direction, memory)).collect();
            for state in [FIRST, REST] {
                let mut classes = vec![Outcomes::new(size); symbols.class_count()];
                let mut all = Outcomes::new(size);
                for (head, outcomes) in heads.iter().enumerate() {
                    classes[symbols.class(head)].add(&outcomes[state]);
                    all.add(&outcomes[state]);
                }
                let all = all.smoothed(&uniform, kappa);
                let classes: Vec<Vec<f64>> =
                    classes.iter().map(|class| class.smoothed(&all, kappa)).collect();
                for (head, outcomes) in heads.iter().enumerate() {
                    let p = outcomes[state].smoothed(&classes[symbols.class(head)], kappa);
                    let automaton = 2 * head + direction as usize;
                    for (modifier, &p) in p[..size].iter().enumerate() {
                        model.emit[automaton * size + modifier][state] = p;
                    }
                    model.stop[automaton][state] = p[size];
                }
            }
        }
        model
    }

    /// Gives every sequence the weight one.
    pub(super) fn indifferent(symbols: usize) -> Self {
        Self {
            symbols,
            emit: vec![[1.0; 2]; 2 * symbols * symbols],
            stop: vec![[1.0; 2]; 2 * symbols],
            root: vec![1.0; symbols],
        }
    }

    #[cfg(test)]
    /// The probability of a sequence of symbols, given the number `2 head + direction` of the automaton.
    pub(super) fn probability(&self, automaton: usize, sequence: &[usize]) -> f64 {
        let emit = &self.emit[automaton * self.symbols..][..self.symbols];
        let mut p = 1.0;
        for (place, &symbol) in sequence.iter().enumerate() {
            p *= emit[symbol][place.min(1)];
        }
        p * self.stop[automaton][sequence.len().min(1)]
    }
}

/// The outcomes of each state of one automaton. DET has the same counts for both.
fn head_outcomes(
    counts: &ModifierCounts,
    head: usize,
    direction: Direction,
    memory: Memory,
) -> [Outcomes; 2] {
    let size = counts.symbols();
    let mut outcomes = [Outcomes::new(size), Outcomes::new(size)];
    for (sequence, count) in counts.of(head, direction) {
        for place in 0..=sequence.len() {
            let outcome = sequence.get(place).map_or(size, |&symbol| symbol as usize);
            match memory {
                Memory::Nothing => outcomes.iter_mut().for_each(|state| state.counts[outcome] += count),
                _ => outcomes[place.min(1)].counts[outcome] += count,
            }
        }
    }
    outcomes
}

fn root_distribution(counts: &ModifierCounts, kappa: f64) -> Vec<f64> {
    let size = counts.symbols();
    let mut outcomes = Outcomes::new(size - 1);
    outcomes.counts.copy_from_slice(counts.root());
    outcomes.smoothed(&vec![1.0 / size as f64; size], kappa)
}
