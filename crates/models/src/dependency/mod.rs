//! Trees over words by scores of arcs: what all dependency families decode with.
//!
//! ```text
//! y* = argmax_y Σ_{(h,m) ∈ y} s(h, m)
//! ```
//!
//! A family gives the score `s(h, m)` of every arc, from features or as `log` of a posterior, in [`ArcScores`]; [`eisner`] finds the best projective
//! tree. [`enumerate`] lists all trees of a short sentence, which is what the dynamic programs are tested against.

pub mod arc_scores;
mod candidates;
pub mod edmonds;
pub mod eisner;
mod eisner_forest;
pub mod enumerate;
pub mod forest;
pub mod grand_siblings;
mod parse;
mod word;

pub use arc_scores::ArcScores;
pub use candidates::Candidates;
pub use edmonds::{Edmonds, best_tree};
pub use eisner::{Eisner, best_projective};
pub use eisner_forest::eisner_forest;
pub use forest::{Forest, NodeId};
pub use grand_siblings::{GrandSiblings, NeighbourScores, Part, Side};
pub use parse::DependencyParse;
pub use word::Word;
