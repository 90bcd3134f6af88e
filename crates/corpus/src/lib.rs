//! Words, tags, trees and dependency graphs; the formats they are stored in; the transforms that make them learnable.
//!
//! This is the only crate that parses linguistic formats. It knows neither matrices nor models.

pub mod compression;
pub mod cooccurrence;
pub mod dependency;
pub mod drawing;
pub mod error;
pub mod format;
pub mod ids;
pub mod rare_words;
pub mod split;
pub mod synthetic;
pub mod tree;
pub mod vocab;
