//! Small dense problems on faer: the thin SVD, the symmetric eigenproblem and the pseudo-inverse.
//!
//! faer runs sequentially here (`Par::Seq`): parallelism belongs to the callers, who have many small problems or
//! one large one, and a sequential factorisation gives the same bits on any number of threads.

mod eigen;
mod error;
mod pseudo_inverse;
mod qr;
mod svd;

pub(crate) use eigen::{Eigen, symmetric_eigen};
pub use error::DenseError;
pub use pseudo_inverse::{PseudoInverse, pseudo_inverse};
pub(crate) use qr::qr;
pub(crate) use svd::factorise;
pub use svd::{ThinSvd, thin_svd};
