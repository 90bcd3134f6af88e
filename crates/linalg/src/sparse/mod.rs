//! Compressed sparse matrices and their products with panels.
//!
//! A [`CsrMatrix`] stores its nonzeros row by row; a [`CscMatrix`] is the same storage read by columns. Products are
//! always gathers: row i of `A X` is a weighted sum of rows of `X`, computed by one thread in storage order, so the
//! result is bit-identical for any number of threads.

mod bands;
mod csc;
mod csr;
mod error;
mod kernel;

pub(crate) use bands::Bands;
pub use csc::CscMatrix;
pub use csr::CsrMatrix;
pub use error::SparseError;
