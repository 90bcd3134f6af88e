//! The comparison over folders of treebanks.

use eigentree::Error;

use super::report::Report;
use super::run::{Setup, compare_treebank};
use crate::comparison::Comparison;
use crate::experiment::{Experiment, Host};
use crate::folders::Folder;

/// Treebanks by name, and the ways to parse them.
#[derive(Clone, Debug)]
pub struct DependencyExperiment {
    /// The treebanks.
    pub treebanks: Vec<Folder>,
    /// The ways that are compared.
    pub setups: Vec<Setup>,
}

impl Experiment for DependencyExperiment {
    fn run(&self, host: &mut dyn Host) -> Result<Box<dyn Comparison>, Error> {
        let mut rows = Vec::with_capacity(self.treebanks.len());
        for folder in &self.treebanks {
            let treebank = folder.treebank(host)?;
            let (observer, meter) = host.instruments();
            rows.push(compare_treebank(&treebank, &self.setups, observer, meter)?);
        }
        Ok(Box::new(Report::new(&self.setups, rows)))
    }
}
