//! The contents of a model of any family.

use serde_json::{Value, json};

use super::automata::AutomataContents;
use super::clusters::ClusterContents;
use super::error::{InspectionError, Topic};
use super::grammar::GrammarContents;
use super::request::Request;
use super::sequence::SequenceContents;
use crate::Model;

/// What a model shows of itself.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Contents<'m> {
    /// A grammar, with or without latent states.
    Grammar(GrammarContents<'m>),
    /// Clusters of words.
    Clusters(ClusterContents),
    /// A mixture of automata and n-grams.
    Sequence(SequenceContents),
    /// Head automata.
    HeadAutomata(AutomataContents),
    /// Nothing beyond the sections of its file.
    Opaque,
}

impl Contents<'_> {
    /// The contents as a JSON object.
    pub fn to_json(&self) -> Value {
        match self {
            Contents::Grammar(grammar) => grammar.to_json(),
            Contents::Clusters(clusters) => clusters.to_json(),
            Contents::Sequence(sequence) => sequence.to_json(),
            Contents::HeadAutomata(automata) => automata.to_json(),
            Contents::Opaque => json!({}),
        }
    }
}

impl Model {
    /// What `request` asks for. See [`inspection`](crate::inspection).
    pub fn inspect(&self, request: &Request) -> Result<Contents<'_>, InspectionError> {
        let answered: &[Topic] = match self {
            Model::Pcfg(_) | Model::HeadAutomata(_) => &[Topic::Symbols],
            Model::Lpcfg(_) => &[Topic::Symbols, Topic::Members],
            Model::Clusters(_) => &[Topic::Clusters],
            _ => &[],
        };
        if let Some(topic) = request.topics().into_iter().find(|topic| !answered.contains(topic)) {
            return Err(InspectionError::NotApplicable(topic));
        }
        Ok(match self {
            Model::Pcfg(model) => Contents::Grammar(GrammarContents::of_pcfg(model, request)?),
            Model::Lpcfg(model) => Contents::Grammar(GrammarContents::of_lpcfg(model, request)?),
            Model::Clusters(model) => Contents::Clusters(ClusterContents::of(model, request)?),
            Model::Sequence(model) => Contents::Sequence(SequenceContents::of(model)),
            Model::HeadAutomata(model) => Contents::HeadAutomata(AutomataContents::of(model, request)?),
            _ => Contents::Opaque,
        })
    }
}
