//! Models of any family, by name.

use std::path::Path;

use crate::pipeline::{self, Pipeline};
use dependency::deptree::{self, Deptree};
use dependency::head_automata::{self, HeadAutomata};
use dependency::mst::{self, Mst};
use dependency::reranker::{self, Reranker};
use grammars::lpcfg::{self, Lpcfg};
use grammars::pcfg::{self, Pcfg};
use models::persist::{Container, ContainerWriter, Metadata};
use sequences::sequence::{self, SequenceModel};
use tagging::tagger::{self, Tagger};
use words::clusters::{self, BrownModel};

use crate::Error;
use crate::files::{FileError, Output, open_model};

/// A model that was loaded.
#[derive(Clone, Debug)]
pub enum Model {
    /// A probabilistic context-free grammar. Boxed, as families differ in size.
    Pcfg(Box<Pcfg>),
    /// A grammar with latent states.
    Lpcfg(Box<Lpcfg>),
    /// Clusters of words, as a language model.
    Clusters(Box<BrownModel>),
    /// A dependency parser.
    Mst(Box<Mst>),
    /// Latent dependency trees.
    Deptree(Box<Deptree>),
    /// What chooses among the best trees of a dependency parser.
    Reranker(Box<Reranker>),
    /// Labels of words: parts of speech, morphology, entities.
    Tagger(Box<Tagger>),
    /// From raw text to annotated sentences.
    Pipeline(Box<Pipeline>),
    /// Head automata, a dependency parser too.
    HeadAutomata(Box<HeadAutomata>),
    /// Automata and n-grams over sequences.
    Sequence(Box<SequenceModel>),
}

impl Model {
    /// Loads the model at `path`.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        Self::load(&open_model(path)?, &path.display().to_string())
    }

    /// Loads the model in `container`, which came from the file `name`.
    pub fn load(container: &Container, name: &str) -> Result<Self, Error> {
        let family = &container.metadata().family;
        let damaged = |error| Error::Data(format!("cannot load the model from {name}: {error}"));
        match family.as_str() {
            pcfg::FAMILY => Ok(Model::Pcfg(Box::new(Pcfg::load(container).map_err(damaged)?))),
            lpcfg::FAMILY => Ok(Model::Lpcfg(Box::new(Lpcfg::load(container).map_err(damaged)?))),
            clusters::FAMILY => Ok(Model::Clusters(Box::new(BrownModel::load(container).map_err(damaged)?))),
            mst::FAMILY => Ok(Model::Mst(Box::new(Mst::load(container).map_err(damaged)?))),
            deptree::FAMILY => Ok(Model::Deptree(Box::new(Deptree::load(container).map_err(damaged)?))),
            reranker::FAMILY => Ok(Model::Reranker(Box::new(Reranker::load(container).map_err(damaged)?))),
            tagger::FAMILY => Ok(Model::Tagger(Box::new(Tagger::load(container).map_err(damaged)?))),
            pipeline::FAMILY => Ok(Model::Pipeline(Box::new(Pipeline::load(container).map_err(damaged)?))),
            head_automata::FAMILY => {
                Ok(Model::HeadAutomata(Box::new(HeadAutomata::load(container).map_err(damaged)?)))
            }
            sequence::FAMILY => {
                Ok(Model::Sequence(Box::new(SequenceModel::load(container).map_err(damaged)?)))
            }
            family => Err(Error::Data(format!(
                "cannot load the model from {name}: it is of the family `{family}`, which this version does not know; \
                 use the version that wrote it ({}) or a later one",
                container.metadata().creator
            ))),
        }
    }

    /// The grammar, if the model is one: of an L-PCFG the one without latent states whose trees are built.
    pub fn grammar(&self) -> Option<&Pcfg> {
        match self {
            Model::Pcfg(model) => Some(model),
            Model::Lpcfg(model) => Some(model.grammar()),
            _ => None,
        }
    }

    /// What it is, in words: `a grammar`.
    pub fn description(&self) -> &'static str {
        match self {
            Model::Pcfg(_) => "a grammar",
            Model::Lpcfg(_) => "a grammar with latent states",
            Model::Clusters(_) => "clusters of words",
            Model::Mst(_) => "a dependency parser",
            Model::Deptree(_) => "latent dependency trees",
            Model::Reranker(_) => "a choice among trees",
            Model::Tagger(_) => "a tagger",
            Model::Pipeline(_) => "a pipeline",
            Model::HeadAutomata(_) => "head automata",
            Model::Sequence(_) => "a model of sequences",
        }
    }

    /// The metadata of a file of this family.
    pub fn metadata(&self) -> Metadata {
        match self {
            Model::Pcfg(_) => Pcfg::metadata(),
            Model::Lpcfg(_) => Lpcfg::metadata(),
            Model::Clusters(model) => model.metadata(),
            Model::Mst(_) => Mst::metadata(),
            Model::Deptree(model) => model.metadata(),
            Model::Reranker(_) => Reranker::metadata(),
            Model::Tagger(model) => model.metadata(),
            Model::Pipeline(model) => model.metadata(),
            Model::HeadAutomata(_) => HeadAutomata::metadata(),
            Model::Sequence(model) => model.metadata(),
        }
    }

    /// Saves the model and finishes the output; returns the size in bytes.
    pub fn save(&self, output: Output, metadata: &Metadata) -> Result<u64, FileError> {
        let mut writer = ContainerWriter::new(metadata);
        match self {
            Model::Pcfg(model) => model.save(&mut writer),
            Model::Lpcfg(model) => model.save(&mut writer),
            Model::Clusters(model) => model.save(&mut writer),
            Model::Mst(model) => model.save(&mut writer),
            Model::Deptree(model) => model.save(&mut writer),
            Model::Reranker(model) => model.save(&mut writer),
            Model::Tagger(model) => model.save(&mut writer),
            Model::Pipeline(model) => model.save(&mut writer),
            Model::HeadAutomata(model) => model.save(&mut writer),
            Model::Sequence(model) => model.save(&mut writer),
        }
        output.write_model(writer)
    }
}
