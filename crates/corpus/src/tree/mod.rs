//! Constituency trees and their transforms, each transform with its inverse.
//!
//! A [`Tree`] is one array of nodes in pre-order and one text buffer, so that reading takes two allocations per tree,
//! traversal is a scan, and deep nesting cannot overflow the stack. Trees are created by a [`TreeBuilder`] and never
//! edited: a transform reads one tree and builds another.
//!
//! | transform | inverse | what it does |
//! |---|---|---|
//! | [`strip::strip`] | [`strip::Stripped::restore`] | removes function tags, indices and empty elements |
//! | [`root::unwrap_root`] | [`root::wrap_root`] | drops the `ROOT` above a single child |
//! | [`unary::collapse`] | [`unary::expand`] | joins unary chains into one label, `S\|VP` |
//! | [`markov::annotate_parents`] | [`markov::remove_parents`] | vertical Markov order above 1, `NP^S` |
//! | [`binarize::binarize`] | [`binarize::unbinarize`] | at most two children per node, new nodes `@VP~NP` |
//!
//! [`normal_form::NormalForm`] applies the transforms that a grammar needs, in order, and undoes them.

pub mod binarize;
mod builder;
pub mod heads;
pub mod markov;
pub mod marks;
pub mod normal_form;
pub mod root;
pub mod strip;
mod structure;
pub mod unary;
mod walk;

pub use builder::TreeBuilder;
pub use structure::{Children, NodeRef, Tree};
pub use walk::{Visit, Walk};

/// The label of the node above the pieces of a sentence that a grammar does not derive.
pub const FALLBACK_LABEL: &str = "FALLBACK";
