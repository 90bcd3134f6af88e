//! Contents of head automata.

use corpus::dependency::Direction;
use dependency::head_automata::{HeadAutomata, SymbolId};
use serde_json::{Value, json};

use super::error::InspectionError;
use super::request::Request;

/// The size of the model of words.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct LexicalSize {
    /// Its weight relative to that of tags.
    pub weight: f64,
    /// Number of contexts.
    pub contexts: usize,
    /// Number of events.
    pub events: usize,
}

/// One automaton.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct AutomatonSummary {
    /// The head.
    pub symbol: String,
    /// The side of its modifiers.
    pub direction: Direction,
    /// Number of states.
    pub states: usize,
    /// Number of different modifiers.
    pub modifiers: usize,
    /// The singular values, the largest first; empty if nothing was decomposed.
    pub singular_values: Vec<f64>,
}

/// Head automata: sizes, and the automata of the requested symbols, or of those with the most sequences.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct AutomataContents {
    /// What the symbols are made of, such as `upos`.
    pub alphabet: &'static str,
    /// Number of symbols.
    pub symbols: usize,
    /// The most hidden states of an automaton.
    pub states: usize,
    /// The model of words, if any.
    pub lexical: Option<LexicalSize>,
    /// The automata, left before right.
    pub automata: Vec<AutomatonSummary>,
}

impl AutomataContents {
    pub(super) fn of(model: &HeadAutomata, request: &Request) -> Result<Self, InspectionError> {
        let symbols = model.symbols();
        let mut automata = Vec::new();
        for symbol in chosen(model, request)? {
            for direction in Direction::BOTH {
                let Some(automaton) = model.latent(symbol, direction) else { continue };
                automata.push(AutomatonSummary {
                    symbol: symbols.name(symbol).to_owned(),
                    direction,
                    states: automaton.initial.len(),
                    modifiers: automaton.symbols.len(),
                    singular_values: automaton.spectrum.clone(),
                });
            }
        }
        let lexical = model.lexical().map(|(lexical, weights)| {
            let (contexts, events) = lexical.size();
            LexicalSize { weight: weights.words, contexts, events }
        });
        Ok(Self {
            alphabet: symbols.alphabet().name(),
            symbols: symbols.len(),
            states: model.states(),
            lexical,
            automata,
        })
    }

    /// The contents as a JSON object.
    pub fn to_json(&self) -> Value {
        let automaton = |automaton: &AutomatonSummary| {
            json!({
                "symbol": automaton.symbol,
                "direction": automaton.direction.name(),
                "states": automaton.states,
                "modifiers": automaton.modifiers,
                "singular_values": automaton.singular_values,
            })
        };
        json!({ "automata": self.automata.iter().map(automaton).collect::<Value>() })
    }
}

/// The requested symbols, or those with the most sequences.
pub(super) fn chosen(model: &HeadAutomata, request: &Request) -> Result<Vec<SymbolId>, InspectionError> {
    let symbols = model.symbols();
    if request.symbols.is_empty() {
        return Ok(symbols.iter().map(|(symbol, _)| symbol).take(request.top).collect());
    }
    let find = |label: &String| {
        symbols.get(label).ok_or_else(|| InspectionError::UnknownSymbol {
            label: label.clone(),
            advice: "inspecting the model without a symbol lists some".to_owned(),
        })
    };
    request.symbols.iter().map(find).collect()
}
