//! Words, tags, trees and dependency graphs, their file formats, and the transforms that prepare them for learning.
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
