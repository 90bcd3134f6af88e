//! The description of the interface.

use axum::response::{IntoResponse, Response};

use crate::router::json_header;

/// The description, as a document of OpenAPI 3.1.
pub(crate) const DESCRIPTION: &str = include_str!("openapi.json");

/// Hands out the description.
pub(crate) async fn describe() -> Response {
    (json_header(), DESCRIPTION).into_response()
}
