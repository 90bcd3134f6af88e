//! Memory for work, kept between items.

use std::sync::{Mutex, PoisonError};

/// Tables over pairs of words, and charts over spans, grow with the square of the length of a sentence. What one sentence of
/// several hundred words has taken would be held for as long as the process lives, once per thread.
const LONG: usize = 100;

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
        let lock = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = lock().pop().unwrap_or_default();
        let result = work(&mut scratch);
        lock().push(scratch);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sentences_leave_nothing_behind() {
        let mut scratch = Vec::<u8>::with_capacity(1000);
        release(LONG, &mut scratch);
        assert_eq!(scratch.capacity(), 1000);
        release(LONG + 1, &mut scratch);
        assert_eq!(scratch.capacity(), 0);
    }
}
