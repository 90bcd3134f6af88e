//! Counters and times in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Upper bounds of the classes of times, in seconds.
const BOUNDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// What the service counts.
#[derive(Default)]
pub(crate) struct Metrics {
    routes: Mutex<BTreeMap<(String, &'static str), Route>>,
    /// Answers since the start.
    pub(crate) answers: AtomicU64,
    pub(crate) in_flight: AtomicUsize,
    pub(crate) connections: AtomicUsize,
    pub(crate) sentences: AtomicU64,
    pub(crate) words: AtomicU64,
    pub(crate) reloads: AtomicU64,
    pub(crate) failed_reloads: AtomicU64,
    pub(crate) panics: AtomicU64,
}

/// One route and method.
#[derive(Default)]
struct Route {
    by_status: BTreeMap<u16, u64>,
    by_time: [u64; BOUNDS.len()],
    seconds: f64,
    count: u64,
}

/// A value that is known when it is asked for.
pub(crate) struct Gauge {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    pub(crate) labels: String,
    pub(crate) value: f64,
}

impl Metrics {
    /// Counts an answer.
    pub(crate) fn answered(&self, route: &str, method: &'static str, status: u16, seconds: f64) {
        self.answers.fetch_add(1, Ordering::Relaxed);
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = routes.entry((route.to_owned(), method)).or_default();
        *entry.by_status.entry(status).or_default() += 1;
        for (class, bound) in entry.by_time.iter_mut().zip(BOUNDS) {
            *class += u64::from(seconds <= bound);
        }
        entry.seconds += seconds;
        entry.count += 1;
    }

    /// All metrics, with gauges that the caller knows.
    pub(crate) fn render(&self, gauges: &[Gauge]) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let head = |text: &mut String, name: &str, kind: &str, help: &str| {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        };
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        head(&mut text, "eigentree_requests_total", "counter", "Answered requests.");
        for ((route, method), entry) in routes.iter() {
            for (status, count) in &entry.by_status {
                let _ = writeln!(
                    text,
                    "eigentree_requests_total{{route=\"{route}\",method=\"{method}\",status=\"{status}\"}} {count}"
                );
            }
        }
        let name = "eigentree_request_seconds";
        head(&mut text, name, "histogram", "Seconds until an answer began.");
        for ((route, method), entry) in routes.iter() {
            let labels = format!("route=\"{route}\",method=\"{method}\"");
            for (bound, count) in BOUNDS.iter().zip(entry.by_time) {
                let _ = writeln!(text, "{name}_bucket{{{labels},le=\"{bound}\"}} {count}");
            }
            let _ = writeln!(text, "{name}_bucket{{{labels},le=\"+Inf\"}} {}", entry.count);
            let _ = writeln!(text, "{name}_sum{{{labels}}} {}", entry.seconds);
            let _ = writeln!(text, "{name}_count{{{labels}}} {}", entry.count);
        }
        for (name, help, value) in [
            ("eigentree_sentences_total", "Annotated sentences.", &self.sentences),
            ("eigentree_words_total", "Annotated words.", &self.words),
            ("eigentree_reloads_total", "Model files that were loaded again.", &self.reloads),
            (
                "eigentree_failed_reloads_total",
                "Model files that could not be loaded again.",
                &self.failed_reloads,
            ),
            ("eigentree_panics_total", "Panics that were caught.", &self.panics),
        ] {
            head(&mut text, name, "counter", help);
            let _ = writeln!(text, "{name} {}", value.load(Ordering::Relaxed));
        }
        for (name, help, value) in [
            ("eigentree_requests_in_flight", "Requests that are being answered.", &self.in_flight),
            ("eigentree_connections", "Open connections.", &self.connections),
        ] {
            head(&mut text, name, "gauge", help);
            let _ = writeln!(text, "{name} {}", value.load(Ordering::Relaxed));
        }
        let mut last = "";
        for Gauge { name, help, labels, value } in gauges {
            if last != *name {
                head(&mut text, name, "gauge", help);
                last = name;
            }
            let _ = writeln!(text, "{name}{labels} {value}");
        }
        text
    }
}

/// Bytes of memory that the process occupies, where the system tells.
pub(crate) fn resident_bytes() -> Option<u64> {
    // The second number of this file counts pages, whose size is 4096 bytes on the systems that have it, but for a few.
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    pages.split_whitespace().nth(1)?.parse::<u64>().ok().map(|pages| pages * 4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_cumulative_and_statuses_apart() {
        let metrics = Metrics::default();
        metrics.answered("/a", "GET", 200, 0.002);
        metrics.answered("/a", "GET", 429, 0.2);
        let gauge = Gauge { name: "g", help: "A gauge.", labels: "{lane=\"short\"}".to_owned(), value: 3.0 };
        let text = metrics.render(&[gauge]);
        for line in [
            "eigentree_requests_total{route=\"/a\",method=\"GET\",status=\"429\"} 1",
            "eigentree_request_seconds_bucket{route=\"/a\",method=\"GET\",le=\"0.001\"} 0",
            "eigentree_request_seconds_bucket{route=\"/a\",method=\"GET\",le=\"0.0025\"} 1",
            "eigentree_request_seconds_bucket{route=\"/a\",method=\"GET\",le=\"+Inf\"} 2",
            "g{lane=\"short\"} 3",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
        }
    }
}
