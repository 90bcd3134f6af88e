//! Contents of a sequence model.

use sequences::sequence::SequenceModel;
use serde_json::{Value, json};

/// One component of the mixture.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum MixtureComponent {
    /// n-grams.
    Ngrams {
        /// n.
        order: usize,
        /// Share of the mixture.
        weight: f64,
    },
    /// An automaton.
    Automaton {
        /// The learner and its options.
        name: String,
        /// Number of states.
        states: usize,
        /// Share of the mixture.
        weight: f64,
    },
}

/// The mixture, and the singular values of the automata.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SequenceContents {
    /// Number of symbols.
    pub symbols: usize,
    /// The components, n-grams first.
    pub mixture: Vec<MixtureComponent>,
    /// The singular values of the Hankel matrix, the largest first; empty if nothing was decomposed.
    pub spectrum: Vec<f64>,
}

impl SequenceContents {
    pub(super) fn of(model: &SequenceModel) -> Self {
        let order = model.ngram().order();
        let mut weights = model.weights().iter().copied();
        let ngrams = weights.next().map(|weight| MixtureComponent::Ngrams { order, weight });
        let automata = model.components().iter().zip(weights).map(|(component, weight)| {
            let states = component.automaton().states();
            MixtureComponent::Automaton { name: component.name().to_string(), states, weight }
        });
        Self {
            symbols: model.symbols(),
            mixture: ngrams.into_iter().chain(automata).collect(),
            spectrum: model.spectrum().to_vec(),
        }
    }

    /// The contents as a JSON object.
    pub fn to_json(&self) -> Value {
        let component = |component: &MixtureComponent| match component {
            MixtureComponent::Ngrams { order, weight } => {
                json!({ "name": "ngram", "order": order, "weight": weight })
            }
            MixtureComponent::Automaton { name, states, weight } => {
                json!({ "name": name, "states": states, "weight": weight })
            }
        };
        json!({ "mixture": self.mixture.iter().map(component).collect::<Value>(), "spectrum": self.spectrum })
    }
}
