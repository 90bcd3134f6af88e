//! The comparison over files.

use std::path::PathBuf;

use corpus::format::conllu::Column;
use eigentree::Error;
use eigentree::reading::{BadItems, Format};
use eigentree::tagging::{entity_columns, label_columns, read_columns, read_entities};
use tagging::tagger::{TaggedSentence, TaggerConfig};

use super::config::{Config, Task};
use super::run::compare;
use crate::comparison::Comparison;
use crate::experiment::{Experiment, Host, read_text};
use crate::folders::FolderParts;

/// What the labels of a corpus are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Labels {
    /// Columns of CoNLL-U.
    Tags,
    /// Entities in two columns.
    Entities,
}

/// Corpora and texts by name, and what is compared on them.
#[derive(Clone, Debug)]
pub struct TaggingExperiment {
    /// Corpora with tags or entities. Choices are made on the first part; the best are scored on the second, if there is one.
    pub corpora: Vec<FolderParts>,
    /// Texts to learn clusters from.
    pub texts: Vec<PathBuf>,
    /// Columns of CoNLL-U to learn.
    pub columns: Vec<Column>,
    /// What is compared.
    pub config: Config,
}

impl TaggingExperiment {
    /// Endings of corpora, packed or not.
    pub const CORPORA: [&'static str; 6] = ["conllu", "conllu.gz", "conllu.zst", "bio", "bio.gz", "bio.zst"];

    /// Reads a corpus. Sentences that cannot be read are skipped and reported.
    fn task(&self, corpus: &FolderParts, host: &mut dyn Host) -> Result<Task, Error> {
        let labels = match Format::of_path(&corpus.train) {
            Some(Format::Bio) => Labels::Entities,
            _ => Labels::Tags,
        };
        let mut read = |path: &PathBuf| -> Result<Vec<TaggedSentence>, Error> {
            let read = match labels {
                Labels::Entities => read_entities(&[path], BadItems::Skip, host.observer())?,
                Labels::Tags => read_columns(&[path], &self.columns, BadItems::Skip, host.observer())?,
            };
            host.skipped(&read.skipped);
            Ok(read.sentences)
        };
        let train = read(&corpus.train)?;
        let mut parts = corpus.parts.iter().map(|(_, path)| read(path));
        let (test, held_out) = (parts.next().transpose()?.unwrap_or_default(), parts.next().transpose()?);
        let (columns, config) = match labels {
            Labels::Entities => (entity_columns(), TaggerConfig::entities()),
            Labels::Tags => (label_columns(&self.columns), TaggerConfig::default()),
        };
        // Without networks, as in the papers: they would blur what clusters add to features.
        let objective = self.config.objective;
        let config = TaggerConfig { seed: self.config.seed, objective, network: None, ..config };
        Ok(Task { name: corpus.name.clone(), columns, config, train, test, held_out })
    }
}

impl Experiment for TaggingExperiment {
    fn run(&self, host: &mut dyn Host) -> Result<Box<dyn Comparison>, Error> {
        let tasks: Vec<Task> =
            self.corpora.iter().map(|corpus| self.task(corpus, host)).collect::<Result<_, Error>>()?;
        host.observer().stage("read", None);
        let text = read_text(&self.texts)?;
        let (observer, meter) = host.instruments();
        Ok(Box::new(compare(&self.config, &text, &tasks, observer, meter)?))
    }
}
