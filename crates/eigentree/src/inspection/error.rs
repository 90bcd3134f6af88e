//! Requests that a model cannot answer.

use std::fmt;

/// A part of a [`Request`](super::Request) that only some models can answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Topic {
    /// Symbols, of grammars and head automata.
    Symbols,
    /// The members of an ensemble of grammars with latent states.
    Members,
    /// Words, paths and prefixes, of word clusters.
    Clusters,
}

impl Topic {
    /// The models that can answer, in the plural.
    pub fn models(self) -> &'static str {
        match self {
            Topic::Symbols => "grammars and head automata",
            Topic::Members => "grammars with latent states",
            Topic::Clusters => "clusters of words",
        }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Topic::Symbols => "symbols",
            Topic::Members => "members",
            Topic::Clusters => "words, paths and prefixes",
        })
    }
}

/// Reason why a model could not show what was asked for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InspectionError {
    /// Models of this family have nothing of the kind.
    #[error("{0} can be shown only for {models}", models = .0.models())]
    NotApplicable(Topic),
    /// The ensemble is smaller.
    #[error("there is no member {asked}; the model has {members}")]
    NoMember {
        /// The requested member, counted from 1.
        asked: usize,
        /// The number of members.
        members: usize,
    },
    /// The grammar has no such label, the head automata no such symbol.
    #[error("unknown symbol `{label}`; {advice}")]
    UnknownSymbol {
        /// The requested label.
        label: String,
        /// What may have been meant.
        advice: String,
    },
    /// No cluster lies below these bits.
    #[error("no cluster path begins with `{0}`; a request for a prefix of 6 bits lists some")]
    NoCluster(String),
    /// The word was not counted, and there is no class of other words.
    #[error("the word `{0}` is not in the vocabulary, and there is no class of other words")]
    UnknownWord(String),
}
