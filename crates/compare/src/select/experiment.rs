//! Simulations over folders of treebanks.

use eigentree::Error;

use super::config::Config;
use super::report::Report;
use super::run::simulate;
use crate::comparison::Comparison;
use crate::experiment::{Experiment, Host};
use crate::folders::Folder;

/// Treebanks by name, and how to simulate.
#[derive(Clone, Debug)]
pub struct SelectExperiment {
    /// The treebanks.
    pub treebanks: Vec<Folder>,
    /// How to simulate.
    pub config: Config,
}

impl Experiment for SelectExperiment {
    fn run(&self, host: &mut dyn Host) -> Result<Box<dyn Comparison>, Error> {
        let mut curves = Vec::new();
        for folder in &self.treebanks {
            let treebank = folder.treebank(host)?;
            curves.extend(simulate(&treebank, &self.config, host.observer())?);
        }
        Ok(Box::new(Report::new(&self.config, curves)))
    }
}
