//! `compare dependency`: options and what they mean.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::comparison::dependency::Setup;
use eigentree::models::mst::{MstConfig, Order, Quality, Structure};

use super::report::ReportArgs;

/// Compare ways of dealing with crossing arcs over dependency treebanks: accuracy and time
///
/// A treebank is a folder with train, dev and test in CoNLL-U, packed or not. For each, parsers are trained that make projective, pseudo-projective and non-projective
/// trees, and one table shows how accurate they are against the share of sentences with crossing arcs.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree compare dependency treebanks/en_ewt treebanks/nl_lassysmall
  eigentree compare dependency treebanks/en_ewt --on test --format markdown -o table.md")]
pub(crate) struct CompareDependencyArgs {
    /// Folders of treebanks
    #[arg(required = true, value_name = "TREEBANK")]
    pub(crate) folders: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    /// The part that is parsed
    #[arg(long, value_enum, value_name = "PART", default_value = "dev", help_heading = "Comparison")]
    pub(crate) on: PartArg,
    /// Orders of the parsers, between commas
    #[arg(
        long,
        value_enum,
        value_name = "ORDERS",
        value_delimiter = ',',
        default_value = "first,second",
        help_heading = "Comparison"
    )]
    orders: Vec<CompareOrderArg>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PartArg {
    /// The development part
    Dev,
    /// The test part
    Test,
}

impl PartArg {
    /// The name of its file without ending.
    pub(crate) fn name(self) -> &'static str {
        match self {
            PartArg::Dev => "dev",
            PartArg::Test => "test",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum CompareOrderArg {
    /// Arcs one by one; projective, pseudo-projective and non-projective
    First,
    /// Arcs with their neighbours; projective and pseudo-projective
    Second,
}

impl CompareDependencyArgs {
    /// The ways that take part.
    pub(crate) fn setups(&self, seed: u64) -> Vec<Setup> {
        let mut setups = Vec::new();
        let mut add = |quality: Quality, structures: &[Structure]| {
            let config = MstConfig { seed, ..MstConfig::quality(quality) };
            setups.extend(structures.iter().map(|&structure| Setup::new(&config, structure)));
        };
        debug_assert_eq!(MstConfig::quality(Quality::Fast).order, Order::First);
        if self.orders.contains(&CompareOrderArg::First) {
            add(
                Quality::Fast,
                &[Structure::Projective, Structure::PseudoProjective, Structure::NonProjective],
            );
        }
        if self.orders.contains(&CompareOrderArg::Second) {
            add(Quality::Balanced, &[Structure::Projective, Structure::PseudoProjective]);
        }
        setups
    }
}
