//! Scores a prediction against a gold annotation.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use eigentree::reading::Format;
use eigentree::scoring::{ScoringConfig, score_texts};
use serde::Deserialize;

use super::json as answer;
use crate::failure::{Answer, Failure};
use crate::pool::Lane;
use crate::service::Service;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EvaluateRequest {
    gold: String,
    predicted: String,
    format: Option<String>,
}

/// Scores.
pub(crate) async fn evaluate(State(service): State<Arc<Service>>, body: Body) -> Answer {
    let limits = &service.config.limits;
    let request: EvaluateRequest = service.budget.read(body, limits.body_bytes, limits).await?.json()?;
    let format = match &request.format {
        None => None,
        Some(name) => Some(format_of(name)?),
    };
    let scored = service.pool.run(Lane::Long, move |_| {
        let config = ScoringConfig::default();
        let scored = score_texts(&request.gold, &request.predicted, format, &config)?;
        Ok(scored.report().to_json_value())
    });
    Ok(answer(&scored.await?))
}

fn format_of(name: &str) -> Answer<Format> {
    Format::CORPORA.into_iter().find(|format| format.name() == name).ok_or_else(|| {
        let known: Vec<&str> = Format::CORPORA.into_iter().map(Format::name).collect();
        Failure::bad_request(format!("there is no format `{name}`"))
            .with_hint(format!("known formats: {}", known.join(", ")))
    })
}
