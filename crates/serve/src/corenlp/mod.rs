//! The protocol of the CoreNLP server, as far as NLTK's and stanza's clients use it.
//!
//! `POST /?properties={…}` with the text as body. `properties` is JSON, or what Python prints for a dictionary. They name the
//! annotators (`tokenize`, `ssplit`, `pos`, `lemma`, `ner`, `depparse`, `parse`), the output format (`json`, `conll`, `conllu`) and
//! how text is divided (`ssplit.eolonly`, `ssplit.isOneSentence`, `tokenize.whitespace`). Unknown properties are ignored, as the
//! server does that is imitated here.

mod properties;
mod render;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;

use crate::api::json as answer;
use crate::failure::{Answer, Failure};
use crate::pool::Lane;
use crate::service::Service;
use crate::stages::Stages;

use properties::{OutputFormat, Properties};

/// Annotates the body of a request.
pub(crate) async fn annotate(
    State(service): State<Arc<Service>>,
    Query(query): Query<Vec<(String, String)>>,
    body: Body,
) -> Answer {
    let limits = &service.config.limits;
    let properties = Properties::of_query(&query)?;
    let body = service.budget.read(body, limits.body_bytes, limits).await?;
    let text = body.text()?.to_owned();
    if text.len() > limits.text_bytes {
        return Err(Failure::too_large("the text", limits.text_bytes, "bytes"));
    }
    let stages = Stages::choose(&service.registry, properties.model.as_deref(), properties.needs())?;
    let task = service.pool.run(Lane::of_bytes(text.len()), move |wanted| {
        let sentences = stages.divide(&text, properties.sentences, properties.tokens)?;
        let staged = stages.annotate(sentences, wanted)?;
        Ok(match properties.output {
            OutputFormat::Json => answer(&render::json(&staged, &text, &properties)),
            OutputFormat::Conll => plain(render::conll(&staged)),
            OutputFormat::Conllu => plain(render::conllu(&staged)?),
        })
    });
    task.await
}

fn plain(text: String) -> axum::response::Response {
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// Whether the server is there.
pub(crate) async fn ping() -> &'static str {
    "pong\n"
}

/// Whether the server lives.
pub(crate) async fn live() -> &'static str {
    "live\n"
}

/// Whether the server takes requests.
pub(crate) async fn ready() -> &'static str {
    "ready\n"
}
