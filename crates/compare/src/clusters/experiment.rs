//! The comparison over files.

use std::path::PathBuf;

use eigentree::Error;

use super::config::{Config, Data, split};
use super::run::compare;
use crate::comparison::Comparison;
use crate::experiment::{Experiment, Host, read_text};

/// One line in so many is held out, unless there is another text.
const HELD_OUT_PART: usize = 10;

/// Texts by name, and what is compared on them.
#[derive(Clone, Debug)]
pub struct ClustersExperiment {
    /// Files to learn from.
    pub texts: Vec<PathBuf>,
    /// The file whose perplexity is measured; `None` for the last tenth of the lines.
    pub held_out: Option<PathBuf>,
    /// What is compared.
    pub config: Config,
}

impl Experiment for ClustersExperiment {
    fn run(&self, host: &mut dyn Host) -> Result<Box<dyn Comparison>, Error> {
        host.observer().stage("read", None);
        let text = read_text(&self.texts)?;
        let other = read_text(self.held_out.as_slice())?;
        let (train, held_out) = match self.held_out {
            Some(_) => (&text[..], &other[..]),
            None => split(&text, HELD_OUT_PART),
        };
        let (observer, meter) = host.instruments();
        Ok(Box::new(compare(&self.config, &Data { train, held_out }, observer, meter)?))
    }
}
