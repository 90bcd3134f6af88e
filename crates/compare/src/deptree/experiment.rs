//! The comparison over folders of treebanks.

use std::path::PathBuf;

use eigentree::Error;
use eigentree::clustering::read_vectors;

use super::report::Report;
use super::run::{Config, compare_treebank};
use crate::comparison::Comparison;
use crate::experiment::{Experiment, Host};
use crate::folders::FolderParts;

/// Treebanks by name, and how they are re-ranked.
#[derive(Clone, Debug)]
pub struct DeptreeExperiment {
    /// The treebanks.
    pub treebanks: Vec<FolderParts>,
    /// Parsers, lists and re-rankers.
    pub config: Config,
    /// The file with vectors of words, if they are given.
    pub vectors: Option<PathBuf>,
}

impl Experiment for DeptreeExperiment {
    fn run(&self, host: &mut dyn Host) -> Result<Box<dyn Comparison>, Error> {
        let vectors = self.vectors.as_ref().map(read_vectors).transpose()?;
        let mut blocks = Vec::new();
        for folder in &self.treebanks {
            let treebank = folder.treebank(host)?;
            let (observer, meter) = host.instruments();
            blocks.extend(compare_treebank(&treebank, &self.config, vectors.as_ref(), observer, meter)?);
        }
        Ok(Box::new(Report::new(&self.config, blocks)))
    }
}
