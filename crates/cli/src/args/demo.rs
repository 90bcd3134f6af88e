//! `demo`: options and what they mean.

use clap::Args;
use eigentree::demo::DemoConfig;

/// See it work: train, parse and score on an embedded sample, without any file
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree demo
  eigentree demo --seed 7 --trees 10000
  eigentree demo --json --quiet | tail -1")]
pub(crate) struct DemoArgs {
    /// How many trees are drawn; a tenth is kept for scoring
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u32).range(50..))]
    trees: u32,
    /// How many sentences are drawn at the end
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) drawings: usize,
    /// Columns of a drawing
    #[arg(long, value_name = "COLUMNS", default_value_t = 100)]
    pub(crate) width: usize,
}

impl DemoArgs {
    pub(crate) fn config(&self, seed: u64) -> DemoConfig {
        DemoConfig { trees: self.trees as usize, seed }
    }
}
