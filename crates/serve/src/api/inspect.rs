//! Looks inside models.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use eigentree::inspection::{
    AutomataQuery, ClusterQuery, OverviewQuery, SymbolQuery, active_states as states_at_nodes,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::annotate::Input;
use super::json as answer;
use crate::failure::{Answer, Failure};
use crate::pool::Lane;
use crate::registry::Loaded;
use crate::service::Service;

/// What a query says, or what is wrong with it.
type Asked<T> = Result<Query<T>, QueryRejection>;

fn asked<T>(query: Asked<T>) -> Answer<T> {
    query.map(|Query(query)| query).map_err(|error| Failure::bad_request(error.body_text()))
}

/// Runs a look at a model among the short tasks.
async fn look_at(
    service: Arc<Service>,
    name: String,
    look: impl FnOnce(&Loaded) -> Answer<Value> + Send + 'static,
) -> Answer {
    let loaded = service.registry.get(Some(&name))?;
    Ok(answer(&service.pool.run(Lane::Short, move |_| look(&loaded)).await?))
}

/// A model as a whole.
pub(crate) async fn inspect(
    State(service): State<Arc<Service>>,
    Path(name): Path<String>,
    query: Asked<OverviewQuery>,
) -> Answer {
    let query = asked(query)?;
    look_at(service, name, move |loaded| {
        let mut value = query.answer(&loaded.model, &loaded.metadata)?;
        (value["name"], value["bytes"]) = (loaded.name.as_str().into(), loaded.bytes.into());
        Ok(value)
    })
    .await
}

/// The states of one symbol.
pub(crate) async fn states(
    State(service): State<Arc<Service>>,
    Path(name): Path<String>,
    query: Asked<SymbolQuery>,
) -> Answer {
    let query = asked(query)?;
    look_at(service, name, move |loaded| Ok(query.answer(&loaded.model)?)).await
}

/// Head automata.
pub(crate) async fn automata(
    State(service): State<Arc<Service>>,
    Path(name): Path<String>,
    query: Asked<AutomataQuery>,
) -> Answer {
    let query = asked(query)?;
    look_at(service, name, move |loaded| Ok(query.answer(&loaded.model)?)).await
}

/// Word clusters.
pub(crate) async fn clusters(
    State(service): State<Arc<Service>>,
    Path(name): Path<String>,
    query: Asked<ClusterQuery>,
) -> Answer {
    let query = asked(query)?;
    look_at(service, name, move |loaded| Ok(query.answer(&loaded.model)?)).await
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
