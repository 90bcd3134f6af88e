//! What all requests share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crate::body::Budget;
use crate::config::Config;
use crate::jobs::Jobs;
use crate::log::{Event, Log};
use crate::metrics::{Gauge, Metrics, resident_bytes};
use crate::pool::{Lane, Pool};
use crate::registry::{Look, Registry};

/// A running service.
pub(crate) struct Service {
    pub(crate) config: Config,
    pub(crate) registry: Registry,
    pub(crate) pool: Pool,
    pub(crate) jobs: Jobs,
    pub(crate) budget: Budget,
    pub(crate) metrics: Metrics,
    pub(crate) log: Log,
    pub(crate) stopping: AtomicBool,
    started: Instant,
    requests: AtomicU64,
    /// Makes the ids of requests differ between runs.
    run: u64,
}

impl Service {
    pub(crate) fn new(config: Config, registry: Registry, log: Log) -> std::io::Result<Self> {
        let limits = &config.limits;
        let pool = Pool::start(config.threads, limits.queue, limits.request_time())?;
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let run = since.map_or(0, |since| since.as_micros() as u64) ^ (u64::from(std::process::id()) << 48);
        Ok(Self {
            registry,
            pool,
            jobs: Jobs::new(limits, config.threads),
            budget: Budget::new(limits.memory_bytes),
            metrics: Metrics::default(),
            log,
            stopping: AtomicBool::new(false),
            started: Instant::now(),
            requests: AtomicU64::new(0),
            run,
            config,
        })
    }

    /// An id for a request that brought none.
    pub(crate) fn request_id(&self) -> String {
        format!("{:x}-{}", self.run, self.requests.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Loads model files that changed.
    pub(crate) fn look_at_files(&self) {
        for look in self.registry.look() {
            let (counter, event) = match look {
                Look::Reloaded(model) => (&self.metrics.reloads, Event::Reloaded { model }),
                Look::Failed(model, reason) => {
                    (&self.metrics.failed_reloads, Event::ReloadFailed { model, reason })
                }
            };
            counter.fetch_add(1, Ordering::Relaxed);
            self.log.put(&event);
        }
    }

    /// The page of metrics.
    pub(crate) fn metrics_text(&self) -> String {
        let gauge = |name, help, labels: String, value: f64| Gauge { name, help, labels, value };
        let loads = Lane::ALL.map(|lane| (format!("{{lane=\"{}\"}}", lane.name()), self.pool.load(lane)));
        let mut gauges = Vec::new();
        for (label, (running, _)) in &loads {
            let help = "Tasks that run.";
            gauges.push(gauge("eigentree_tasks_running", help, label.clone(), *running as f64));
        }
        for (label, (_, waiting)) in &loads {
            let help = "Tasks that wait for a thread.";
            gauges.push(gauge("eigentree_tasks_waiting", help, label.clone(), *waiting as f64));
        }
        let models = self.registry.all().len() as f64;
        gauges.push(gauge("eigentree_models", "Models in memory.", String::new(), models));
        let seconds = self.started.elapsed().as_secs_f64();
        gauges.push(gauge("eigentree_uptime_seconds", "Seconds since the start.", String::new(), seconds));
        if let Some(bytes) = resident_bytes() {
            let help = "Resident memory.";
            gauges.push(gauge("process_resident_memory_bytes", help, String::new(), bytes as f64));
        }
        self.metrics.render(&gauges)
    }
}
