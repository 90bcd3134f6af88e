//! Memory for work, kept between items.

use std::hint;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// Tables over pairs of words, and charts over spans, grow with the square of the length of a sentence. What one sentence of
/// several hundred words has taken would be held for as long as the process lives, once per thread.
const LONG: usize = 100;

/// How often a thread asks for the lock before it does without. It is held for a few instructions.
const TRIES: usize = 1000;

/// Gives back the memory that a sentence of this many words has taken, if that is a lot. Short sentences find it as it was.
pub(crate) fn release<S: Default>(words: usize, scratch: &mut S) {
    if words > LONG {
        *scratch = S::default();
    }
}

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
        let mut scratch = self.free().and_then(|mut free| free.pop()).unwrap_or_default();
        let result = work(&mut scratch);
        if let Some(mut free) = self.free() {
            free.push(scratch);
        }
        result
    }

    /// The memory that nobody uses. `None` if another thread holds the lock and does not go on: in a process that was forked
    /// in this moment, where that thread does not exist, it never will.
    fn free(&self) -> Option<MutexGuard<'_, Vec<S>>> {
        for _ in 0..TRIES {
            match self.free.try_lock() {
                Ok(free) => return Some(free),
                Err(TryLockError::Poisoned(error)) => return Some(error.into_inner()),
                Err(TryLockError::WouldBlock) => hint::spin_loop(),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_nobody_gives_back_stops_nobody() {
        let pool = ScratchPool::<Vec<u8>>::new();
        assert_eq!(pool.lend(|scratch| scratch.len()), 0);
        let held = pool.free.lock().unwrap();
        assert_eq!(pool.lend(|scratch| scratch.capacity()), 0);
        drop(held);
        assert_eq!(pool.free().unwrap().len(), 1);
    }

    #[test]
    fn long_sentences_leave_nothing_behind() {
        let mut scratch = Vec::<u8>::with_capacity(1000);
        release(LONG, &mut scratch);
        assert_eq!(scratch.capacity(), 1000);
        release(LONG + 1, &mut scratch);
        assert_eq!(scratch.capacity(), 0);
    }
}
