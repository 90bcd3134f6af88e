//! Word clusters and word vectors from co-occurrence counts.

pub mod clusters;
