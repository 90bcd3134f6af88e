//! Questions about a model as they come from outside, and their answers as JSON: the same for a service and for a page.

use std::num::NonZeroUsize;

use models::persist::Metadata;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Request, probable_graphs};
use crate::{Error, Model};

/// Entries per list, unless asked for.
const TOP: usize = 20;
/// Most entries per list.
const MOST: usize = 1000;
/// Depth at which the tree of clusters is cut, unless asked for.
const DEPTH: usize = 4;

/// Reason why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The question makes no sense, whatever the model.
    #[error("{0}")]
    Invalid(String),
    /// Models of this family have nothing of the kind.
    #[error("the model is {found} and has no {wanted}")]
    Unfit {
        /// What the model is, with an article.
        found: &'static str,
        /// What was asked for.
        wanted: &'static str,
        /// The ability of the models that can answer, as [`Model::abilities`] has it.
        ability: &'static str,
    },
    /// The model could not show it.
    #[error(transparent)]
    Failed(#[from] Error),
}

fn top_of(top: Option<usize>) -> Result<usize, QueryError> {
    match top.unwrap_or(TOP) {
        top @ 1..=MOST => Ok(top),
        top => Err(QueryError::Invalid(format!("`top` is {top}, but must be from 1 to {MOST}"))),
    }
}

/// What `request` shows of the model; of its grammar, if it is a pipeline.
fn shown(model: &Model, request: &Request) -> Result<Value, Error> {
    Ok(match model {
        Model::Pipeline(pipeline) => match &pipeline.grammar {
            Some(grammar) => Model::from(grammar.as_ref().clone()).inspect(request)?.to_json(),
            None => json!({}),
        },
        _ => model.inspect(request)?.to_json(),
    })
}

impl Model {
    /// The model as lists of models show it: family, description, abilities, kind of input and the notes of its file.
    pub fn card(&self, metadata: &Metadata) -> Value {
        json!({
            "family": metadata.family,
            "description": self.description(),
            "abilities": self.abilities(),
            "input": if matches!(self, Model::Pipeline(_)) { "text" } else { "words" },
            "metadata": metadata.notes,
        })
    }
}

/// A model as a whole.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct OverviewQuery {
    /// Entries per list.
    pub top: Option<usize>,
}

impl OverviewQuery {
    /// The answer.
    pub fn answer(&self, model: &Model, metadata: &Metadata) -> Result<Value, QueryError> {
        let mut value = shown(model, &Request::default().top(top_of(self.top)?))?;
        (value["family"], value["description"]) = (json!(metadata.family), model.description().into());
        (value["notes"], value["creator"]) = (json!(metadata.notes), json!(metadata.creator));
        Ok(value)
    }
}

/// The rules, words and states of one symbol of a grammar.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SymbolQuery {
    /// The symbol.
    pub symbol: String,
    /// The member of an ensemble, counted from 1.
    pub member: Option<NonZeroUsize>,
    /// Entries per list.
    pub top: Option<usize>,
}

impl SymbolQuery {
    /// The answer.
    pub fn answer(&self, model: &Model) -> Result<Value, QueryError> {
        let mut request = Request::default().symbol(&self.symbol).top(top_of(self.top)?);
        request.member = self.member;
        if matches!(model, Model::Pipeline(_)) {
            model.latent_grammar()?;
        }
        let shown = shown(model, &request)?;
        let mut value = shown["symbols"][&self.symbol].clone();
        if !value.is_object() {
            return Err(QueryError::Unfit {
                found: model.description(),
                wanted: "such symbols",
                ability: "phrases",
            });
        }
        value["symbol"] = self.symbol.as_str().into();
        if let Some(member) = shown.get("member") {
            value["member"] = member.clone();
        }
        Ok(value)
    }
}

/// Head automata. Those of one head come with their graphs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct AutomataQuery {
    /// The head; all heads if there is none.
    pub head: Option<String>,
    /// `left` or `right`; both if there is none.
    pub direction: Option<String>,
    /// Entries per list.
    pub top: Option<usize>,
}

impl AutomataQuery {
    /// The answer.
    pub fn answer(&self, model: &Model) -> Result<Value, QueryError> {
        let top = top_of(self.top)?;
        if let Some(direction) = self.direction.as_deref().filter(|name| !["left", "right"].contains(name)) {
            return Err(QueryError::Invalid(format!(
                "`direction` is `{direction}`, but must be left or right"
            )));
        }
        let Model::HeadAutomata(automata) = model else {
            return Err(QueryError::Unfit {
                found: model.description(),
                wanted: "head automata",
                ability: "automata",
            });
        };
        let mut request = Request::default().top(top);
        request.symbols.extend(self.head.clone());
        let wanted = |value: &Value| self.direction.as_deref().is_none_or(|own| value["direction"] == own);
        let mut shown = shown(model, &request)?["automata"].take();
        if self.head.is_some() {
            let graphs: Vec<Value> =
                probable_graphs(automata, &request)?.iter().map(|one| one.to_json()).collect();
            for graph in graphs {
                let same = |value: &&mut Value| value["direction"] == graph["direction"];
                match shown.as_array_mut().and_then(|all| all.iter_mut().find(same)) {
                    Some(value) => {
                        ["svg", "dot", "graph"].iter().for_each(|key| value[*key] = graph[*key].clone())
                    }
                    None => drop(shown.as_array_mut().map(|all| all.push(graph))),
                }
            }
        }
        let shown: Vec<Value> =
            shown.as_array().into_iter().flatten().filter(|value| wanted(value)).cloned().collect();
        let heads: Vec<&str> = automata.symbols().iter().map(|(_, name)| name).take(top).collect();
        Ok(json!({ "heads": heads, "automata": shown }))
    }
}

/// Word clusters: around a word, below a prefix, or the tree cut at a depth.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ClusterQuery {
    /// The word.
    pub word: Option<String>,
    /// How many neighbours.
    pub neighbours: Option<usize>,
    /// The first bits of paths.
    pub prefix: Option<String>,
    /// The depth of the cut, counted from the prefix.
    pub depth: Option<usize>,
}

impl ClusterQuery {
    /// The answer.
    pub fn answer(&self, model: &Model) -> Result<Value, QueryError> {
        let top = top_of(self.neighbours)?;
        let depth = self.depth.map(|depth| top_of(Some(depth))).transpose()?;
        if let Some(prefix) =
            self.prefix.as_deref().filter(|bits| !bits.bytes().all(|bit| matches!(bit, b'0' | b'1')))
        {
            return Err(QueryError::Invalid(format!(
                "`prefix` is `{prefix}`, which is no path of bits 0 and 1"
            )));
        }
        let request = Request::default().top(top);
        let prefix = self.prefix.as_ref().filter(|bits| !bits.is_empty());
        let request = match (&self.word, prefix, depth) {
            (Some(word), ..) => request.word(word),
            (None, None, depth) => request.prefix(depth.unwrap_or(DEPTH)),
            (None, Some(prefix), Some(depth)) => request.prefix(prefix.len() + depth),
            (None, Some(prefix), None) => request.cluster(prefix),
        };
        // A model without clusters refuses with advice.
        model.clusters()?;
        let mut value = shown(model, &request)?["shown"][0].take();
        if let (Some(all), Some(prefix)) = (value["clusters"].as_array_mut(), prefix) {
            all.retain(|group| group["path"].as_str().is_some_and(|path| path.starts_with(prefix)));
        }
        if value.get("word").is_some() {
            value["path"] = value["clusters"][0]["path"].clone();
        }
        Ok(value)
    }
}
