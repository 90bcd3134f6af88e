//! Models of any family, by name.

use std::path::Path;

use dependency::deptree::Deptree;
use dependency::head_automata::HeadAutomata;
use dependency::mst::Mst;
use dependency::reranker::Reranker;
use grammars::lpcfg::Lpcfg;
use grammars::pcfg::Pcfg;
use models::persist::{Container, ContainerWriter, LoadError, Metadata, ModelFile};
use sequences::sequence::SequenceModel;
use tagging::tagger::Tagger;
use words::clusters::BrownModel;

use crate::Error;
use crate::files::{FileError, Output, open_model};
use crate::pipeline::Pipeline;

/// The list of families: what it says of each is all that this module knows of it.
macro_rules! families {
    ($($(#[$doc:meta])* $variant:ident($model:ty),)+) => {
        /// A model of any family. The families differ in size and are boxed.
        #[derive(Clone, Debug)]
        pub enum Model {
            $($(#[$doc])* $variant(Box<$model>),)+
        }

        /// Calls `$body` with the model inside, whatever its family.
        macro_rules! for_family {
            ($any:expr, $inside:ident => $body:expr) => {
                match $any {
                    $(Model::$variant($inside) => $body,)+
                }
            };
        }

        impl Model {
            /// The model in `container`; `None` if its family is unknown.
            fn of_family(container: &Container) -> Option<Result<Self, LoadError>> {
                match container.metadata().family.as_str() {
                    $(<$model>::FAMILY => Some(<$model>::load(container).map(Self::from)),)+
                    _ => None,
                }
            }
        }

        $(impl From<$model> for Model {
            fn from(model: $model) -> Self {
                Model::$variant(Box::new(model))
            }
        })+
    };
}

families! {
    /// A probabilistic context-free grammar.
    Pcfg(Pcfg),
    /// A grammar with latent states.
    Lpcfg(Lpcfg),
    /// Clusters of words, as a language model.
    Clusters(BrownModel),
    /// A dependency parser.
    Mst(Mst),
    /// Latent dependency trees.
    Deptree(Deptree),
    /// A reranker of the best trees of a dependency parser.
    Reranker(Reranker),
    /// Labels of words: parts of speech, morphology, entities.
    Tagger(Tagger),
    /// From raw text to annotated sentences.
    Pipeline(Pipeline),
    /// Head automata, a dependency parser too.
    HeadAutomata(HeadAutomata),
    /// Automata and n-grams over sequences.
    Sequence(SequenceModel),
}

impl Model {
    /// Loads the model at `path`.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_at(path.as_ref())
    }

    fn open_at(path: &Path) -> Result<Self, Error> {
        Self::load(&open_model(path)?, &path.display().to_string())
    }

    /// Loads the model in `container`, which came from the file `name`.
    pub fn load(container: &Container, name: &str) -> Result<Self, Error> {
        let Some(loaded) = Self::of_family(container) else {
            let Metadata { family, creator, .. } = container.metadata();
            return Err(Error::Load(format!(
                "cannot load the model from {name}: it is of the family `{family}`, which this version does not know; \
                 use the version that wrote it ({creator}) or a later one"
            )));
        };
        loaded.map_err(|error| Error::Load(format!("cannot load the model from {name}: {error}")))
    }

    /// Loads a model from the bytes of its file. Errors call the file `name`.
    pub fn from_bytes(bytes: Vec<u8>, name: &str) -> Result<Self, Error> {
        let container = Container::from_bytes(bytes)
            .map_err(|error| Error::Data(format!("cannot load the model from {name}: {error}")))?;
        Self::load(&container, name)
    }

    /// The bytes of a file with this model.
    pub fn to_bytes(&self, metadata: &Metadata) -> Result<Vec<u8>, Error> {
        let mut writer = ContainerWriter::new(metadata);
        for_family!(self, model => model.save(&mut writer));
        let mut bytes = Vec::new();
        writer.write_to(&mut bytes).map_err(|error| Error::Data(error.to_string()))?;
        Ok(bytes)
    }

    /// The grammar, if the model is one. An L-PCFG returns its grammar without latent states, whose trees it builds.
    pub fn grammar(&self) -> Option<&Pcfg> {
        match self {
            Model::Pcfg(model) => Some(model),
            Model::Lpcfg(model) => Some(model.grammar()),
            _ => None,
        }
    }

    /// The family in words, such as `a grammar`.
    pub fn description(&self) -> &'static str {
        fn of<M: ModelFile>(_: &M) -> &'static str {
            M::DESCRIPTION
        }
        for_family!(self, model => of(model.as_ref()))
    }

    /// The metadata of a file with this model.
    pub fn metadata(&self) -> Metadata {
        for_family!(self, model => model.metadata())
    }

    /// Saves the model and finishes the output; returns the size in bytes.
    pub fn save(&self, output: Output, metadata: &Metadata) -> Result<u64, FileError> {
        let mut writer = ContainerWriter::new(metadata);
        for_family!(self, model => model.save(&mut writer));
        output.write_model(writer)
    }
}
