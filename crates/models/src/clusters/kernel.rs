//! Which code does the sums.

/// Code for a kind of processor. All kinds give the same numbers: they differ in how many are worked on at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kernel {
    /// For any processor.
    Portable,
    /// For those with AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Kernel {
    /// The fastest that the processor can run.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            return Self::Avx2;
        }
        Self::Portable
    }
}
