//! Automata from sequences: exact recovery from population statistics, and invariants of EM.

use corpus::synthetic::{Automaton as Pnfa, Hmm};
use eigentree_sequences::automaton::{
    Automaton, Basis, BasisConfig, Bound, ChainMoments, EmConfig, EmStart, Estimator, Feature, Hankel,
    ReducedHmmConfig, SequenceCounts, SpectralConfig, estimate_reduced_hmm, evaluate, learn_em,
    learn_reduced_hmm, learn_spectral, refine,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use spectral::moments::{CountTableBuilder, Scaling};
use spectral::operators::{AutomatonConfig, AutomatonMoments, ShiftedCell, estimate_automaton};
use spectral::view::{FeatureDim, FeatureId};
use spectral::{Rank, RankConfig};

const ALL: [Hankel; 5] =
    [Hankel::Strings, Hankel::Prefixes, Hankel::Suffixes, Hankel::Substrings, Hankel::Marked];

fn rank(states: usize) -> Rank {
    Rank::new(states).unwrap()
}

fn spectral(states: usize, basis: BasisConfig) -> SpectralConfig {
    SpectralConfig { basis, ..SpectralConfig::paper(rank(states)) }
}

/// All strings over `symbols` up to a length.
fn strings(symbols: u32, length: usize) -> Vec<Vec<u32>> {
    let (mut all, mut start) = (vec![vec![]], 0);
    for _ in 0..length {
        let end = all.len();
        for shorter in start..end {
            for symbol in 0..symbols {
                let string = [&all[shorter][..], &[symbol]].concat();
                all.push(string);
            }
        }
        start = end;
    }
    all
}

fn wide(string: &[u32]) -> Vec<usize> {
    string.iter().map(|&symbol| symbol as usize).collect()
}

/// A random automaton whose strings have at most four symbols: layers of two states, of which the last stops. The
/// states of the first layer have one mixture, and those of the last the same future, so its rank is 1 + 2 + 2 + 2 + 1.
fn layered(rng: &mut ChaCha8Rng) -> Automaton {
    let (symbols, layers, n) = (3, 5, 10);
    let mut simplex = |size: usize| -> Vec<f64> {
        let draws: Vec<f64> = (0..size).map(|_| rng.random_range(0.05..1.0)).collect();
        let sum: f64 = draws.iter().sum();
        draws.into_iter().map(|draw| draw / sum).collect()
    };
    let first = simplex(2);
    let initial = (0..n).map(|state| first.get(state).copied().unwrap_or(0.0)).collect();
    let (mut terminal, mut operators) = (vec![1.0; n], vec![0.0; symbols * n * n]);
    for from in 0..2 * (layers - 1) {
        let outcomes = simplex(2 * symbols + 1);
        terminal[from] = outcomes[2 * symbols];
        for symbol in 0..symbols {
            for side in 0..2 {
                let to = from / 2 * 2 + 2 + side;
                operators[symbol * n * n + to * n + from] = outcomes[2 * symbol + side];
            }
        }
    }
    Automaton::new(initial, terminal, operators, symbols).unwrap()
}

#[test]
fn every_kind_of_basis_recovers_a_finite_language_from_its_probabilities() {
    for seed in 0..3 {
        let truth = layered(&mut ChaCha8Rng::seed_from_u64(seed));
        let all = strings(3, 4);
        let counts =
            SequenceCounts::new(3, all.iter().map(|string| (string, evaluate(&truth, string).value())))
                .unwrap();
        assert!((counts.total() - 1.0).abs() < 1e-12);
        for hankel in ALL {
            for scaling in [Scaling::None, Scaling::DiagonalCca { pseudo_count: 0.01 }] {
                let config = SpectralConfig { scaling, ..spectral(8, BasisConfig::length(hankel, 4)) };
                let estimate = learn_spectral(&counts, &config).unwrap();
                assert_eq!(estimate.automaton.states(), 8, "{hankel:?}");
                for (string, expected) in counts.iter() {
                    let error = (evaluate(&estimate.automaton, string).value() - expected).abs();
                    assert!(error < 1e-8, "{hankel:?} {scaling:?} {string:?}: {error:e}");
                }
                // One step ahead: the total value of all strings that begin with a symbol is the product with the first
                // state.
                for (symbol, next) in estimate.next().chunks_exact(8).enumerate() {
                    let found: f64 = next.iter().zip(estimate.automaton.initial()).map(|(a, b)| a * b).sum();
                    let begins = counts.iter().filter(|(string, _)| string.first() == Some(&(symbol as u32)));
                    let expected: f64 = begins.map(|(_, weight)| weight).sum();
                    assert!((found - expected).abs() < 1e-8, "{hankel:?}: {found} {expected}");
                }
            }
        }
    }
}

/// The synthetic automaton as operators.
fn operators(pnfa: &Pnfa) -> Automaton {
    let (n, symbols) = (pnfa.state_count(), pnfa.symbol_count());
    let mut entries = Vec::new();
    for symbol in 0..symbols {
        for to in 0..n {
            entries.extend((0..n).map(|from| pnfa.move_probability(symbol, from, to)));
        }
    }
    Automaton::new(pnfa.initial().to_vec(), pnfa.stop().to_vec(), entries, symbols).unwrap()
}

/// `A v` for the sum of all operators or one of them.
fn apply(automaton: &Automaton, symbol: Option<u32>, vector: &[f64]) -> Vec<f64> {
    let n = vector.len();
    let symbols = symbol.map_or(0..automaton.symbols(), |symbol| symbol as usize..symbol as usize + 1);
    let mut sum = vec![0.0; n];
    for symbol in symbols {
        let operator = automaton.operator(FeatureId::new(symbol).unwrap());
        for i in 0..n {
            sum[i] += (0..n).map(|j| operator[(i, j)] * vector[j]).sum::<f64>();
        }
    }
    sum
}

/// The population value of a prefix feature: `A_u α₁`, or `A_u Σ_k (Σ_b A_b)ᵏ α₁` if it is open.
fn forward(automaton: &Automaton, feature: &Feature) -> Vec<f64> {
    let mut state = automaton.initial().to_vec();
    if feature.bound == Bound::Open {
        let mut power = state.clone();
        // Strings stop with probability at least 0.1 at each position.
        for _ in 0..1000 {
            power = apply(automaton, None, &power);
            state.iter_mut().zip(&power).for_each(|(sum, entry)| *sum += entry);
        }
    }
    feature.symbols.iter().fold(state, |state, &symbol| apply(automaton, Some(symbol), &state))
}

/// The value of a suffix feature after a state.
fn backward(automaton: &Automaton, feature: &Feature, state: &[f64]) -> f64 {
    let end =
        feature.symbols.iter().fold(state.to_vec(), |state, &symbol| apply(automaton, Some(symbol), &state));
    match feature.bound {
        Bound::Open => end.iter().sum(),
        Bound::Anchored => end.iter().zip(automaton.terminal()).map(|(a, b)| a * b).sum(),
    }
}

#[test]
fn every_kind_of_basis_recovers_automata_and_hidden_markov_models_from_population_moments() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let hmm = Hmm::random(2, 4, &mut rng);
    for pnfa in [Pnfa::random(3, 4, &mut rng), Pnfa::random(2, 3, &mut rng), hmm.to_automaton()] {
        let truth = operators(&pnfa);
        let symbols = truth.symbols();
        let sample: Vec<Vec<u32>> =
            (0..400).map(|_| pnfa.sample(&mut rng).iter().map(|&symbol| symbol as u32).collect()).collect();
        let counts = SequenceCounts::of(symbols, &sample).unwrap();
        for hankel in ALL {
            let basis = Basis::new(&counts, &BasisConfig::length(hankel, 2));
            let (prefixes, suffixes) = (basis.prefixes.features(), basis.suffixes.features());
            let columns: Vec<Vec<f64>> = prefixes.iter().map(|feature| forward(&truth, feature)).collect();
            let dim = |size: usize| FeatureDim::new(size).unwrap();
            let id = |index: usize| FeatureId::new(index).unwrap();
            let mut block = CountTableBuilder::new(dim(suffixes.len()), dim(prefixes.len()));
            let mut shifted = Vec::new();
            for (s, suffix) in suffixes.iter().enumerate() {
                for (p, column) in columns.iter().enumerate() {
                    block.push(id(s), id(p), backward(&truth, suffix, column)).unwrap();
                    for b in 0..symbols {
                        let count = backward(&truth, suffix, &apply(&truth, Some(b as u32), column));
                        shifted.push(ShiftedCell { symbol: id(b), suffix: id(s), prefix: id(p), count });
                    }
                }
            }
            let stop = Feature { symbols: vec![], bound: Bound::Anchored };
            let moments = AutomatonMoments {
                block: block.finish().unwrap(),
                shifted,
                initial: suffixes.iter().map(|suffix| backward(&truth, suffix, truth.initial())).collect(),
                terminal: columns.iter().map(|column| backward(&truth, &stop, column)).collect(),
                symbols: dim(symbols),
                strings: 1.0,
            };
            let states = truth.states();
            let estimate = estimate_automaton(&moments, &AutomatonConfig::fixed(rank(states))).unwrap();
            for string in strings(symbols as u32, 4) {
                let error =
                    (evaluate(&estimate.automaton, &string).value() - pnfa.probability(&wide(&string))).abs();
                assert!(error < 1e-8, "{hankel:?} {string:?}: {error:e}");
            }
        }
    }
}

#[test]
fn the_reduced_form_recovers_hidden_markov_models_from_population_moments() {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    for _ in 0..3 {
        let (states, symbols) = (3, 5);
        let hmm = Hmm::random(states, symbols, &mut rng);
        // One more state that emits STOP and is absorbing.
        let emit = |state: usize, symbol: usize| match (state == states, symbol == symbols) {
            (false, false) => hmm.emission(state)[symbol],
            (a, b) => f64::from(u8::from(a && b)),
        };
        let go = |from: usize, to: usize| match (from == states, to == states) {
            (false, false) => (1.0 - hmm.stop()[from]) * hmm.transition(from)[to],
            (false, true) => hmm.stop()[from],
            (true, end) => f64::from(u8::from(end)),
        };
        let mut visits = vec![0.0; states + 1];
        let mut now = [hmm.initial(), &[0.0]].concat();
        for _ in 0..2000 {
            visits.iter_mut().zip(&now).take(states).for_each(|(sum, share)| *sum += share);
            now = (0..=states).map(|to| (0..states).map(|from| now[from] * go(from, to)).sum()).collect();
        }
        visits[states] = 1.0;
        let all = |from: &[f64], symbol: usize| -> Vec<f64> {
            from.iter().enumerate().map(|(state, share)| share * emit(state, symbol)).collect()
        };
        let moved = |from: &[f64]| -> Vec<f64> {
            (0..=states).map(|to| (0..=states).map(|state| from[state] * go(state, to)).sum()).collect()
        };
        let mut moments = ChainMoments::default();
        let first = [hmm.initial(), &[0.0]].concat();
        for a in 0..=symbols {
            moments.first.push(all(&first, a).iter().sum());
            for b in 0..=symbols {
                for c in 0..=symbols {
                    let weight = all(&moved(&all(&moved(&all(&visits, a)), b)), c).iter().sum();
                    moments.triples.push(([a, b, c].map(|symbol| symbol as u32), weight));
                }
            }
        }
        let config = reduced(states + 1);
        let learnt = estimate_reduced_hmm(&moments, &config).unwrap();
        for string in strings(symbols as u32, 4) {
            let error =
                (evaluate(&learnt.automaton, &string).value() - hmm.probability(&wide(&string))).abs();
            assert!(error < 1e-8, "{string:?}: {error:e}");
        }
        for (symbol, next) in learnt.next.chunks_exact(states + 1).enumerate() {
            let found: f64 = next.iter().zip(learnt.automaton.initial()).map(|(a, b)| a * b).sum();
            assert!((found - moments.first[symbol]).abs() < 1e-8);
        }
    }
}

fn reduced(dimensions: usize) -> ReducedHmmConfig {
    ReducedHmmConfig {
        rank: RankConfig::fixed(rank(dimensions)),
        scaling: Scaling::None,
        tolerance: 1e-6,
        seed: 0,
    }
}

fn sampled(seed: u64, strings: usize) -> SequenceCounts {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let pnfa = Pnfa::random(3, 4, &mut rng);
    let all =
        (0..strings).map(|_| pnfa.sample(&mut rng).iter().map(|&symbol| symbol as u32).collect::<Vec<u32>>());
    SequenceCounts::of(4, all).unwrap()
}

#[test]
fn the_error_falls_with_the_root_of_the_sample() {
    let mut points = Vec::new();
    for size in [2_000, 8_000, 32_000, 128_000] {
        let mut error = 0.0;
        for seed in 30..36 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let pnfa = Pnfa::random(2, 3, &mut rng);
            let all = (0..size)
                .map(|_| pnfa.sample(&mut rng).iter().map(|&symbol| symbol as u32).collect::<Vec<u32>>());
            let counts = SequenceCounts::of(3, all).unwrap();
            let learnt = learn_spectral(&counts, &spectral(2, BasisConfig::bigrams())).unwrap();
            for string in strings(3, 3) {
                let difference =
                    evaluate(&learnt.automaton, &string).value() - pnfa.probability(&wide(&string));
                error += difference * difference;
            }
        }
        points.push(((size as f64).ln(), 0.5 * error.ln()));
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
    let (mx, my) = (mean(&x), mean(&y));
    let slope = x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>()
        / x.iter().map(|x| (x - mx).powi(2)).sum::<f64>();
    assert!((slope + 0.5).abs() < 0.15, "{slope}");
}

#[test]
fn fewer_states_come_from_the_same_decomposition() {
    let counts = sampled(3, 3000);
    let basis = BasisConfig::length(Hankel::Marked, 2);
    let most = learn_spectral(&counts, &spectral(6, basis)).unwrap();
    for states in 1..6 {
        let fewer = learn_spectral(&counts, &spectral(states, basis)).unwrap().automaton;
        let cut = most.truncated(rank(states)).automaton;
        for (string, _) in counts.iter().take(50) {
            let (a, b) = (evaluate(&cut, string).value(), evaluate(&fewer, string).value());
            assert!((a - b).abs() < 1e-9, "{states}: {a} {b}");
        }
    }
}

#[test]
fn any_basis_of_the_states_gives_the_same_values() {
    let counts = sampled(4, 2000);
    let learnt = learn_spectral(&counts, &spectral(3, BasisConfig::bigrams())).unwrap().automaton;
    let changed = learnt
        .change_basis(faer::mat![[1.0, 0.3, -0.2], [0.5, -1.0, 0.1], [0.2, 0.4, 2.0]].as_ref())
        .unwrap();
    for (string, _) in counts.iter() {
        let (a, b) = (evaluate(&learnt, string), evaluate(&changed, string));
        assert!((a.value() - b.value()).abs() < 1e-12);
    }
}

#[test]
fn the_likelihood_never_falls_and_is_that_of_the_values() {
    let counts = sampled(5, 3000);
    let config = EmConfig { steps: 60, least_gain: 0.0, ..EmConfig::default() };
    let run = learn_em(&counts, EmStart { states: rank(4), seed: 1 }, &config).unwrap();
    assert!(run.log_likelihoods.windows(2).all(|pair| pair[1] >= pair[0] - 1e-7 * pair[0].abs()));
    assert!(run.log_likelihoods[59] > run.log_likelihoods[0] + 10.0);
    let start = EmStart { states: rank(4), seed: 1 }.automaton(&counts).unwrap();
    let log: f64 = counts.iter().map(|(string, weight)| weight * evaluate(&start, string).log).sum();
    assert!((log - run.log_likelihoods[0]).abs() < 1e-8 * log.abs());
    // A distribution: outcomes of each state sum to one.
    for from in 0..4 {
        let moves: f64 = run.automaton.operators().chunks_exact(4).map(|row| row[from]).sum();
        assert!((moves + run.automaton.terminal()[from] - 1.0).abs() < 1e-9);
    }
}

#[test]
fn one_state_has_relative_frequencies_at_once() {
    let counts = sampled(6, 500);
    let config = EmConfig { steps: 1, ..EmConfig::default() };
    let automaton = learn_em(&counts, EmStart { states: rank(1), seed: 0 }, &config).unwrap().automaton;
    assert!((automaton.terminal()[0] - counts.total() / counts.events()).abs() < 1e-12);
    for symbol in 0..4 {
        let uses: f64 = counts
            .iter()
            .map(|(string, weight)| weight * string.iter().filter(|&&x| x == symbol).count() as f64)
            .sum();
        assert!((automaton.operators()[symbol as usize] - uses / counts.events()).abs() < 1e-12);
    }
}

#[test]
fn prior_counts_empty_states_that_are_not_needed() {
    // The truth has one state; most of the six must fall out of use.
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let pnfa = Pnfa::random(1, 4, &mut rng);
    let all =
        (0..3000).map(|_| pnfa.sample(&mut rng).iter().map(|&symbol| symbol as u32).collect::<Vec<u32>>());
    let counts = SequenceCounts::of(4, all).unwrap();
    let config =
        EmConfig { steps: 300, least_gain: 0.0, estimator: Estimator::Variational { pseudo_count: 0.1 } };
    let run = learn_em(&counts, EmStart { states: rank(6), seed: 3 }, &config).unwrap();
    let truth: f64 =
        counts.iter().map(|(string, weight)| weight * pnfa.probability(&wide(string)).ln()).sum();
    let found: f64 =
        counts.iter().map(|(string, weight)| weight * evaluate(&run.automaton, string).log).sum();
    assert!((found - truth).abs() < 40.0, "{found} {truth}");
}

#[test]
fn long_sequences_neither_vanish_nor_overflow() {
    let counts = sampled(9, 2000);
    let long: Vec<u32> = (0..50_000).map(|i| i % 4).collect();
    let spectral = learn_spectral(&counts, &spectral(3, BasisConfig::bigrams())).unwrap().automaton;
    let value = evaluate(&spectral, &long);
    assert!(value.log.is_finite() && value.log < -1e4);
    let with_long = counts.merged(&SequenceCounts::of(4, [&long]).unwrap()).unwrap();
    let config = EmConfig { steps: 3, ..EmConfig::default() };
    let run = learn_em(&with_long, EmStart { states: rank(3), seed: 0 }, &config).unwrap();
    assert!(run.log_likelihoods.iter().all(|log| log.is_finite()));
    assert!(evaluate(&run.automaton, &long).log.is_finite());
}

#[test]
fn threads_change_nothing() {
    let counts = sampled(10, 20_000);
    let learn = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let config = EmConfig { steps: 4, ..EmConfig::default() };
            let em = learn_em(&counts, EmStart { states: rank(3), seed: 2 }, &config).unwrap();
            // Enough features that the decomposition is truncated.
            let basis = BasisConfig::length(Hankel::Marked, 5);
            let spectral = learn_spectral(&counts, &spectral(5, basis)).unwrap().automaton;
            (
                em.automaton,
                em.log_likelihoods,
                spectral,
                learn_reduced_hmm(&counts, &reduced(3)).unwrap().automaton,
            )
        })
    };
    assert_eq!(learn(1), learn(3));
}

#[test]
fn what_cannot_be_learnt_is_said() {
    let none = SequenceCounts::new::<Vec<u32>>(2, []).unwrap();
    let config = spectral(2, BasisConfig::bigrams());
    assert!(learn_spectral(&none, &config).unwrap_err().is_bad_data());
    assert!(
        learn_em(&none, EmStart { states: rank(2), seed: 0 }, &EmConfig::default())
            .unwrap_err()
            .is_bad_data()
    );
    let some = SequenceCounts::of(2, [[0, 1]]).unwrap();
    let empty = spectral(2, BasisConfig { limit: Some(0), ..BasisConfig::bigrams() });
    assert!(learn_spectral(&some, &empty).unwrap_err().is_bad_config());
    let negative = Automaton::new(vec![1.0], vec![0.5], vec![-0.5, 0.1], 2).unwrap();
    assert!(refine(&negative, &some, &EmConfig::default()).unwrap_err().is_bad_data());
}
