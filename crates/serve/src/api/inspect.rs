//! Looks inside models.

use std::num::NonZeroUsize;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use eigentree::Model;
use eigentree::inspection::{Request, active_states as states_at_nodes, probable_graphs};
use serde::Deserialize;
use serde_json::{Value, json};

use super::annotate::Input;
use super::json as answer;
use crate::failure::{Answer, Failure};
use crate::pool::Lane;
use crate::service::Service;

/// Entries per list, unless asked for.
const TOP: usize = 20;
/// Depth at which the tree of clusters is cut, unless asked for.
const DEPTH: usize = 4;
/// Most entries per list.
const MOST: usize = 1000;

/// What a query says, or what is wrong with it.
type Asked<T> = Result<Query<T>, QueryRejection>;

fn asked<T>(query: Asked<T>) -> Answer<T> {
    query.map(|Query(query)| query).map_err(|error| Failure::bad_request(error.body_text()))
}

/// Runs a look at a model among the short tasks.
async fn look_at(
    service: Arc<Service>,
    name: String,
    look: impl FnOnce(&Model) -> Answer<Value> + Send + 'static,
) -> Answer {
    let loaded = service.registry.get(Some(&name))?;
    Ok(answer(&service.pool.run(Lane::Short, move |_| look(&loaded.model)).await?))
}

/// The length of lists.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TopQuery {
    top: Option<usize>,
}

fn top_of(top: Option<usize>) -> Answer<usize> {
    match top.unwrap_or(TOP) {
        top @ 1..=MOST => Ok(top),
        top => Err(Failure::bad_request(format!("`top` is {top}, but must be from 1 to {MOST}"))),
    }
}

/// A model as a whole.
pub(crate) async fn inspect(
    State(service): State<Arc<Service>>,
    Path(name): Path<String>,
    query: Asked<TopQuery>,
) -> Answer {
    let top = top_of(asked(query)?.top)?;
    let loaded = service.registry.get(Some(&name))?;
    let (notes, creator, bytes) =
        (json!(loaded.metadata.notes), loaded.metadata.creator.clone(), loaded.bytes);
    let family = loaded.metadata.family.clone();
    look_at(service, name.clone(), move |model| {
        let request = Request::default().top(top);
        let mut value = match model {
            // A pipeline shows its grammar.
            Model::Pipeline(pipeline) => match &pipeline.grammar {
                Some(grammar) => Model::from(grammar.as_ref().clone()).inspect(&request)?.to_json(),
                None => json!({}),
            },
            _ => model.inspect(&request)?.to_json(),
        };
        (value["family"], value["description"]) = (family.into(), model.description().into());
        (value["name"], value["notes"]) = (name.into(), notes);
        (value["creator"], value["bytes"]) = (creator.into(), bytes.into());
        Ok(value)
    })
    .await
}

/// Which symbol.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SymbolQuery {
    symbol: String,
    member: Option<NonZeroUsize>,
    top: Option<usize>,
}

/// The states of one symbol.
pub(crate) async fn states(
    State(service): State<Arc<Service>>,
    Path(name): Path<String>,
    query: Asked<SymbolQuery>,
) -> Answer {
    let query = asked(query)?;
    let mut request = Request::default().symbol(&query.symbol).top(top_of(query.top)?);
    request.member = query.member;
    look_at(service, name, move |model| {
        let shown = match model {
            Model::Pipeline(_) => Model::from(model.latent_grammar()?.clone()).inspect(&request)?.to_json(),
            _ => model.inspect(&request)?.to_json(),
        };
        let mut value = shown["symbols"][&query.symbol].clone();
        if !value.is_object() {
            return Err(Failure::unprocessable(format!(
                "the model is {} and has no such symbols",
                model.description()
            ))
            .with_hint("ask for a model with the ability `phrases`"));
        }
        value["symbol"] = query.symbol.into();
        if let Some(member) = shown.get("member") {
            value["member"] = member.clone();
        }
        Ok(value)
    })
    .await
}

/// Which automaton.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AutomataQuery {
    head: Option<String>,
    direction: Option<String>,
    top: Option<usize>,
}

/// Head automata. Those of one head come with their graphs.
pub(crate) async fn automata(
    State(service): State<Arc<Service>>,
    Path(name): Path<String>,
    query: Asked<AutomataQuery>,
) -> Answer {
    let query = asked(query)?;
    let top = top_of(query.top)?;
    if let Some(direction) = query.direction.as_deref().filter(|name| !["left", "right"].contains(name)) {
        return Err(Failure::bad_request(format!("`direction` is `{direction}`, but must be left or right")));
    }
    look_at(service, name, move |model| {
        let Model::HeadAutomata(automata) = model else {
            return Err(Failure::unprocessable(format!(
                "the model is {} and has no head automata",
                model.description()
            ))
            .with_hint("ask for a model with the ability `automata`"));
        };
        let mut request = Request::default().top(top);
        request.symbols.extend(query.head.clone());
        let wanted = |value: &Value| query.direction.as_deref().is_none_or(|own| value["direction"] == own);
        let mut shown = model.inspect(&request)?.to_json()["automata"].take();
        if query.head.is_some() {
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
    })
    .await
}

/// Which clusters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClusterQuery {
    word: Option<String>,
    neighbours: Option<usize>,
    prefix: Option<String>,
    depth: Option<usize>,
}

/// Word clusters: around a word, below a prefix, or the tree cut at a depth.
pub(crate) async fn clusters(
    State(service): State<Arc<Service>>,
    Path(name): Path<String>,
    query: Asked<ClusterQuery>,
) -> Answer {
    let query = asked(query)?;
    let top = top_of(query.neighbours)?;
    let depth = query.depth.map(|depth| top_of(Some(depth))).transpose()?;
    if let Some(prefix) =
        query.prefix.as_deref().filter(|bits| !bits.bytes().all(|bit| matches!(bit, b'0' | b'1')))
    {
        return Err(Failure::bad_request(format!(
            "`prefix` is `{prefix}`, which is no path of bits 0 and 1"
        )));
    }
    let request = Request::default().top(top);
    let prefix = query.prefix.filter(|bits| !bits.is_empty());
    let request = match (query.word, &prefix, depth) {
        (Some(word), ..) => request.word(word),
        (None, None, depth) => request.prefix(depth.unwrap_or(DEPTH)),
        (None, Some(prefix), Some(depth)) => request.prefix(prefix.len() + depth),
        (None, Some(prefix), None) => request.cluster(prefix.clone()),
    };
    look_at(service, name, move |model| {
        // A model without clusters refuses the request with advice.
        let mut shown =
            model.clusters().and_then(|_| Ok(model.inspect(&request)?))?.to_json()["shown"][0].take();
        if let (Some(all), Some(prefix)) = (shown["clusters"].as_array_mut(), &prefix) {
            all.retain(|group| group["path"].as_str().is_some_and(|path| path.starts_with(prefix)));
        }
        if shown.get("word").is_some() {
            shown["path"] = shown["clusters"][0]["path"].clone();
        }
        Ok(shown)
    })
    .await
}

/// The body of a request for active states.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StatesRequest {
    model: Option<String>,
    text: Option<String>,
    tokens: Option<Vec<Vec<String>>>,
    member: Option<usize>,
}

/// Which states are active at the nodes of the trees of a text.
pub(crate) async fn active_states(State(service): State<Arc<Service>>, body: Body) -> Answer {
    let limits = &service.config.limits;
    let body = service.budget.read(body, limits.body_bytes, limits).await?;
    let request: StatesRequest = body.json()?;
    let loaded = service.registry.get(request.model.as_deref())?;
    let input = match (request.text, request.tokens) {
        (Some(text), None) => Input::text(text, limits)?,
        (None, Some(tokens)) => Input::tokens(tokens, limits)?,
        _ => return Err(Failure::bad_request("give exactly one of `text` and `tokens` in the request")),
    };
    let lane = Lane::of_bytes(input.bytes());
    let shown = service.pool.run(lane, move |wanted| {
        let mut shown = Vec::new();
        for words in input.words_of(&loaded.model)? {
            wanted.check()?;
            shown.push(states_at_nodes(&loaded.model, &words, request.member)?);
        }
        Ok(json!({ "model": loaded.name, "sentences": shown }))
    });
    Ok(answer(&shown.await?))
}
