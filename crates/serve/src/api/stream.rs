//! Annotates a stream: one JSON object per line in, one per line out, in the same order.
//!
//! As many lines as there are threads are worked on at once. The next line is read when one of the oldest is written, so a client
//! that reads slowly is read from slowly, and memory stays bounded however long the stream is. A line that cannot be annotated
//! gives an object with `error`; the stream goes on.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Query, State};
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;
use futures_util::{Stream, StreamExt, stream};
use serde::Deserialize;
use serde_json::Value;

use super::annotate::{Format, Input, Options};
use super::object;
use crate::body::{Lines, json_of, text_of};
use crate::failure::{Answer, Failure};
use crate::pool::Lane;
use crate::registry::Loaded;
use crate::service::Service;

/// The query of a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StreamQuery {
    model: Option<String>,
    nbest: Option<usize>,
    confidences: Option<bool>,
    phrases: Option<bool>,
    format: Option<Format>,
}

/// One line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: Option<Value>,
    text: Option<String>,
    tokens: Option<Vec<Vec<String>>>,
}

/// Annotates line by line.
pub(crate) async fn annotate(
    State(service): State<Arc<Service>>,
    query: Result<Query<StreamQuery>, axum::extract::rejection::QueryRejection>,
    body: Body,
) -> Answer {
    let Query(query) = query.map_err(|error| Failure::bad_request(error.body_text()))?;
    let limits = &service.config.limits;
    let options = Options::new(query.nbest, query.confidences, query.phrases, query.format, limits)?;
    let loaded = service.registry.get(query.model.as_deref())?;
    let lines = Lines::new(body, limits.body_bytes, limits);
    let threads = service.pool.threads();
    let results = lines_of(lines)
        .map(move |line| one(Arc::clone(&service), Arc::clone(&loaded), options, line))
        .buffered(threads)
        .map(|value| Ok::<_, std::convert::Infallible>(Bytes::from(format!("{value}\n"))));
    let kind = HeaderValue::from_static("application/x-ndjson");
    Ok(([(header::CONTENT_TYPE, kind)], Body::from_stream(results)).into_response())
}

/// The lines that are not blank. The stream ends after the first failure to read.
fn lines_of(lines: Lines) -> impl Stream<Item = Answer<Bytes>> {
    stream::unfold(Some(lines), async |state| {
        let mut lines = state?;
        loop {
            return match lines.next().await {
                Ok(Some(line)) if line.trim_ascii().is_empty() => continue,
                Ok(Some(line)) => Some((Ok(line), Some(lines))),
                Ok(None) => None,
                Err(failure) => Some((Err(failure), None)),
            };
        }
    })
}

/// The answer to one line.
async fn one(service: Arc<Service>, loaded: Arc<Loaded>, options: Options, line: Answer<Bytes>) -> String {
    let mut id = None;
    let result = async {
        let line: Line = json_of(text_of(&line?)?)?;
        id = line.id;
        let limits = &service.config.limits;
        let input = match (line.text, line.tokens) {
            (Some(text), None) => Input::text(text, limits)?,
            (None, Some(tokens)) => Input::tokens(tokens, limits)?,
            _ => return Err(Failure::bad_request("give either `text` or `tokens` in each line")),
        };
        let worker = Arc::clone(&service);
        service
            .pool
            .run_when_free(Lane::Long, move |wanted| {
                let document = input.annotate(&worker, &loaded, options.annotation, wanted)?;
                options.show(&document)
            })
            .await
    };
    let shown = result.await.unwrap_or_else(|failure| ("error", failure.to_json().to_string()));
    match id {
        Some(id) => object([shown, ("id", id.to_string())]),
        None => object([shown]),
    }
}
