//! Which clusterings are compared: what comparisons of clusters share.

use std::num::NonZeroUsize;

use clap::Args;
use eigentree::models::clusters::Method;

use super::super::cluster::MethodArg;

#[derive(Debug, Args)]
pub(super) struct ClusteringArgs {
    /// Who clusters, between commas
    #[arg(
        long,
        value_enum,
        value_name = "METHODS",
        value_delimiter = ',',
        default_value = "brown,spectral,exchange,spectral+exchange",
        help_heading = "Comparison"
    )]
    methods: Vec<MethodArg>,
    /// Sizes of the vocabulary, between commas
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
    /// The methods, each once.
    pub(super) fn methods(&self) -> Vec<Method> {
        without_repetition(self.methods.iter().map(|method| method.method()))
    }

    /// The sizes, each once.
    pub(super) fn vocab(&self) -> Vec<usize> {
        without_repetition(self.vocab.iter().map(|size| size.get()))
    }
}

/// What was listed, in its order, without what stands there again.
pub(super) fn without_repetition<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut once = Vec::new();
    for item in items {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    once
}
