//! Numerics for spectral learning: sparse matrices, matrix-free operators and the truncated SVD.
//!
//! Nothing here knows about language or files. The pieces, from the ground up:
//!
//! * [`Scalar`]: `f32` and `f64`, the two element types.
//! * [`Panel`]: a row-major block of a few vectors, the unit in which operators are applied.
//! * [`CsrMatrix`], [`CscMatrix`]: compressed sparse matrices with checked construction.
//! * [`LinearOperator`]: `A X` and `Aᵀ X` without saying how `A` is stored; see [`operator`].
//! * [`truncated_svd`]: the leading singular triplets of any operator; see [`svd`].
//! * [`thin_svd`], [`pseudo_inverse`]: small dense problems, on faer.
//!
//! Every result depends only on the input and the seed. Work is divided among the threads of the current rayon pool in
//! pieces whose borders and order of summation do not depend on the number of threads.
//!
//! ```
//! use linalg::{CsrMatrix, SparseOperator, SvdConfig, truncated_svd};
//!
//! let counts = CsrMatrix::from_triplets(3, 2, [(0, 0, 3.0), (1, 1, 2.0), (2, 0, 4.0)])?;
//! let svd = truncated_svd(&SparseOperator::new(counts), &SvdConfig::with_rank(1))?;
//! assert!((svd.s[0] - 5.0_f64).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod dense;
pub mod operator;
pub mod panel;
pub mod scalar;
pub mod sparse;
pub mod svd;

pub use dense::{DenseError, PseudoInverse, ThinSvd, pseudo_inverse, thin_svd};
pub use operator::{CrossProduct, DenseOperator, LinearOperator, ScaledOperator, SparseOperator};
pub use panel::Panel;
pub use scalar::Scalar;
pub use sparse::{CscMatrix, CsrMatrix, SparseError};
pub use svd::{RankPolicy, Svd, SvdConfig, SvdError, truncated_svd, truncated_svd_watched};
