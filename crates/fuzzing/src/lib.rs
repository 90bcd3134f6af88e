//! Attacks on everything that comes from outside, for tests and for fuzzers.
//!
//! - [`forge`] changes model files and computes their checksums again, as a hostile or buggy writer would.
//! - `samples` has a small file of every family to start from.
//! - `exercise` does with a file what the surfaces do with it: annotate, score, inspect, render, save.
//! - [`readers`] reads bytes as each of the formats.
//! - [`containers`] opens any bytes as a model file whose checksums are right.
//! - `options` calls commands with options that make no sense.
//! - `requests` sends requests to a service, over a connection in memory.
//!
//! Whatever the bytes, each call must return: with a result, or with an error. A panic is a defect, and so is memory out of
//! proportion to the input. The tests of this crate run a fixed number of attacks from fixed seeds; `fuzz/` runs the same
//! functions under libFuzzer, for as long as one likes.

pub mod containers;
#[cfg(feature = "surfaces")]
pub mod exercise;
pub mod forge;
#[cfg(feature = "surfaces")]
pub mod options;
pub mod readers;
#[cfg(feature = "surfaces")]
pub mod requests;
#[cfg(feature = "surfaces")]
pub mod samples;

/// The treebank behind the samples: CoNLL-U with tags, lemmas and trees.
pub const TREEBANK: &str = include_str!("../../eigentree/examples/data/small.conllu");
