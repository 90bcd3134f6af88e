//! Word representations learnt from plain text: cluster paths and word vectors.
//!
//! Labelled data is scarce, and most words are rare in it. Unlabelled text shows which words are alike, and taggers and
//! parsers use that as features (Miller, Guinness and Zamanian 2004; Koo, Carreras and Collins 2008; Turian, Ratinov
//! and Bengio 2010). This module has the tables; the models define the features.
//!
//! A word is looked up first as it is, then in lower case.

mod cluster_paths;
mod lookup;
mod vector_table;

pub use cluster_paths::ClusterPaths;
pub use vector_table::{VectorError, VectorTable};
