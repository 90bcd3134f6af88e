//! Hidden Markov models with stopping probabilities.
//!
//! A state `h₁ ~ π` emits `x₁ ~ O(· | h₁)`; then the model stops with probability `s(h₁)`, or continues to
//! `h₂ ~ T(· | h₁)`:
//!
//! ```text
//! p(x₁ … x_n) = Σ_{h₁ … h_n} π(h₁) O(x₁|h₁) Π_{i>1} (1 − s(h_{i−1})) T(h_i|h_{i−1}) O(x_i|h_i) · s(h_n)
//! ```
//!
//! The stopping probability makes it a distribution over strings of all lengths, as described by operator models
//! `α∞ᵀ A_{x_n} … A_{x₁} α₁`. Symbols and states are numbers.

use rand::Rng;

use super::automaton::Automaton;
use super::choice::{Choice, random_simplex};
use super::error::{ParameterError, check_distribution, check_len, check_rows};

/// A hidden Markov model with known parameters.
#[derive(Clone, Debug)]
pub struct Hmm {
    initial: Vec<f64>,
    transition: Vec<Vec<f64>>,
    emission: Vec<Vec<f64>>,
    stop: Vec<f64>,
}

impl Hmm {
    /// Creates a model with the given parameters: `transition[h]` is the distribution of the state after `h`,
    /// `emission[h]` that of the symbol, and `stop[h]` the probability of ending in `h`, which must be positive.
    ///
    /// # Errors
    /// If the shapes do not match or something is not a distribution.
    pub fn new(
        initial: Vec<f64>,
        transition: Vec<Vec<f64>>,
        emission: Vec<Vec<f64>>,
        stop: Vec<f64>,
    ) -> Result<Self, ParameterError> {
        let states = initial.len();
        check_distribution("the initial distribution", 0, initial.iter().copied())?;
        check_rows("transition row", &transition, states, states)?;
        check_rows("emission row", &emission, states, emission.first().map_or(0, Vec::len))?;
        check_len("the list of stopping probabilities", stop.len(), states)?;
        if let Some(state) = stop.iter().position(|s| !(*s > 0.0 && *s <= 1.0)) {
            return Err(ParameterError::NonTerminating { state });
        }
        Ok(Self { initial, transition, emission, stop })
    }

    /// A random model with these numbers of states and symbols (at least one each), with stopping probabilities between
    /// 0.1 and 0.4 and everything else drawn uniformly.
    pub fn random<R: Rng + ?Sized>(states: usize, symbols: usize, rng: &mut R) -> Self {
        let (states, symbols) = (states.max(1), symbols.max(1));
        Self {
            initial: random_simplex(states, rng),
            transition: (0..states).map(|_| random_simplex(states, rng)).collect(),
            emission: (0..states).map(|_| random_simplex(symbols, rng)).collect(),
            stop: (0..states).map(|_| rng.random_range(0.1..0.4)).collect(),
        }
    }

    /// Number of hidden states.
    pub fn state_count(&self) -> usize {
        self.initial.len()
    }

    /// Number of symbols.
    pub fn symbol_count(&self) -> usize {
        self.emission.first().map_or(0, Vec::len)
    }

    /// `π`.
    pub fn initial(&self) -> &[f64] {
        &self.initial
    }

    /// `T(· | state)`.
    ///
    /// # Panics
    /// If the state does not exist.
    pub fn transition(&self, state: usize) -> &[f64] {
        &self.transition[state]
    }

    /// `O(· | state)`.
    ///
    /// # Panics
    /// If the state does not exist.
    pub fn emission(&self, state: usize) -> &[f64] {
        &self.emission[state]
    }

    /// The stopping probabilities by state.
    pub fn stop(&self) -> &[f64] {
        &self.stop
    }

    /// Creates a sampler, which is faster than setting one up for every sequence.
    pub fn sampler(&self) -> HmmSampler<'_> {
        let rows = |rows: &[Vec<f64>]| rows.iter().map(|row| Choice::new(row.iter().copied())).collect();
        HmmSampler {
            model: self,
            initial: Choice::new(self.initial.iter().copied()),
            transition: rows(&self.transition),
            emission: rows(&self.emission),
        }
    }

    /// Exact probability of a string, by the forward recursion; 0 for unknown symbols.
    pub fn probability(&self, string: &[usize]) -> f64 {
        let Some((&first, rest)) = string.split_first() else { return 0.0 };
        let emit = |state: usize, symbol: usize| self.emission[state].get(symbol).copied().unwrap_or(0.0);
        let mut forward: Vec<f64> =
            self.initial.iter().enumerate().map(|(state, p)| p * emit(state, first)).collect();
        for &symbol in rest {
            let go_on: Vec<f64> = forward.iter().zip(&self.stop).map(|(p, stop)| p * (1.0 - stop)).collect();
            let arrive =
                |to: usize| -> f64 { go_on.iter().zip(&self.transition).map(|(p, row)| p * row[to]).sum() };
            forward = (0..go_on.len()).map(|to| arrive(to) * emit(to, symbol)).collect();
        }
        forward.iter().zip(&self.stop).map(|(p, stop)| p * stop).sum()
    }

    /// The same distribution over strings as an automaton, whose first state is a start that emits nothing by itself.
    pub fn to_automaton(&self) -> Automaton {
        let n = self.state_count();
        let mut operators = vec![vec![0.0; (n + 1) * (n + 1)]; self.symbol_count()];
        for (symbol, operator) in operators.iter_mut().enumerate() {
            for to in 0..n {
                let emitted = self.emission[to][symbol];
                operator[to + 1] = self.initial[to] * emitted;
                for from in 0..n {
                    let moved = (1.0 - self.stop[from]) * self.transition[from][to];
                    operator[(from + 1) * (n + 1) + to + 1] = moved * emitted;
                }
            }
        }
        let initial = (0..=n).map(|state| f64::from(u8::from(state == 0))).collect();
        let stop = std::iter::once(0.0).chain(self.stop.iter().copied()).collect();
        Automaton::new(initial, stop, operators)
            .expect("a hidden Markov model that stops is an automaton that stops")
    }
}

/// Draws strings from an [`Hmm`].
#[derive(Clone, Debug)]
pub struct HmmSampler<'m> {
    model: &'m Hmm,
    initial: Choice,
    transition: Vec<Choice>,
    emission: Vec<Choice>,
}

impl HmmSampler<'_> {
    /// Samples a string.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<usize> {
        let mut string = Vec::new();
        let mut state = self.initial.draw(rng);
        loop {
            string.push(self.emission[state].draw(rng));
            if rng.random::<f64>() < self.model.stop[state] {
                return string;
            }
            state = self.transition[state].draw(rng);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Sums `p` over all strings of exactly `length` symbols.
    fn mass(length: usize, symbols: usize, p: impl Fn(&[usize]) -> f64) -> f64 {
        let total = symbols.pow(u32::try_from(length).unwrap());
        let string = |mut code: usize| -> Vec<usize> {
            let digit = |_| {
                let symbol = code % symbols;
                code /= symbols;
                symbol
            };
            (0..length).map(digit).collect()
        };
        (0..total).map(|code| p(&string(code))).sum()
    }

    #[test]
    fn probabilities_sum_to_the_mass_that_has_stopped() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let hmm = Hmm::random(3, 2, &mut rng);
        let mut walking = hmm.initial().to_vec();
        let mut stopped = 0.0;
        let mut summed = 0.0;
        for length in 1..=9 {
            stopped += walking.iter().zip(hmm.stop()).map(|(p, s)| p * s).sum::<f64>();
            summed += mass(length, 2, |string| hmm.probability(string));
            assert!((stopped - summed).abs() < 1e-12, "{stopped} {summed}");
            let step = |to: usize| -> f64 {
                (0..3).map(|from| walking[from] * (1.0 - hmm.stop()[from]) * hmm.transition(from)[to]).sum()
            };
            walking = (0..3).map(step).collect();
        }
        assert!((summed + walking.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(hmm.probability(&[]), 0.0);
        assert_eq!(hmm.probability(&[0, 5]), 0.0);
    }

    #[test]
    fn the_automaton_gives_the_same_probabilities() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let hmm = Hmm::random(4, 3, &mut rng);
        let automaton = hmm.to_automaton();
        for _ in 0..200 {
            let string = hmm.sampler().sample(&mut rng);
            let (a, b) = (hmm.probability(&string), automaton.probability(&string));
            assert!((a - b).abs() <= 1e-12 * a, "{a} {b}");
        }
        assert_eq!(automaton.probability(&[]), 0.0);
    }

    #[test]
    fn frequencies_approach_probabilities() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let hmm = Hmm::random(3, 3, &mut rng);
        let (sampler, n) = (hmm.sampler(), 60_000);
        let hits = (0..n).filter(|_| sampler.sample(&mut rng) == [1]).count();
        let p = hmm.probability(&[1]);
        assert!((hits as f64 / n as f64 - p).abs() < 5.0 * (p * (1.0 - p) / n as f64).sqrt());
    }

    #[test]
    fn bad_parameters_are_refused() {
        let row = || vec![vec![0.5, 0.5], vec![0.5, 0.5]];
        let shape = Hmm::new(vec![1.0], row(), row(), vec![0.5, 0.5]).unwrap_err();
        assert_eq!(shape, ParameterError::Shape { what: "transition row", expected: 1, found: 2 });
        let endless = Hmm::new(vec![0.5, 0.5], row(), row(), vec![0.5, 0.0]).unwrap_err();
        assert_eq!(endless, ParameterError::NonTerminating { state: 1 });
        let uneven = Hmm::new(vec![0.5, 0.5], row(), vec![vec![0.9, 0.3], vec![1.0, 0.0]], vec![0.5, 0.5]);
        assert!(matches!(uneven, Err(ParameterError::Distribution { what: "emission row", index: 0, .. })));
    }
}
