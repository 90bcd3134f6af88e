//! Formats, trees, synthetic corpora: properties, round trips, whole treebanks.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a failed unwrap is a failed test; a skipped test says so"
)]

mod conllu_errors;
mod cooccurrence;
mod data_files;
mod dependency_round_trips;
mod dependency_trees;
mod reader_properties;
mod synthetic_english;
mod synthetic_oracle;
mod tree_round_trips;
