//! Prefetches weights before they are needed.
//!
//! A table of weights is larger than the processor's fast caches, and the positions of features are scattered over it,
//! so a parser spends most of its time waiting for memory. Prefetching the weights of many features while the next
//! features are computed reduces the wait.

/// Prefetches the values at `places`. Changes nothing, and does nothing on processors other than x86-64.
#[inline]
pub(super) fn prefetch<T>(values: &[T], places: impl IntoIterator<Item = u32>) {
    #[cfg(target_arch = "x86_64")]
    for place in places {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction belongs to SSE, which every x86-64 processor has; it changes no memory, and an
        // address outside the slice is no fault.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(values.as_ptr().wrapping_add(place as usize).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (values, places);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_nothing_wherever_places_are() {
        let values: Vec<i16> = (0..100).collect();
        prefetch(&values, [0, 99, 100, u32::MAX]);
        prefetch::<f32>(&[], [0]);
        assert_eq!(values, (0..100).collect::<Vec<i16>>());
    }
}
