//! Dependency trees: heads, validity, projectivity, and the views of a tree that models learn from.
//!
//! | item | purpose |
//! |---|---|
//! | [`DependencyTree`] | heads and labels known to form a tree |
//! | projectivity | [`DependencyTree::is_projective`], [`DependencyTree::non_projective_arcs`] |
//! | [`projectivize`] | lifting arcs until the tree is projective |
//! | [`pseudo_projective`] | the same with labels that record what was lifted, and the inverse |
//! | [`function_heads`] | function words as heads, and the inverse |
//! | [`without_words`] | a sentence without some of its words |
//! | [`modifiers`] | head-outward modifier sequences, and the inverse |

mod children;
pub mod function_heads;
mod head;
mod left_out;
pub mod modifiers;
mod projectivity;
pub mod projectivize;
pub mod pseudo_projective;
mod tree;

pub use children::Children;
pub use head::Head;
pub use left_out::{is_punctuation, without_words};
pub use modifiers::{Direction, ModifierSequences};
pub use projectivity::Arc;
pub use tree::{DependencyTree, RootRule, TreeError};
