//! The EM steps.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use spectral::Rank;

use super::expectation::expectations;
use super::prefix_tree::PrefixTree;
use super::update::{Estimator, finish, update};
use crate::automaton::Automaton;
use crate::automaton::counts::SequenceCounts;
use models::learn::LearnError;

/// Minimum number of steps, unless fewer are requested.
const LEAST_STEPS: usize = 10;

/// Configuration of EM.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EmConfig {
    /// Maximum number of steps.
    pub steps: usize,
    /// After the first ten steps, EM stops when one changes the log-likelihood by less than this, in nats per
    /// symbol or end.
    pub least_gain: f64,
    /// The estimator applied to expected counts.
    pub estimator: Estimator,
}

impl Default for EmConfig {
    fn default() -> Self {
        Self { steps: 100, least_gain: 1e-6, estimator: Estimator::MaximumLikelihood }
    }
}

/// Random start of EM.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmStart {
    /// The number of states.
    pub states: Rank,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl EmStart {
    /// The start of Luque et al. (2012), modelled on hidden Markov models: random initial, stopping and transition
    /// probabilities T, and `A_b = T O_b` with the relative frequency of b on the diagonal of `O_b`.
    pub fn automaton(self, counts: &SequenceCounts) -> Result<Automaton, LearnError> {
        let (n, symbols) = (self.states.get(), counts.alphabet());
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut simplex = |size: usize| -> Vec<f64> {
            let draws: Vec<f64> = (0..size).map(|_| rng.random_range(0.05..1.0)).collect();
            let sum: f64 = draws.iter().sum();
            draws.into_iter().map(|draw| draw / sum).collect()
        };
        let initial = simplex(n);
        let transitions: Vec<Vec<f64>> = (0..n).map(|_| simplex(n)).collect();
        let ends = counts.total() / counts.events().max(f64::MIN_POSITIVE);
        let terminal: Vec<f64> = simplex(n).iter().map(|draw| (ends * draw * n as f64).min(0.9)).collect();
        let mut shares = vec![0.0; symbols];
        for (sequence, weight) in counts.iter() {
            sequence.iter().for_each(|&symbol| shares[symbol as usize] += weight);
        }
        let all = counts.symbols().max(f64::MIN_POSITIVE);
        let mut operators = Vec::with_capacity(symbols * n * n);
        for share in shares {
            for to in 0..n {
                let moves = transitions.iter().zip(&terminal);
                operators.extend(moves.map(|(row, stop)| row[to] * (1.0 - stop) * share / all));
            }
        }
        Automaton::new(initial, terminal, operators, symbols)
            .map_err(|error| LearnError::failed("random start of EM", error))
    }
}

/// The result of EM.
#[derive(Clone, Debug)]
pub struct EmRun {
    /// The automaton, a probability distribution over sequences.
    pub automaton: Automaton,
    /// The log-likelihood of the data before each iteration.
    pub log_likelihoods: Vec<f64>,
}

/// Learns an automaton from a random start.
pub fn learn_em(counts: &SequenceCounts, start: EmStart, config: &EmConfig) -> Result<EmRun, LearnError> {
    refine(&start.automaton(counts)?, counts, config)
}

/// Continues from a given automaton, whose parameters must not be negative.
pub fn refine(start: &Automaton, counts: &SequenceCounts, config: &EmConfig) -> Result<EmRun, LearnError> {
    if counts.is_empty() {
        return Err(LearnError::bad_data("no sequences to learn from; give at least one"));
    }
    if counts.alphabet() > start.symbols() {
        return Err(LearnError::bad_data(format!(
            "the sequences have {} symbols, but the initial automaton has {}",
            counts.alphabet(),
            start.symbols()
        )));
    }
    if let Estimator::Variational { pseudo_count } = config.estimator
        && !(pseudo_count > 0.0 && pseudo_count.is_finite())
    {
        return Err(LearnError::bad_config("the pseudo-count of EM must be above zero"));
    }
    let parameters = start.initial().iter().chain(start.terminal()).chain(start.operators());
    if parameters.into_iter().any(|&parameter| parameter < 0.0) {
        return Err(LearnError::bad_data("the initial automaton has negative parameters"));
    }
    let failed = |error| LearnError::failed("expectation–maximisation", error);
    let trees = PrefixTree::forest(counts);
    let enough = config.least_gain * counts.events();
    let mut run = EmRun { automaton: start.clone(), log_likelihoods: Vec::new() };
    for step in 0..config.steps {
        let counted = expectations(&run.automaton, &trees);
        if counted.impossible > 0.0 {
            return Err(LearnError::bad_data(format!(
                "{} sequences have probability zero under the initial automaton",
                counted.impossible
            )));
        }
        let gain = run.log_likelihoods.last().map(|last| counted.log_likelihood - last);
        run.log_likelihoods.push(counted.log_likelihood);
        // From a random start the first steps gain little, and with prior counts the likelihood need not rise at every
        // step.
        let settled = step >= LEAST_STEPS && gain.is_some_and(|gain| gain.abs() < enough);
        let last = step + 1 == config.steps || settled;
        let parameters = if last { finish } else { update };
        run.automaton = parameters(&counted, config.estimator).map_err(failed)?;
        if last {
            break;
        }
    }
    Ok(run)
}
