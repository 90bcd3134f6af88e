//! Annotates several texts in one request.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::json;

use super::annotate::{Format, Input, Options};
use super::{json_text, object};
use crate::failure::{Answer, Failure};
use crate::pool::Lane;
use crate::registry::Loaded;
use crate::service::Service;

/// Annotates several texts, as many at once as there are threads.
pub(super) async fn batch(
    service: &Arc<Service>,
    loaded: Arc<Loaded>,
    texts: Vec<String>,
    options: Options,
) -> Answer {
    let limits = &service.config.limits;
    if texts.len() > limits.batch {
        return Err(Failure::too_large("the batch", limits.batch, "texts"));
    }
    let inputs = texts.into_iter().map(|text| Input::text(text, limits)).collect::<Answer<Vec<_>>>()?;
    let name = loaded.name.clone();
    let clock = Arc::new(WorkClock::start());
    let one = |input: Input| {
        let (worker, loaded, clock) = (Arc::clone(service), Arc::clone(&loaded), Arc::clone(&clock));
        service.pool.run_when_free(Lane::Long, move |wanted| {
            let _running = clock.run();
            let document = input.annotate(&worker, &loaded, options.annotation, wanted)?;
            options.show(&document)
        })
    };
    let shown = stream::iter(inputs).map(one).buffered(service.pool.threads()).try_collect::<Vec<_>>();
    let all = tokio::time::timeout(limits.request_time(), shown);
    let shown = all.await.map_err(|_| {
        // If its texts were waiting for most of the time, the load was too high rather than the batch too long.
        let waited = clock.worked() < limits.request_time() / 2;
        if waited { Failure::busy(1) } else { Failure::timeout(limits.seconds) }
    })??;
    let field = if options.format == Format::Json { "documents" } else { "outputs" };
    let values: Vec<String> = shown.into_iter().map(|(_, value)| value).collect();
    let fields = [(field, format!("[{}]", values.join(","))), ("model", json!(name).to_string())];
    Ok(json_text(object(fields)))
}

/// The time that threads have worked for a batch, those included that still do.
struct WorkClock {
    begun: Instant,
    /// Tasks that run.
    running: AtomicI64,
    /// Ends minus beginnings of tasks, in microseconds.
    balance: AtomicI64,
}

/// A task that runs, until it is dropped.
struct Running<'c>(&'c WorkClock);

impl WorkClock {
    fn start() -> Self {
        Self { begun: Instant::now(), running: AtomicI64::new(0), balance: AtomicI64::new(0) }
    }

    fn now(&self) -> i64 {
        self.begun.elapsed().as_micros() as i64
    }

    fn run(&self) -> Running<'_> {
        self.running.fetch_add(1, Ordering::Relaxed);
        self.balance.fetch_sub(self.now(), Ordering::Relaxed);
        Running(self)
    }

    fn worked(&self) -> Duration {
        let micros = self.balance.load(Ordering::Relaxed) + self.running.load(Ordering::Relaxed) * self.now();
        Duration::from_micros(micros.max(0) as u64)
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.balance.fetch_add(self.0.now(), Ordering::Relaxed);
        self.0.running.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_counts_what_runs_and_what_ran() {
        let clock = WorkClock::start();
        let pause = Duration::from_millis(20);
        std::thread::sleep(pause);
        assert_eq!(clock.worked(), Duration::ZERO);
        let (first, second) = (clock.run(), clock.run());
        std::thread::sleep(pause);
        assert!(clock.worked() >= 2 * pause);
        drop((first, second));
        let ended = clock.worked();
        std::thread::sleep(pause);
        assert_eq!(clock.worked(), ended);
    }
}
