//! The JSON interface below `/api/v1`.

pub(crate) mod annotate;
mod batch;
pub(crate) mod evaluate;
pub(crate) mod inspect;
pub(crate) mod models;
pub(crate) mod stream;
pub(crate) mod train;

use axum::response::{IntoResponse, Response};
use serde_json::Value;

use crate::router::json_header;

/// An answer in JSON.
pub(crate) fn json(value: &Value) -> Response {
    (json_header(), value.to_string()).into_response()
}
