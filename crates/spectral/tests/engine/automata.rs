//! From the population statistics of substrings, the probability of every string.

use faer::Mat;
use linalg::pseudo_inverse;
use rand_chacha::ChaCha8Rng;
use spectral::moments::{CountTableBuilder, Scaling};
use spectral::operators::{
    AutomatonConfig, AutomatonMoments, ObservableAutomaton, ShiftedCell, estimate_automaton,
};
use spectral::view::FeatureId;
use spectral::{Rank, SpectralError};

use crate::random::{dim, distribution, id, invertible, rng};

const STATES: usize = 3;
const SYMBOLS: usize = 4;

/// A probabilistic automaton: from state j it stops, or emits b and moves to i, `step[b][(i, j)]`.
struct Pnfa {
    start: Mat<f64>,
    stop: Mat<f64>,
    step: Vec<Mat<f64>>,
}

impl Pnfa {
    fn random(rng: &mut ChaCha8Rng) -> Self {
        let start = distribution(rng, STATES);
        let moves: Vec<Vec<f64>> = (0..STATES).map(|_| distribution(rng, SYMBOLS * STATES + 1)).collect();
        Pnfa {
            start: Mat::from_fn(STATES, 1, |i, _| start[i]),
            stop: Mat::from_fn(1, STATES, |_, j| moves[j][SYMBOLS * STATES]),
            step: (0..SYMBOLS)
                .map(|b| Mat::from_fn(STATES, STATES, |i, j| moves[j][b * STATES + i]))
                .collect(),
        }
    }

    fn probability(&self, string: &[FeatureId]) -> f64 {
        let end = string.iter().fold(self.start.clone(), |state, b| &self.step[b.index()] * state);
        (&self.stop * end)[(0, 0)]
    }

    /// The expected state vector summed over all positions, `(I − Σ A_b)⁻¹ α₁`.
    fn visits(&self) -> Mat<f64> {
        let mut rest = Mat::<f64>::identity(STATES, STATES);
        for step in &self.step {
            rest -= step;
        }
        pseudo_inverse(rest.as_ref(), 1e-14).unwrap().matrix * &self.start
    }

    /// Expected counts over suffix rows and prefix columns, from the backward row of each suffix and the forward column
    /// of each prefix; `initial` and `terminal` are the forward column and backward row of the two ends.
    fn moments(&self, backward: &[Mat<f64>], forward: &[Mat<f64>]) -> AutomatonMoments {
        let mut block = CountTableBuilder::new(dim(backward.len()), dim(forward.len()));
        let mut shifted = Vec::new();
        for (s, row) in backward.iter().enumerate() {
            for (p, column) in forward.iter().enumerate() {
                block.push(id(s), id(p), (row * column)[(0, 0)]).unwrap();
                for (b, step) in self.step.iter().enumerate() {
                    let count = (row * step * column)[(0, 0)];
                    shifted.push(ShiftedCell { symbol: id(b), suffix: id(s), prefix: id(p), count });
                }
            }
        }
        AutomatonMoments {
            block: block.finish().unwrap(),
            shifted,
            initial: backward.iter().map(|row| (row * &self.start)[(0, 0)]).collect(),
            terminal: forward.iter().map(|column| (&self.stop * column)[(0, 0)]).collect(),
            symbols: dim(SYMBOLS),
            strings: 1.0,
        }
    }

    /// The backward row `1ᵀ A_b` of every symbol.
    fn backward(&self) -> Vec<Mat<f64>> {
        let ones = Mat::from_fn(1, STATES, |_, _| 1.0);
        self.step.iter().map(|step| &ones * step).collect()
    }

    /// The forward column `A_a (I − Σ A_b)⁻¹ α₁` of every symbol.
    fn forward(&self) -> Vec<Mat<f64>> {
        let visits = self.visits();
        self.step.iter().map(|step| step * &visits).collect()
    }
}

/// All strings of up to five symbols.
fn strings() -> Vec<Vec<FeatureId>> {
    let mut all = vec![vec![]];
    let mut start = 0;
    for _ in 0..5 {
        let end = all.len();
        for shorter in start..end {
            for symbol in 0..SYMBOLS {
                let mut string: Vec<FeatureId> = all[shorter].clone();
                string.push(id(symbol));
                all.push(string);
            }
        }
        start = end;
    }
    all
}

fn largest_error(pnfa: &Pnfa, automaton: &ObservableAutomaton) -> f64 {
    strings()
        .iter()
        .map(|string| (pnfa.probability(string) - automaton.value(string)).abs())
        .fold(0.0, f64::max)
}

fn config(scaling: Scaling) -> AutomatonConfig {
    let mut config = AutomatonConfig::fixed(Rank::new(STATES).unwrap());
    config.decompose.scaling = scaling;
    config
}

#[test]
fn every_string_has_its_true_probability() {
    assert_eq!(strings().len(), (0..=5).map(|length| SYMBOLS.pow(length)).sum::<usize>());
    for seed in 10..13 {
        let pnfa = Pnfa::random(&mut rng(seed));
        let moments = pnfa.moments(&pnfa.backward(), &pnfa.forward());
        for scaling in [Scaling::None, Scaling::DiagonalCca { pseudo_count: 0.1 }] {
            let estimate = estimate_automaton(&moments, &config(scaling)).unwrap();
            assert_eq!(estimate.automaton.states(), STATES);
            let error = largest_error(&pnfa, &estimate.automaton);
            assert!(error < 1e-8, "seed {seed}, {scaling:?}: {error:e}");
        }
    }
}

#[test]
fn start_and_stop_markers_fit_the_same_form() {
    let pnfa = Pnfa::random(&mut rng(20));
    let (mut backward, mut forward) = (pnfa.backward(), pnfa.forward());
    backward.push(pnfa.stop.clone());
    forward.push(pnfa.start.clone());
    let moments = pnfa.moments(&backward, &forward);
    // The two end vectors are a column and a row of the block.
    for symbol in 0..=SYMBOLS {
        assert!((moments.initial[symbol] - moments.block.get(id(symbol), id(SYMBOLS))).abs() < 1e-15);
        assert!((moments.terminal[symbol] - moments.block.get(id(SYMBOLS), id(symbol))).abs() < 1e-15);
    }
    let estimate = estimate_automaton(&moments, &config(Scaling::None)).unwrap();
    assert!(largest_error(&pnfa, &estimate.automaton) < 1e-8);
}

#[test]
fn counts_are_divided_by_the_number_of_strings() {
    let pnfa = Pnfa::random(&mut rng(21));
    let mut moments = pnfa.moments(&pnfa.backward(), &pnfa.forward());
    let mut block = CountTableBuilder::new(dim(SYMBOLS), dim(SYMBOLS));
    for (row, column, count) in moments.block.iter() {
        block.push(id(row), id(column), 500.0 * count).unwrap();
    }
    moments.block = block.finish().unwrap();
    moments.strings = 500.0;
    let counts = moments.shifted.iter_mut().map(|cell| &mut cell.count);
    counts.chain(&mut moments.initial).chain(&mut moments.terminal).for_each(|count| *count *= 500.0);
    let estimate = estimate_automaton(&moments, &config(Scaling::None)).unwrap();
    assert!(largest_error(&pnfa, &estimate.automaton) < 1e-8);
}

#[test]
fn any_basis_gives_the_same_values() {
    let mut rng = rng(22);
    let pnfa = Pnfa::random(&mut rng);
    let moments = pnfa.moments(&pnfa.backward(), &pnfa.forward());
    let automaton = estimate_automaton(&moments, &config(Scaling::None)).unwrap().automaton;
    for _ in 0..5 {
        let changed = automaton.change_basis(invertible(&mut rng, STATES).as_ref()).unwrap();
        assert!(changed.initial().iter().zip(automaton.initial()).any(|(a, b)| (a - b).abs() > 0.01));
        assert!(largest_error(&pnfa, &changed) < 1e-8);
    }
    let singular = Mat::zeros(STATES, STATES);
    assert!(matches!(automaton.change_basis(singular.as_ref()), Err(SpectralError::Singular { .. })));
}

#[test]
fn unfitting_statistics_are_refused() {
    let pnfa = Pnfa::random(&mut rng(23));
    let moments = || pnfa.moments(&pnfa.backward(), &pnfa.forward());
    let refused =
        |moments: AutomatonMoments| estimate_automaton(&moments, &config(Scaling::None)).unwrap_err();
    let short = AutomatonMoments { initial: vec![1.0], ..moments() };
    assert!(matches!(refused(short), SpectralError::SizeMismatch { .. }));
    let none = AutomatonMoments { strings: 0.0, ..moments() };
    assert!(matches!(refused(none), SpectralError::Empty { .. }));
    let mut outside = moments();
    outside.shifted[0].symbol = id(SYMBOLS);
    assert!(matches!(refused(outside), SpectralError::OutOfRange { .. }));
    let mut nan = moments();
    nan.shifted[3].count = f64::NAN;
    assert!(matches!(refused(nan), SpectralError::NonFinite { index: 3, .. }));
}

#[test]
fn an_unknown_symbol_has_value_zero() {
    let pnfa = Pnfa::random(&mut rng(24));
    let moments = pnfa.moments(&pnfa.backward(), &pnfa.forward());
    let automaton = estimate_automaton(&moments, &config(Scaling::None)).unwrap().automaton;
    assert_eq!(automaton.value(&[id(0), id(SYMBOLS)]), 0.0);
}
