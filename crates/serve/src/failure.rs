//! Refusals: a status, a stable code for programs, a message and a hint for people.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use eigentree::inspection::QueryError;
use serde_json::{Value, json};

/// A request that is not answered as asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// Seconds after which another attempt may succeed.
    pub(crate) retry_after: Option<u64>,
}

/// The result of a handler.
pub(crate) type Answer<T = Response> = Result<T, Failure>;

impl Failure {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), hint: None, retry_after: None }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The request makes no sense.
    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    /// The request is understood, but its data does not fit the model or the format.
    pub(crate) fn unprocessable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "unprocessable", message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    pub(crate) fn conflict(message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", message)
    }

    pub(crate) fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", "the request carries no valid token")
            .with_hint("send the header `Authorization: Bearer TOKEN`")
    }

    pub(crate) fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    pub(crate) fn method_not_allowed() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "this address does not answer this method",
        )
    }

    /// A limit is exceeded: `what` has `found` of a unit where `most` are allowed.
    pub(crate) fn too_large(what: &str, most: usize, unit: &str) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            format!("{what} exceeds the limit of {most} {unit}"),
        )
        .with_hint("send less at once, or stream it to /api/v1/annotate/stream")
    }

    /// The client was too slow in sending its request.
    pub(crate) fn slow_client() -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            "slow_client",
            "the body of the request did not arrive in time",
        )
    }

    /// The work took longer than allowed.
    pub(crate) fn timeout(seconds: f64) -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "timeout",
            format!("the request took longer than the limit of {seconds} seconds"),
        )
        .with_hint("send shorter texts, or stream them to /api/v1/annotate/stream")
    }

    /// There is no room for the request now.
    pub(crate) fn busy(retry_after: u64) -> Self {
        let mut failure = Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "busy",
            "too many requests are waiting; try again later",
        );
        failure.retry_after = Some(retry_after.max(1));
        failure
    }

    /// The service is stopping.
    pub(crate) fn stopping() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", "the service is stopping")
    }

    /// The object that describes it.
    pub(crate) fn to_json(&self) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(hint) = &self.hint {
            error["hint"] = hint.as_str().into();
        }
        error
    }

    /// A defect of the service.
    pub(crate) fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "this request met a defect of the service; other requests are not affected",
        )
        .with_hint("please report it with the request that shows it")
    }
}

impl From<eigentree::Error> for Failure {
    fn from(error: eigentree::Error) -> Self {
        Self::unprocessable(error.to_string())
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        match &error {
            QueryError::Invalid(message) => Self::bad_request(message),
            QueryError::Unfit { ability, .. } => Self::unprocessable(error.to_string())
                .with_hint(format!("ask for a model with the ability `{ability}`")),
            _ => Self::unprocessable(error.to_string()),
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let body = json!({ "error": self.to_json() }).to_string();
        let mut response =
            (self.status, [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body)
                .into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
