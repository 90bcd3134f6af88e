//! Whether there is as much memory as work will need, said before the work.
//!
//! Estimates are those of the learners. What there is only the system knows, and a learner never asks it: an
//! [`Observer`](crate::learn::Observer) does, by [`shortage`].

use std::fs;

/// Says that work will probably need more memory than there is: `needed` bytes beyond what is in use, where `allowed` bytes beyond
/// that are allowed, if there is a limit. `less` says how to do with less, such as `fewer --states need less`.
pub fn shortage(needed: u64, allowed: Option<u64>, less: &str) -> Option<String> {
    let told = |there: u64, whose: &str| {
        format!(
            "this will probably need about {} of memory, and {whose} {}; {less}",
            size(needed),
            size(there)
        )
    };
    match (allowed, free()) {
        (Some(allowed), _) if needed > allowed => Some(told(allowed, "--max-memory leaves")),
        (_, Some(free)) if needed > free => Some(told(free, "the machine has")),
        _ => None,
    }
}

/// A number of bytes as a person would say it.
fn size(bytes: u64) -> String {
    match bytes as f64 {
        bytes if bytes < 1e9 => format!("{:.0} MB", bytes / 1e6),
        bytes => format!("{:.1} GB", bytes / 1e9),
    }
}

/// Memory that the system can give to this process, in bytes; known on Linux only.
fn free() -> Option<u64> {
    let machine = available(&fs::read_to_string("/proc/meminfo").ok()?)?;
    // The limit of a container or service, which the line above does not know.
    let group =
        fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|most| most.trim().parse().ok());
    Some(group.map_or(machine, |group| machine.min(group)))
}

/// What `/proc/meminfo` says is available, in bytes.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said_with_what_to_do() {
        let told = shortage(5_000_000_000, Some(900_000_000), "fewer --states need less").unwrap();
        assert_eq!(
            told,
            "this will probably need about 5.0 GB of memory, and --max-memory leaves 900 MB; fewer --states need less"
        );
        assert_eq!(shortage(1000, Some(1000), ""), None);
        assert_eq!(shortage(1000, None, ""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn no_machine_has_all_memory() {
        let told = shortage(u64::MAX, None, "less").unwrap();
        assert!(told.contains("the machine has"), "{told}");
    }

    #[test]
    fn what_the_system_says_is_read() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:   2048 kB\n"), Some(2 << 20));
        for odd in ["", "MemAvailable: x kB", "MemAvailable: 5", "MemAvailable: 18446744073709551615 kB"] {
            assert_eq!(available(odd), None, "{odd}");
        }
    }
}
