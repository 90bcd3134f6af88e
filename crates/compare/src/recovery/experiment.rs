//! The comparison on a grammar by name.

use std::path::PathBuf;

use eigentree::Error;
use eigentree::sampling::with_grammar;

use super::config::Config;
use super::run::compare;
use crate::comparison::Comparison;
use crate::experiment::{Experiment, Host};

/// A grammar by name, and what is compared.
#[derive(Clone, Debug)]
pub struct RecoveryExperiment {
    /// `cycle`, `english`, or a file with a grammar.
    pub grammar: PathBuf,
    /// Sizes, states, starts.
    pub config: Config,
}

impl Experiment for RecoveryExperiment {
    fn run(&self, host: &mut dyn Host) -> Result<Box<dyn Comparison>, Error> {
        let (observer, meter) = host.instruments();
        let report = with_grammar(&self.grammar, |grammar| compare(grammar, &self.config, observer, meter))?;
        Ok(Box::new(report))
    }
}
