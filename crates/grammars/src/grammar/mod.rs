//! Grammars in normal form: symbols, rules, counts; no latent states and no decoding.
//!
//! [`TreebankCounts`] adds trees up and can be merged. [`SymbolTable`] numbers the symbols, phrases before preterminals,
//! so that the cells of a chart above single words need vectors over phrases only. [`RuleTable`] is the structure
//! (which rules there are, indexed for a chart), [`Weights`] the numbers on it: two types, since a coarse and a fine
//! grammar, or two learners, differ in one and share the other. [`Projection`] maps a grammar to a coarser one.

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
