//! What plain text tells about single words: the paths of their clusters, and their vectors.
//!
//! Labelled data is small and most words are rare in it. Text without labels tells which of them are alike; taggers and parsers take that as features
//! (Miller, Guinness and Zamanian 2004; Koo, Carreras and Collins 2008; Turian, Ratinov and Bengio 2010). What features they make of it is their matter; here are the
//! tables.
//!
//! A word is looked up as it is, then in small letters.

mod cluster_paths;
mod lookup;
mod vector_table;

pub use cluster_paths::ClusterPaths;
pub use vector_table::{VectorError, VectorTable};
