//! Trees made ready for learning.

use corpus::tree::Tree;
use corpus::tree::strip::{StripConfig, strip};

/// What happens to function tags and empty elements before learning.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Annotation {
    /// They go: `NP-SBJ-1` is learnt as `NP`, and traces are left out.
    #[default]
    Remove,
    /// They stay, for treebanks in which `-` is part of the category.
    Keep,
}

/// The trees as they are learnt from: a tree of which nothing is left, or without words, goes.
pub fn prepare(trees: Vec<Tree>, annotation: Annotation) -> Vec<Tree> {
    let config = StripConfig::default();
    let prepared = trees.into_iter().filter_map(|tree| match annotation {
        Annotation::Keep => Some(tree),
        Annotation::Remove => strip(&tree, &config).map(|(tree, _)| tree),
    });
    prepared.filter(|tree| tree.word_count() > 0).collect()
}
