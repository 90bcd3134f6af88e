//! What a model can be used for.

use dependency::deptree::Deptree;
use dependency::reranker::Reranker;
use sequences::sequence::SequenceModel;
use tagging::tagger::Tagger;
use words::clusters::BrownModel;

use super::parser::{Builder, Parser};
use crate::pipeline::Pipeline;
use crate::{Error, Model};

impl Model {
    /// A parser, if the model builds trees: a grammar, a dependency parser, head automata, or a pipeline with one of the first
    /// two.
    pub fn parser(&self) -> Result<Parser<'_>, Error> {
        let builder = match self {
            Model::Pcfg(model) => Builder::Pcfg(model),
            Model::Lpcfg(model) => Builder::Lpcfg(model),
            Model::Mst(model) => Builder::Mst(model),
            Model::HeadAutomata(model) => Builder::HeadAutomata(model),
            Model::Pipeline(model) if model.parser.is_some() || model.grammar.is_some() => {
                Builder::Pipeline(model)
            }
            other => {
                return Err(other
                    .no("parser", "`train lpcfg`, `train mst` and `train pipeline` make models that parse"));
            }
        };
        Ok(Parser::new(builder))
    }

    /// The tagger, if the model is one or is a pipeline with one.
    pub fn tagger(&self) -> Result<&Tagger, Error> {
        match self {
            Model::Tagger(model) => Some(model.as_ref()),
            Model::Pipeline(model) => model.tagger.as_ref(),
            _ => None,
        }
        .ok_or_else(|| {
            self.no("tagger", "`train tagger`, `train ner` and `train pipeline` make models that label words")
        })
    }

    /// The pipeline, if the model is one.
    pub fn pipeline(&self) -> Result<&Pipeline, Error> {
        match self {
            Model::Pipeline(model) => Ok(model),
            other => Err(other.no("pipeline", "`train pipeline` makes models that read raw text")),
        }
    }

    /// The clusters of words, if the model has them.
    pub fn clusters(&self) -> Result<&BrownModel, Error> {
        match self {
            Model::Clusters(model) => Ok(model),
            other => Err(other.no("clusters of words", "`cluster --model` makes models that have them")),
        }
    }

    /// The model of sequences, if it is one.
    pub fn sequences(&self) -> Result<&SequenceModel, Error> {
        match self {
            Model::Sequence(model) => Ok(model),
            other => {
                Err(other.no("model of sequences", "`train automaton` and `train hmm` make such models"))
            }
        }
    }

    /// The latent dependency trees, if the model has them.
    pub fn latent_trees(&self) -> Result<&Deptree, Error> {
        match self {
            Model::Deptree(model) => Ok(model),
            other => {
                Err(other.no("latent dependency trees", "`train deptree` makes models that score trees"))
            }
        }
    }

    /// The reranker, if the model is one.
    pub fn reranker(&self) -> Result<&Reranker, Error> {
        match self {
            Model::Reranker(model) => Ok(model),
            other => Err(other.no("reranker", "`train reranker` makes models that choose among trees")),
        }
    }

    /// The error of a model that is something else than `wanted`.
    fn no(&self, wanted: &'static str, advice: &'static str) -> Error {
        Error::WrongModel { found: self.description(), wanted, advice }
    }
}
