//! An automaton as a predictor of the next symbol.

use crate::automaton::{Automaton, ReducedHmm, SiteEstimate, step};

/// An automaton, with the values of its states one symbol ahead.
#[derive(Clone, PartialEq, Debug)]
pub struct Component {
    pub(super) name: String,
    pub(super) automaton: Automaton,
    /// By symbol: the product with a state is the total value of all continuations that start with the symbol.
    pub(super) next: Vec<f64>,
}

impl Component {
    /// A probabilistic automaton, whose outcomes sum to one in each state.
    pub fn probabilistic(name: impl Into<String>, automaton: Automaton) -> Self {
        let states = automaton.states();
        let mut next = vec![0.0; automaton.symbols() * states];
        for (operator, sum) in
            automaton.operators().chunks_exact(states * states).zip(next.chunks_exact_mut(states))
        {
            for row in operator.chunks_exact(states) {
                sum.iter_mut().zip(row).for_each(|(sum, entry)| *sum += entry);
            }
        }
        Self { name: name.into(), automaton, next }
    }

    /// An automaton learnt by the spectral method.
    pub fn spectral(name: impl Into<String>, estimate: SiteEstimate) -> Self {
        Self { name: name.into(), next: estimate.next().to_vec(), automaton: estimate.automaton }
    }

    /// A hidden Markov model in reduced form.
    pub fn reduced(name: impl Into<String>, learnt: ReducedHmm) -> Self {
        Self { name: name.into(), automaton: learnt.automaton, next: learnt.next }
    }

    /// Assembles a component; `None` if the parts do not match.
    pub(super) fn from_parts(name: String, automaton: Automaton, next: Vec<f64>) -> Option<Self> {
        let fits = next.len() == automaton.symbols() * automaton.states()
            && next.iter().all(|entry| entry.is_finite());
        fits.then_some(Self { name, automaton, next })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The automaton.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }
}

/// A component's state along a sequence.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    state: Vec<f64>,
    scratch: Vec<f64>,
}

/// The quality of a prediction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Said {
    /// All values were positive or zero.
    Whole,
    /// Some values were negative and were clipped.
    Clipped,
    /// No value was positive.
    Nothing,
}

impl Walk {
    pub(super) fn new(component: &Component) -> Self {
        Self { state: component.automaton.initial().to_vec(), scratch: Vec::new() }
    }

    pub(super) fn restart(&mut self, component: &Component) {
        self.state.clear();
        self.state.extend_from_slice(component.automaton.initial());
    }

    /// The probabilities of all symbols and, last, STOP. If no value is positive, `out` is left empty.
    pub(super) fn distribution(&self, component: &Component, out: &mut Vec<f64>) -> Said {
        out.clear();
        let worth = |row: &[f64]| row.iter().zip(&self.state).map(|(a, b)| a * b).sum::<f64>();
        out.extend(component.next.chunks_exact(self.state.len()).map(worth));
        out.push(worth(component.automaton.terminal()));
        // Rounding errors of exact zeros do not count as negative values.
        let largest = out.iter().copied().fold(0.0, f64::max);
        let mut said = Said::Whole;
        for value in out.iter_mut() {
            if *value < 0.0 {
                if *value < -1e-12 * largest {
                    said = Said::Clipped;
                }
                *value = 0.0;
            }
        }
        let sum: f64 = out.iter().sum();
        if sum <= 0.0 || !sum.is_finite() {
            out.clear();
            return Said::Nothing;
        }
        out.iter_mut().for_each(|value| *value /= sum);
        said
    }

    pub(super) fn advance(&mut self, component: &Component, symbol: u32) {
        if symbol as usize >= component.automaton.symbols() {
            self.state.fill(0.0);
            return;
        }
        step(&component.automaton, symbol, &mut self.state, &mut self.scratch);
        let size = self.state.iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
        if size > 0.0 {
            self.state.iter_mut().for_each(|entry| *entry /= size);
        }
    }
}
