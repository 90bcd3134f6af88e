//! Trains models, shows how far jobs are, hands out model files.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use eigentree::training::TrainingRequest;
use futures_util::{Stream, stream};
use serde_json::{Value, json};

use super::json as answer;
use crate::failure::{Answer, Failure};
use crate::jobs::Job;
use crate::pool::Lane;
use crate::registry::is_name;
use crate::service::Service;

/// How often watchers of a job hear of changes.
const NEWS_INTERVAL: Duration = Duration::from_millis(200);

/// Accepts a training job.
pub(crate) async fn train(State(service): State<Arc<Service>>, body: Body) -> Answer {
    let limits = &service.config.limits;
    if limits.training_bytes == 0 {
        return Err(Failure::forbidden("training is turned off on this service"));
    }
    // JSON writes some characters of the data as two or more.
    let most = limits.training_bytes.saturating_mul(2);
    let body = service.budget.read(body, most, limits).await?;
    let mut request: TrainingRequest = body.json()?;
    let bytes = [&request.data, &request.dev].into_iter().flatten().map(String::len).sum::<usize>();
    if bytes > limits.training_bytes {
        return Err(Failure::too_large("the training data", limits.training_bytes, "bytes")
            .with_hint("train larger models with `eigentree train`"));
    }
    if let Some(name) = request.name.as_deref().filter(|name| !is_name(name)) {
        return Err(Failure::bad_request(format!("`{name}` cannot name a model"))
            .with_hint("use letters, digits and -_.+, at most 64"));
    }
    request.check().map_err(|error| Failure::bad_request(error.to_string()))?;
    request.options.seed.get_or_insert(service.config.seed);
    let wish = request.name.clone().unwrap_or_else(|| format!("my-{}", request.family.name()));
    let job = service.jobs.add(request, |taken| service.registry.free_name(&wish, taken))?;
    let body = json!({ "job": job.id, "name": job.name() });
    Ok((StatusCode::ACCEPTED, answer(&body)).into_response())
}

/// All jobs.
pub(crate) async fn list(State(service): State<Arc<Service>>) -> Response {
    let jobs: Value = service.jobs.all().iter().map(|job| job.to_json()).collect();
    answer(&json!({ "jobs": jobs }))
}

/// One job.
pub(crate) async fn show(State(service): State<Arc<Service>>, Path(id): Path<String>) -> Answer {
    Ok(answer(&service.jobs.get(&id)?.to_json()))
}

/// Cancels a job.
pub(crate) async fn cancel(State(service): State<Arc<Service>>, Path(id): Path<String>) -> Answer {
    let job = service.jobs.get(&id)?;
    job.cancel();
    Ok(answer(&job.to_json()))
}

/// The progress of a job as it happens.
pub(crate) async fn events(State(service): State<Arc<Service>>, Path(id): Path<String>) -> Answer {
    let job = service.jobs.get(&id)?;
    let sse = Sse::new(news(service, job)).keep_alive(KeepAlive::default());
    Ok(sse.into_response())
}

/// One event per change, at most one per interval. The last one has a final state.
fn news(service: Arc<Service>, job: Arc<Job>) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold((service, Some(job), None), async |(service, job, mut told): (_, _, Option<u64>)| {
        let job: Arc<Job> = job?;
        let service: Arc<Service> = service;
        // Time passes while a job runs, so a running one has news even if nothing else changed for a while.
        for _ in 0..5 {
            if told.is_none_or(|version| version != job.version()) || service.stopping.load(Ordering::Relaxed)
            {
                break;
            }
            tokio::time::sleep(NEWS_INTERVAL).await;
        }
        if told.is_some() {
            tokio::time::sleep(NEWS_INTERVAL).await;
        }
        told = Some(job.version());
        let ended = job.state().is_final() || service.stopping.load(Ordering::Relaxed);
        let event = Event::default().event("progress").data(job.to_json().to_string());
        Some((Ok(event), (service, (!ended).then_some(job), told)))
    })
}

/// The model file of a job.
pub(crate) async fn download(State(service): State<Arc<Service>>, Path(id): Path<String>) -> Answer {
    let job = service.jobs.get(&id)?;
    let Some(name) = job.model() else {
        return Err(Failure::conflict(format!("the job is {}, so there is no model", job.state().name())));
    };
    let loaded = service.registry.get(Some(name))?;
    let file = service.pool.run(Lane::Long, move |_| Ok(loaded.model.to_bytes(&loaded.metadata)?)).await?;
    let mut response = Body::from(file).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    // Names may have letters that headers cannot carry.
    let plain: String = name.chars().map(|c| if c.is_ascii() { c } else { '_' }).collect();
    if let Ok(value) = HeaderValue::try_from(format!("attachment; filename=\"{plain}.eig\"")) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}
