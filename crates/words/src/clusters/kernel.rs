//! Selects the code for the processor.

/// Code for a kind of processor. All kinds give the same results and differ only in speed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kernel {
    /// For any processor.
    Portable,
    /// For those with AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Kernel {
    /// The fastest kernel that the processor supports.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            return Self::Avx2;
        }
        Self::Portable
    }
}

/// Compiles a function for each kind of processor; the functions it calls must be inlined. The first argument selects.
macro_rules! for_each_kernel {
    ($(#[$attribute:meta])* $visibility:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block) => {
        $(#[$attribute])*
        $visibility fn $name(kernel: $crate::clusters::kernel::Kernel, $($argument: $type),*) {
            #[inline(always)]
            fn body($($argument: $type),*) $body
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2($($argument: $type),*) {
                body($($argument),*)
            }
            match kernel {
                $crate::clusters::kernel::Kernel::Portable => body($($argument),*),
                #[cfg(target_arch = "x86_64")]
                // SAFETY: this kernel is only selected after AVX2 was detected.
                $crate::clusters::kernel::Kernel::Avx2 => unsafe { avx2($($argument),*) },
            }
        }
    };
}
pub(super) use for_each_kernel;
