//! Addresses and their handlers.

use std::any::Any;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use serde_json::json;
use std::sync::atomic::Ordering;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, Any as AnyHeader, CorsLayer};

use crate::api::{annotate, evaluate, inspect, models, stream, train};
use crate::assets;
use crate::config::Origins;
use crate::failure::Failure;
use crate::guard::guard;
use crate::openapi;
use crate::service::Service;
use crate::{corenlp, udpipe};

/// The whole service.
pub(crate) fn router(service: Arc<Service>) -> Router {
    let api = Router::new()
        .route("/models", get(models::list))
        .route("/models/{name}", delete(models::forget))
        .route("/models/{name}/inspect", get(inspect::inspect))
        .route("/models/{name}/states", get(inspect::states))
        .route("/models/{name}/automata", get(inspect::automata))
        .route("/models/{name}/clusters", get(inspect::clusters))
        .route("/states", post(inspect::active_states))
        .route("/annotate", post(annotate::annotate))
        .route("/annotate/stream", post(stream::annotate))
        .route("/evaluate", post(evaluate::evaluate))
        .route("/train", post(train::train))
        .route("/jobs", get(train::list))
        .route("/jobs/{id}", get(train::show).delete(train::cancel))
        .route("/jobs/{id}/events", get(train::events))
        .route("/jobs/{id}/model", get(train::download))
        .route("/openapi.json", get(openapi::describe));
    let mut router = Router::new()
        .nest("/api/v1", api)
        .route("/", get(asset).post(corenlp::annotate))
        .route("/ping", get(corenlp::ping))
        .route("/live", get(corenlp::live))
        .route("/ready", get(corenlp::ready))
        .route("/models", get(udpipe::models).post(udpipe::models))
        .route("/process", get(udpipe::process).post(udpipe::process))
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .fallback(asset)
        .method_not_allowed_fallback(async || Failure::method_not_allowed())
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(Arc::clone(&service), guard));
    if let Some(layer) = cors(&service.config.origins) {
        router = router.layer(layer);
    }
    router.with_state(service)
}

fn panicked(_: Box<dyn Any + Send>) -> Response {
    Failure::internal().into_response()
}

/// Lets pages of other origins read answers, if any may.
fn cors(origins: &Origins) -> Option<CorsLayer> {
    let allowed = match origins {
        Origins::Own => return None,
        Origins::Any => AllowOrigin::any(),
        Origins::Listed(listed) => {
            AllowOrigin::list(listed.iter().filter_map(|origin| HeaderValue::try_from(origin).ok()))
        }
    };
    let methods = [Method::GET, Method::POST, Method::DELETE];
    Some(CorsLayer::new().allow_origin(allowed).allow_methods(methods).allow_headers(AnyHeader))
}

/// A file of the page.
async fn asset(State(service): State<Arc<Service>>, request: Request) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    match assets::find(request.uri().path()) {
        Some(asset) if reads => asset.answer(request.headers(), service.config.assets.as_deref()),
        _ => missing(request.uri()),
    }
}

fn missing(uri: &Uri) -> Response {
    Failure::not_found(format!("there is nothing at {}", uri.path()))
        .with_hint("GET /api/v1/openapi.json describes all addresses")
        .into_response()
}

/// Whether the service takes requests.
async fn health(State(service): State<Arc<Service>>) -> Response {
    let stopping = service.stopping.load(Ordering::Relaxed);
    let (status, word) =
        if stopping { (StatusCode::SERVICE_UNAVAILABLE, "stopping") } else { (StatusCode::OK, "ok") };
    let body = json!({ "status": word, "models": service.registry.all().len(),
        "version": env!("CARGO_PKG_VERSION") });
    (status, json_header(), body.to_string()).into_response()
}

async fn metrics(State(service): State<Arc<Service>>) -> Response {
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    ([(header::CONTENT_TYPE, kind)], service.metrics_text()).into_response()
}

/// The header of JSON answers.
pub(crate) fn json_header() -> HeaderMap {
    HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))])
}
