//! Grammars: oracles, proofs, contracts, whole treebanks.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a failed unwrap is a failed test; a skipped test says so"
)]

mod contract;
mod every_sentence;
mod gold_trees;
mod lexicon;
mod long_sentences;
mod lpcfg_inspection;
mod lpcfg_persist;
mod lpcfg_proofs;
mod oracle;
mod pruning;
mod rule_smoothing;
mod treebanks;
