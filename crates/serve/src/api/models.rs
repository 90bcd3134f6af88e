//! Lists and forgets models.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::json as answer;
use crate::failure::Answer;
use crate::registry::{Loaded, Origin};
use crate::service::Service;

/// All models, and what the service takes.
pub(crate) async fn list(State(service): State<Arc<Service>>) -> Response {
    let models: Vec<Value> = service.registry.all().iter().map(|loaded| describe(loaded)).collect();
    let default = service.registry.default_name();
    answer(&json!({ "models": models, "default": default, "limits": service.config.limits }))
}

fn describe(loaded: &Loaded) -> Value {
    let mut card = loaded.model.card(&loaded.metadata);
    card["name"] = loaded.name.as_str().into();
    card["bytes"] = loaded.bytes.into();
    card["origin"] = match loaded.origin {
        Origin::File(_) => "file",
        Origin::Trained => "trained",
    }
    .into();
    card
}

/// Forgets a model that was trained here.
pub(crate) async fn forget(State(service): State<Arc<Service>>, Path(name): Path<String>) -> Answer {
    service.registry.remove_trained(&name)?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
