//! What happens, as records for whoever runs the service. The service prints nothing itself.

use std::sync::Arc;

use serde_json::{Value, json};

/// An event of the service.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A request was answered.
    Request {
        /// Identifies the request; the answer carries it as `x-request-id`.
        id: String,
        /// The method.
        method: String,
        /// The path, without the query, which may hold text of users.
        path: String,
        /// The status of the answer.
        status: u16,
        /// Seconds until the answer began.
        seconds: f64,
    },
    /// A changed model file was loaded.
    Reloaded {
        /// Name of the model.
        model: String,
    },
    /// A changed model file could not be loaded; the model in memory stays in use.
    ReloadFailed {
        /// Name of the model.
        model: String,
        /// The reason.
        reason: String,
    },
    /// A training job ended.
    JobEnded {
        /// Identifies the job.
        job: String,
        /// `done`, `failed` or `cancelled`.
        state: &'static str,
        /// Seconds since it began.
        seconds: f64,
    },
    /// The service stops; requests that run are finished.
    Stopping {
        /// Number of connections that are open.
        connections: usize,
    },
}

impl Event {
    /// The event as JSON.
    pub fn to_json(&self) -> Value {
        match self {
            Event::Request { id, method, path, status, seconds } => {
                json!({ "event": "request", "id": id, "method": method, "path": path, "status": status,
                    "seconds": (seconds * 1e6).round() / 1e6 })
            }
            Event::Reloaded { model } => json!({ "event": "reloaded", "model": model }),
            Event::ReloadFailed { model, reason } => {
                json!({ "event": "reload_failed", "model": model, "reason": reason })
            }
            Event::JobEnded { job, state, seconds } => {
                json!({ "event": "job_ended", "job": job, "state": state, "seconds": seconds })
            }
            Event::Stopping { connections } => json!({ "event": "stopping", "connections": connections }),
        }
    }
}

/// Receives the events of a service.
#[derive(Clone)]
pub struct Log(Arc<dyn Fn(&Event) + Send + Sync>);

impl Log {
    /// A log that calls a function for each event.
    pub fn new(write: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        Self(Arc::new(write))
    }

    /// A log that ignores all events.
    pub fn silent() -> Self {
        Self::new(|_| {})
    }

    pub(crate) fn put(&self, event: &Event) {
        (self.0)(event);
    }
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Log")
    }
}
