//! Grammars in normal form: symbols, rules and counts. No latent states, no decoding.
//!
//! [`TreebankCounts`] accumulates trees and can be merged. [`SymbolTable`] numbers the symbols, phrases before
//! preterminals, so that chart cells above single words need vectors over phrases only. [`RuleTable`] is the structure
//! (the set of rules, indexed for a chart) and [`Weights`] the probabilities on it. They are two types because a coarse
//! and a fine grammar, or two learners, differ in one and share the other. [`Projection`] maps a grammar to a coarser
//! one.

mod counts;
mod projection;
mod rules;
mod smoothing;
mod symbols;

pub use counts::TreebankCounts;
pub use projection::Projection;
pub use rules::{BinaryRule, RuleId, RuleTable, Weights};
pub use smoothing::{Discount, LowerOrder, RuleSmoothing, SiblingSmoothing, SmoothedRules};
pub use symbols::{SymbolId, SymbolKind, SymbolTable};
