//! Gives memory that is free back to the system.
//!
//! The allocator of the GNU C library has arenas, about one per thread, and keeps in each what was freed below something that is
//! still in use. A service that once answered a long text keeps its memory for ever, in whichever thread that was, and
//! grows until each thread has had its longest text. Asked to, the allocator gives back all free pages.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::sleep;

use crate::service::Service;

/// How often. With hundreds of megabytes that are free the call takes up to tens of milliseconds, and pages that are needed again cost as much as new ones.
const INTERVAL: Duration = Duration::from_secs(10);

/// Gives free memory back again and again, as long as there are requests.
pub(crate) async fn keep_giving_back(service: Arc<Service>) {
    let mut seen = 0;
    loop {
        sleep(INTERVAL).await;
        let answers = service.metrics.answers.load(Ordering::Relaxed);
        if answers != seen {
            seen = answers;
            let _ = tokio::task::spawn_blocking(give_back).await;
        }
    }
}

/// Gives free memory back, where the allocator can be asked to.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> std::ffi::c_int;
        }
        // SAFETY: the function takes the locks of the allocator, and touches no memory that is in use.
        unsafe {
            malloc_trim(0);
        }
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;
    use crate::metrics::resident_bytes;

    #[test]
    fn free_memory_below_used_memory_is_given_back() {
        // An arena of its own, with something in use above all that is freed.
        let (freed, used) = std::thread::spawn(|| {
            let mut blocks: Vec<Vec<u8>> = (0..6000).map(|_| vec![1; 10_000]).collect();
            let used = blocks.pop();
            drop(blocks);
            (resident_bytes().unwrap(), used)
        })
        .join()
        .unwrap();
        give_back();
        let left = resident_bytes().unwrap();
        assert!(freed > left + 40_000_000, "{freed} {left}");
        assert_eq!(used.unwrap()[9_999], 1);
    }
}
