//! Time and memory used by a run.

use std::time::Instant;

#[cfg(feature = "compare")]
use compare::{Meter, Reading};

/// A clock started with the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start: Instant,
}

/// Resource usage of this process as reported by the operating system; `None` where it is not available.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// CPU time of all threads, in seconds.
    pub(crate) cpu_seconds: Option<f64>,
    /// Peak memory, in MB of 1,000,000 bytes.
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

/// Measures the parts of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessMeter {
    pub(crate) clock: Clock,
}

#[cfg(feature = "compare")]
impl Meter for ProcessMeter {
    fn read(&self) -> Reading {
        Reading { seconds: self.clock.seconds(), cpu_seconds: usage().cpu_seconds, peak_mb: recent_peak_mb() }
    }

    fn forget_peak(&self) {
        usage();
        // Where this file cannot be written, the peak of a part includes all parts before it: an upper bound.
        #[cfg(target_os = "linux")]
        drop(std::fs::write("/proc/self/clear_refs", "5"));
    }
}

/// Memory that the program has allocated and uses now, in bytes. The pages of mapped models are not counted: the system takes
/// them back when it needs them. Elsewhere than on Linux this is the peak so far, with those pages.
pub(crate) fn memory_in_use() -> Option<u64> {
    if !cfg!(target_os = "linux") {
        return usage().peak_rss_mb.map(|megabytes| (megabytes * 1e6) as u64);
    }
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Peak memory since the last reset, in MB; available on Linux only.
fn recent_peak_mb() -> Option<f64> {
    if !cfg!(target_os = "linux") {
        return None;
    }
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024.0 / 1e6)
}

/// Queries the operating system.
#[cfg(unix)]
pub(crate) fn usage() -> Usage {
    use std::sync::atomic::{AtomicU64, Ordering};

    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeVal;

    // Highest peak reported so far, in kB of 1,000 bytes. The kernel's figure can fall: it is reset on request, and pages
    // of threads are added only from time to time.
    static HIGHEST_KB: AtomicU64 = AtomicU64::new(0);
    // Linux reports KiB, macOS bytes.
    const RSS_UNIT: f64 = if cfg!(target_vendor = "apple") { 1.0 } else { 1024.0 };
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return Usage::default() };
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    // The peak of `getrusage` includes that of the parent process, so Linux is queried through `/proc`.
    let peak = recent_peak_mb().unwrap_or(usage.max_rss() as f64 * RSS_UNIT / 1e6);
    let before = HIGHEST_KB.fetch_max((peak * 1e3) as u64, Ordering::Relaxed) as f64 / 1e3;
    Usage {
        cpu_seconds: Some(seconds(usage.user_time()) + seconds(usage.system_time())),
        peak_rss_mb: Some(peak.max(before)),
    }
}

/// Not available on this platform.
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
        let bytes = super::memory_in_use().unwrap();
        assert!((50_000_000..100_000_000_000).contains(&bytes), "{bytes}");
        drop(memory);
        // The peak of a part is reset, that of the whole run is not.
        #[cfg(feature = "compare")]
        compare::Meter::forget_peak(&super::ProcessMeter { clock: super::Clock::start() });
        assert!(super::usage().peak_rss_mb.unwrap() >= megabytes - 0.1);
    }
}
