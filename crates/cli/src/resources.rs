//! What a run has cost so far.

use std::time::Instant;

/// A clock that was started with the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start: Instant,
}

/// What the operating system says of this process; nothing where it cannot be asked.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// Processor time of all threads, in seconds.
    pub(crate) cpu_seconds: Option<f64>,
    /// The most memory held at once, in MB of 1,000,000 bytes.
    pub(crate) peak_rss_mb: Option<f64>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { start: Instant::now() }
    }

    pub(crate) fn seconds(self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

/// Asks the operating system.
#[cfg(unix)]
pub(crate) fn usage() -> Usage {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeVal;

    // Linux counts in KiB, macOS in bytes.
    const RSS_UNIT: f64 = if cfg!(target_vendor = "apple") { 1.0 } else { 1024.0 };
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return Usage::default() };
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Usage {
        cpu_seconds: Some(seconds(usage.user_time()) + seconds(usage.system_time())),
        peak_rss_mb: Some(usage.max_rss() as f64 * RSS_UNIT / 1e6),
    }
}

/// There is nobody to ask.
#[cfg(not(unix))]
pub(crate) fn usage() -> Usage {
    Usage::default()
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    #[test]
    fn usage_is_plausible() {
        let memory = vec![1_u8; 50_000_000];
        assert_eq!(memory.iter().map(|&byte| u64::from(byte)).sum::<u64>(), 50_000_000);
        let usage = super::usage();
        let megabytes = usage.peak_rss_mb.unwrap();
        assert!((50.0..100_000.0).contains(&megabytes), "{megabytes}");
        assert!(usage.cpu_seconds.unwrap() > 0.0);
    }
}
