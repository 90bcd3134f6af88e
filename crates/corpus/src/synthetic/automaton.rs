//! Probabilistic non-deterministic finite automata (PNFA).
//!
//! A state either stops or emits a symbol and moves: `Σ_x Σ_{h'} A_x[h', h] + α∞[h] = 1`. The probability of a string
//! is a product of operators, `p(x₁ … x_n) = α∞ᵀ A_{x_n} … A_{x₁} α₁` (Luque et al. 2012, equation 3). The empty
//! string may have a positive probability too. Every [`Hmm`](super::Hmm) that stops is such an automaton; the converse
//! needs more states.

use rand::Rng;

use super::choice::{Choice, random_simplex};
use super::error::{ParameterError, check_distribution, check_len};
use super::termination::check_termination;

/// An automaton with known parameters.
#[derive(Clone, Debug)]
pub struct Automaton {
    initial: Vec<f64>,
    stop: Vec<f64>,
    /// `operators[x][from * n + to]` is the probability of emitting `x` and moving to `to`, given `from`.
    operators: Vec<Vec<f64>>,
}

impl Automaton {
    /// Creates an automaton with `n` states; `operators[x][from * n + to]` is the probability of emitting `x` and
    /// moving to `to`.
    ///
    /// # Errors
    /// If the shapes do not match, the probabilities of a state do not sum to 1, or the expected length is infinite.
    pub fn new(initial: Vec<f64>, stop: Vec<f64>, operators: Vec<Vec<f64>>) -> Result<Self, ParameterError> {
        let n = initial.len();
        check_distribution("the initial distribution", 0, initial.iter().copied())?;
        check_len("the list of stopping probabilities", stop.len(), n)?;
        for operator in &operators {
            check_len("an operator", operator.len(), n * n)?;
        }
        for (from, &stop) in stop.iter().enumerate() {
            let moves = operators.iter().flat_map(|operator| &operator[from * n..(from + 1) * n]);
            check_distribution("state", from, moves.copied().chain([stop]))?;
        }
        let automaton = Self { initial, stop, operators };
        let means = (0..n).map(|from| automaton.moves_from(from)).collect();
        match check_termination(&means) {
            Ok(()) => Ok(automaton),
            Err(explosion) => Err(ParameterError::NonTerminating { state: explosion.node }),
        }
    }

    /// A random automaton with these numbers of states and symbols (at least one each), with stopping probabilities
    /// between 0.1 and 0.4 and everything else drawn uniformly.
    pub fn random<R: Rng + ?Sized>(states: usize, symbols: usize, rng: &mut R) -> Self {
        let (n, symbols) = (states.max(1), symbols.max(1));
        let stop: Vec<f64> = (0..n).map(|_| rng.random_range(0.1..0.4)).collect();
        let mut operators = vec![vec![0.0; n * n]; symbols];
        for (from, stop) in stop.iter().enumerate() {
            let moves = random_simplex(symbols * n, rng);
            for (index, share) in moves.iter().enumerate() {
                operators[index / n][from * n + index % n] = share * (1.0 - stop);
            }
        }
        Self { initial: random_simplex(n, rng), stop, operators }
    }

    /// Number of states.
    pub fn state_count(&self) -> usize {
        self.initial.len()
    }

    /// Number of symbols.
    pub fn symbol_count(&self) -> usize {
        self.operators.len()
    }

    /// `α₁`.
    pub fn initial(&self) -> &[f64] {
        &self.initial
    }

    /// `α∞`.
    pub fn stop(&self) -> &[f64] {
        &self.stop
    }

    /// Probability of emitting `symbol` and moving to `to`, given `from`.
    ///
    /// # Panics
    /// If the state or symbol does not exist.
    pub fn move_probability(&self, symbol: usize, from: usize, to: usize) -> f64 {
        self.operators[symbol][from * self.initial.len() + to]
    }

    /// Probabilities of the next state, whatever is emitted.
    fn moves_from(&self, from: usize) -> Vec<(usize, f64)> {
        let n = self.initial.len();
        let to = |to: usize| (to, self.operators.iter().map(|operator| operator[from * n + to]).sum());
        (0..n).map(to).filter(|&(_, p)| p > 0.0).collect()
    }

    /// State weights after a step with `symbol`, if the symbol exists.
    fn step(&self, forward: &[f64], symbol: usize) -> Option<Vec<f64>> {
        let (n, operator) = (forward.len(), self.operators.get(symbol)?);
        let arrive = |to: usize| (0..n).map(|from| forward[from] * operator[from * n + to]).sum();
        Some((0..n).map(arrive).collect())
    }

    /// Exact probability of a string; 0 for unknown symbols.
    pub fn probability(&self, string: &[usize]) -> f64 {
        let mut forward = self.initial.clone();
        for &symbol in string {
            match self.step(&forward, symbol) {
                Some(next) => forward = next,
                None => return 0.0,
            }
        }
        forward.iter().zip(&self.stop).map(|(p, stop)| p * stop).sum()
    }

    /// Samples a string.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Vec<usize> {
        let n = self.initial.len();
        let mut string = Vec::new();
        let mut state = Choice::new(self.initial.iter().copied()).draw(rng);
        loop {
            let moves = self.operators.iter().flat_map(|operator| &operator[state * n..(state + 1) * n]);
            let drawn = Choice::new(std::iter::once(self.stop[state]).chain(moves.copied())).draw(rng);
            match drawn.checked_sub(1) {
                None => return string,
                Some(index) => {
                    string.push(index / n);
                    state = index % n;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn short_strings_and_the_rest_sum_to_one() {
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let automaton = Automaton::random(3, 2, &mut rng);
        let mut summed = 0.0;
        let mut frontier: Vec<Vec<usize>> = vec![Vec::new()];
        let mut forward_mass = automaton.initial().to_vec();
        for _ in 0..8 {
            summed += frontier.iter().map(|string| automaton.probability(string)).sum::<f64>();
            frontier = frontier.iter().flat_map(|s| (0..2).map(move |x| [&s[..], &[x]].concat())).collect();
            let steps: Vec<Vec<f64>> = (0..2).map(|x| automaton.step(&forward_mass, x).unwrap()).collect();
            forward_mass = (0..3).map(|state| steps.iter().map(|step| step[state]).sum()).collect();
        }
        assert!(summed < 1.0);
        assert!((summed + forward_mass.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn frequencies_approach_probabilities() {
        let mut rng = ChaCha8Rng::seed_from_u64(10);
        let automaton = Automaton::random(2, 2, &mut rng);
        for string in [&[][..], &[0], &[1, 0]] {
            let (n, p) = (40_000, automaton.probability(string));
            let hits = (0..n).filter(|_| automaton.sample(&mut rng) == string).count();
            assert!((hits as f64 / n as f64 - p).abs() < 5.0 * (p * (1.0 - p) / n as f64).sqrt());
        }
    }

    #[test]
    fn a_trap_is_refused() {
        // State 1 moves to itself forever.
        let error =
            Automaton::new(vec![1.0, 0.0], vec![0.5, 0.0], vec![vec![0.0, 0.5, 0.0, 1.0]]).unwrap_err();
        assert_eq!(error, ParameterError::NonTerminating { state: 1 });
    }
}
