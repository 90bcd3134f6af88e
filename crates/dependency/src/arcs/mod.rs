//! Decoding of dependency trees from scores of arcs, shared by all dependency families.
//!
//! ```text
//! y* = argmax_y Σ_{(h,m) ∈ y} s(h, m)
//! ```
//!
//! A family gives the score `s(h, m)` of every arc, from features or as the logarithm of a posterior, in [`ArcScores`].
//! [`eisner`] finds the best projective tree, [`edmonds`] the best of all trees. [`grand_siblings`] scores arcs with
//! their neighbours ([`parts`]), over the arcs in [`Candidates`]; [`reattachment`] continues from there to trees with crossing
//! arcs. For more than the best tree, trees are packed into a [`Forest`], which gives the k best trees and the
//! [`marginals`]. [`enumerate`] lists all trees of a short sentence, the reference that tests compare with.

pub mod arc_scores;
mod candidates;
pub mod edmonds;
pub mod eisner;
pub mod enumerate;
pub mod forest;
pub mod grand_siblings;
pub mod marginals;
mod parse;
pub mod parts;
pub mod projective_forest;
#[cfg(test)]
mod random_case;
pub mod reattachment;
mod word;

pub use arc_scores::ArcScores;
pub use candidates::Candidates;
pub use edmonds::{Edmonds, best_tree, k_best_trees};
pub use eisner::{Eisner, best_projective};
pub use forest::{Forest, Keep, NodeId};
pub use grand_siblings::GrandSiblings;
pub use marginals::{projective_marginals, tree_marginals};
pub use parse::DependencyParse;
pub use parts::{Around, Need, Needs, NeighbourScores, Part, Side};
pub use projective_forest::ProjectiveForest;
pub use reattachment::{Change, Reattachment};
pub use word::Word;
