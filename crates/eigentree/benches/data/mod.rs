//! The data of all benchmarks: `$EIGENTREE_DATA`, or `shared/data` beside the checkout.
#![allow(dead_code, clippy::print_stderr, reason = "no benchmark needs all of it; one without data says so")]

use std::path::PathBuf;

use criterion::Criterion;
use eigentree::data::{Sentence, Tree};
use eigentree::learn::Silent;
use eigentree::reading::{BadItems, read_sentences, read_trees};

/// A file of the data folder; `None`, with a message, if it does not exist.
pub(crate) fn file(name: &str) -> Option<PathBuf> {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"));
    let path = std::env::var_os("EIGENTREE_DATA").map_or_else(beside, PathBuf::from).join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: no {} (set EIGENTREE_DATA to the folder of the data)", path.display());
    None
}

/// The first trees of a treebank.
pub(crate) fn trees(name: &str, most: usize) -> Option<Vec<Tree>> {
    let mut read = read_trees(&[file(name)?], BadItems::Refuse, &mut Silent).expect("a treebank").trees;
    read.truncate(most);
    Some(read)
}

/// The first sentences of a dependency treebank.
pub(crate) fn sentences(name: &str, most: usize) -> Option<Vec<Sentence>> {
    let mut read =
        read_sentences(&[file(name)?], BadItems::Refuse, &mut Silent).expect("a treebank").sentences;
    read.truncate(most);
    Some(read)
}

/// Ten samples: the work of one takes a second or so.
pub(crate) fn slow() -> Criterion {
    Criterion::default().sample_size(10)
}
