//! The clusterings to compare: options shared by the comparisons of clusters.

use std::num::NonZeroUsize;

use clap::Args;
use eigentree::models::clusters::Method;

use super::super::cluster::MethodArg;

#[derive(Debug, Args)]
pub(super) struct ClusteringArgs {
    /// Clustering algorithms, separated by commas
    #[arg(
        long,
        value_enum,
        value_name = "METHODS",
        value_delimiter = ',',
        default_value = "brown,spectral,exchange,spectral+exchange",
        help_heading = "Comparison"
    )]
    methods: Vec<MethodArg>,
    /// Vocabulary sizes, separated by commas
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        default_value = "10000",
        help_heading = "Comparison"
    )]
    vocab: Vec<NonZeroUsize>,
}

impl ClusteringArgs {
    /// The methods, without repetitions.
    pub(super) fn methods(&self) -> Vec<Method> {
        without_repetition(self.methods.iter().map(|method| method.method()))
    }

    /// The sizes, without repetitions.
    pub(super) fn vocab(&self) -> Vec<usize> {
        without_repetition(self.vocab.iter().map(|size| size.get()))
    }
}

/// The items in their order, without repetitions.
pub(super) fn without_repetition<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut once = Vec::new();
    for item in items {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    once
}
