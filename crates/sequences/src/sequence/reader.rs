//! The state of a model along one sequence.

use super::component::{Said, Walk};
use super::model::SequenceModel;

/// How often automata gave values that are not positive.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Clipping {
    /// Predictions in which some symbol had a negative value.
    pub clipped: u64,
    /// Predictions in which no symbol had a positive value, so that the n-gram model was used instead.
    pub replaced: u64,
    /// All predictions of automata.
    pub predictions: u64,
}

impl Clipping {
    /// The sum of both.
    pub fn plus(self, other: Self) -> Self {
        Self {
            clipped: self.clipped + other.clipped,
            replaced: self.replaced + other.replaced,
            predictions: self.predictions + other.predictions,
        }
    }
}

/// Reads a sequence from left to right and predicts the next symbol.
#[derive(Clone, Debug)]
pub struct Reader<'m> {
    model: &'m SequenceModel,
    history: Vec<u32>,
    walks: Vec<Walk>,
    mixed: Vec<f64>,
    base: Vec<f64>,
    own: Vec<f64>,
    clipping: Clipping,
}

impl<'m> Reader<'m> {
    /// Creates a reader at the beginning of a sequence.
    pub fn new(model: &'m SequenceModel) -> Self {
        Self {
            model,
            history: Vec::new(),
            walks: model.components.iter().map(Walk::new).collect(),
            mixed: Vec::new(),
            base: Vec::new(),
            own: Vec::new(),
            clipping: Clipping::default(),
        }
    }

    /// Returns to the beginning, for another sequence.
    pub fn restart(&mut self) {
        self.history.clear();
        self.walks.iter_mut().zip(&self.model.components).for_each(|(walk, part)| walk.restart(part));
    }

    /// The probabilities of all symbols and, last, of the end. All are positive and they sum to one.
    pub fn distribution(&mut self) -> &[f64] {
        self.model.ngram.distribution(&self.history, &mut self.base);
        self.mixed.clear();
        self.mixed.extend(self.base.iter().map(|probability| self.model.weights[0] * probability));
        let parts = self.walks.iter().zip(&self.model.components).zip(&self.model.weights[1..]);
        for ((walk, component), weight) in parts {
            self.clipping.predictions += 1;
            let said = walk.distribution(component, &mut self.own);
            let own = match said {
                Said::Nothing => &self.base,
                Said::Whole | Said::Clipped => &self.own,
            };
            self.clipping.clipped += u64::from(said == Said::Clipped);
            self.clipping.replaced += u64::from(said == Said::Nothing);
            self.mixed.iter_mut().zip(own).for_each(|(sum, probability)| *sum += weight * probability);
        }
        &self.mixed
    }

    /// Reads a symbol.
    pub fn advance(&mut self, symbol: u32) {
        self.history.push(symbol);
        for (walk, component) in self.walks.iter_mut().zip(&self.model.components) {
            walk.advance(component, symbol);
        }
    }

    /// The natural logarithm of the probability of a whole sequence; minus infinity if it contains unknown symbols.
    pub fn log_probability(&mut self, sequence: &[u32]) -> f64 {
        self.restart();
        let mut sum = 0.0;
        for &symbol in sequence {
            let Some(probability) = self.distribution().get(symbol as usize).copied() else {
                return f64::NEG_INFINITY;
            };
            if symbol as usize >= self.model.symbols() {
                return f64::NEG_INFINITY;
            }
            sum += probability.ln();
            self.advance(symbol);
        }
        sum + self.distribution().last().copied().unwrap_or(0.0).ln()
    }

    /// The clipping statistics so far.
    pub fn clipping(&self) -> Clipping {
        self.clipping
    }
}
