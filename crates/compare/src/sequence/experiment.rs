//! The comparison over files.

use std::path::PathBuf;

use eigentree::Error;
use eigentree::sequences::{SequenceFormat, read_sequences};
use sequences::sequence::split;

use super::config::Config;
use super::run::compare;
use crate::comparison::Comparison;
use crate::experiment::{Experiment, Host};

/// The share of the sequences that is held out, unless there are others.
const HELD_OUT_SHARE: f64 = 0.1;

/// Sequences by name, and what is compared on them.
#[derive(Clone, Debug)]
pub struct SequenceExperiment {
    /// The file to learn from.
    pub data: PathBuf,
    /// The file to score on; `None` for a tenth of the others.
    pub held_out: Option<PathBuf>,
    /// The format of both.
    pub format: SequenceFormat,
    /// What is compared.
    pub config: Config,
}

impl Experiment for SequenceExperiment {
    fn run(&self, host: &mut dyn Host) -> Result<Box<dyn Comparison>, Error> {
        host.observer().stage("read", None);
        let file = read_sequences(&self.data, self.format)?;
        let alphabet = file.alphabet(1);
        let counts = file.counts(&alphabet, &self.data.display().to_string())?;
        let (train, held_out) = match &self.held_out {
            Some(path) => {
                let other = read_sequences(path, self.format)?;
                (counts, other.counts(&alphabet, &path.display().to_string())?)
            }
            // Another seed than that of the learners.
            None => split(&counts, HELD_OUT_SHARE, self.config.learning.seed.wrapping_add(1))?,
        };
        let (observer, meter) = host.instruments();
        Ok(Box::new(compare(&self.config, &train, &held_out, observer, meter)?))
    }
}
