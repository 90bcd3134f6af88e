//! Binarisation directions, and the head rules that one of them needs.

use std::path::Path;

use clap::ValueEnum;
use eigentree::corpus::tree::binarize::Direction;
use eigentree::corpus::tree::heads::HeadRules;
use eigentree::head_rules::{ENGLISH, head_rules};

/// Direction of binarisation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum BinarizeArg {
    /// Split off the last child first: left-branching
    Left,
    /// Split off the first child first: right-branching
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

/// Head rules named by `--head-rules`; English by default.
pub(super) fn rules_of(name: Option<&Path>) -> Result<HeadRules, eigentree::Error> {
    head_rules(name.unwrap_or(Path::new(ENGLISH)))
}
