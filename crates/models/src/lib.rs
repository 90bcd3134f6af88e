//! The foundation shared by all model families.
//!
//! | module | contents |
//! |---|---|
//! | [`learn`] | learners, observers, progress reports |
//! | [`persist`] | the model container: versioned, checksummed, memory-mapped |
//! | [`quality`] | named recipes, from fast to best |
//! | [`log_linear`] | hashed features and their weights |
//! | [`network`] | the parts of small neural networks |
//! | [`representations`] | cluster paths and word vectors as features |
//! | [`constants`] | the constants of a configuration by name |
//! | [`memory`] | whether there is as much memory as work will need |
//! | [`confidence`] | whether a decoder computes confidences |
//! | [`signed_log`] | logarithms of numbers that may be negative |
//!
//! Each family has a crate of its own: grammars, dependency parsers, sequences, words, tagging.

pub mod confidence;
pub mod constants;
pub mod learn;
pub mod log_linear;
pub mod memory;
pub mod network;
pub mod persist;
pub mod quality;
pub mod representations;
pub mod signed_log;
