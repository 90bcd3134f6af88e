//! The comparison over files.

use std::path::PathBuf;

use eigentree::Error;
use eigentree::reading::BadItems;

use super::config::{Config, Data};
use super::run::compare;
use crate::comparison::Comparison;
use crate::experiment::{Experiment, Host};

/// Treebanks by name, and what is compared on them.
#[derive(Clone, Debug)]
pub struct HeadAutomataExperiment {
    /// Files to learn from.
    pub train: Vec<PathBuf>,
    /// The file to score on and to choose by.
    pub dev: PathBuf,
    /// The file to score the choices on.
    pub test: Option<PathBuf>,
    /// The policy for sentences that cannot be read.
    pub bad_items: BadItems,
    /// What is compared.
    pub config: Config,
}

impl Experiment for HeadAutomataExperiment {
    fn run(&self, host: &mut dyn Host) -> Result<Box<dyn Comparison>, Error> {
        let train = host.sentences(&self.train, self.bad_items)?;
        let dev = host.sentences(&[&self.dev], self.bad_items)?;
        let test = self.test.as_ref().map(|path| host.sentences(&[path], self.bad_items)).transpose()?;
        let data = Data { train: &train, dev: &dev, test: test.as_deref() };
        let (observer, meter) = host.instruments();
        Ok(Box::new(compare(&self.config, &data, observer, meter)?))
    }
}
