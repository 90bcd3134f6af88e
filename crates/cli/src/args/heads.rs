//! Ways of binarisation, and the head rules of one of them.

use std::path::Path;

use clap::ValueEnum;
use eigentree::corpus::tree::binarize::Direction;
use eigentree::corpus::tree::heads::HeadRules;
use eigentree::head_rules::{ENGLISH, head_rules};

/// Which way nodes with many children are split.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum BinarizeArg {
    /// The last child first: left-branching
    Left,
    /// The first child first: right-branching
    Right,
    /// From the outside in, so that the head is deepest
    Head,
}

impl BinarizeArg {
    pub(super) fn direction(self, heads: &HeadRules) -> Direction {
        match self {
            BinarizeArg::Left => Direction::Left,
            BinarizeArg::Right => Direction::Right,
            BinarizeArg::Head => Direction::HeadOutward(heads.clone()),
        }
    }
}

/// The rules of `--head-rules`, or those for English.
pub(super) fn rules_of(name: Option<&Path>) -> Result<HeadRules, eigentree::Error> {
    head_rules(name.unwrap_or(Path::new(ENGLISH)))
}
