//! Memory for work, kept between items.

use std::sync::{Mutex, PoisonError};

/// As much scratch memory as threads ask for at the same time.
pub(crate) struct ScratchPool<S> {
    free: Mutex<Vec<S>>,
}

impl<S> Default for ScratchPool<S> {
    fn default() -> Self {
        Self { free: Mutex::new(Vec::new()) }
    }
}

impl<S: Default> ScratchPool<S> {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Lends memory to `work`.
    pub(crate) fn lend<T>(&self, work: impl FnOnce(&mut S) -> T) -> T {
        let lock = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = lock().pop().unwrap_or_default();
        let result = work(&mut scratch);
        lock().push(scratch);
        result
    }
}
