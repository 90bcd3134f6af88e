//! Options of `demo`.

use clap::Args;
use eigentree::demo::DemoConfig;

/// Try it out: train, parse and score on a built-in sample, without any input files
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  eigentree demo
  eigentree demo --seed 7 --trees 10000
  eigentree demo --json --quiet | tail -1")]
pub(crate) struct DemoArgs {
    /// Number of trees to generate; one tenth is held out for scoring
    #[arg(long, value_name = "N", default_value_t = 4000, value_parser = clap::value_parser!(u32).range(50..=1_000_000))]
    trees: u32,
    /// Number of sentences to draw at the end
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) drawings: usize,
    /// Width of a drawing, in columns
    #[arg(long, value_name = "COLUMNS", default_value_t = 100)]
    pub(crate) width: usize,
}

impl DemoArgs {
    pub(crate) fn config(&self, seed: u64) -> DemoConfig {
        DemoConfig { trees: self.trees as usize, seed }
    }
}
