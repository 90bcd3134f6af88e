//! The comparison over files.

use std::path::{Path, PathBuf};

use corpus::tree::Tree;
use eigentree::Error;
use eigentree::reading::{BadItems, read_trees};
use eigentree::training::{Annotation, prepare};

use super::config::{Config, Data};
use super::run::compare;
use crate::comparison::Comparison;
use crate::experiment::{Experiment, Host};

/// Treebanks by name, and what is compared on them.
#[derive(Clone, Debug)]
pub struct LpcfgExperiment {
    /// Files to learn from.
    pub train: Vec<PathBuf>,
    /// The file to score on and to choose by.
    pub dev: PathBuf,
    /// The file to score the choices on.
    pub test: Option<PathBuf>,
    /// The policy for trees that cannot be read.
    pub bad_items: BadItems,
    /// Function tags and empty elements.
    pub annotation: Annotation,
    /// What is compared.
    pub config: Config,
}

impl LpcfgExperiment {
    fn read(&self, paths: &[impl AsRef<Path>], host: &mut dyn Host) -> Result<Vec<Tree>, Error> {
        let treebank = read_trees(paths, self.bad_items, host.observer())?;
        host.skipped(&treebank.skipped);
        host.observer().stage("prepare", None);
        Ok(prepare(treebank.trees, self.annotation))
    }
}

impl Experiment for LpcfgExperiment {
    fn run(&self, host: &mut dyn Host) -> Result<Box<dyn Comparison>, Error> {
        let train = self.read(&self.train, host)?;
        let dev = self.read(&[&self.dev], host)?;
        let test = self.test.as_ref().map(|path| self.read(&[path], host)).transpose()?;
        let data = Data { train: &train, dev: &dev, test: test.as_deref() };
        let (observer, meter) = host.instruments();
        Ok(Box::new(compare(&self.config, &data, observer, meter)?))
    }
}
