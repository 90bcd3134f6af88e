//! Matrices known by their action: [`LinearOperator`] and the forms that spectral learning needs.
//!
//! | type | operator | stored |
//! |---|---|---|
//! | [`SparseOperator`] | `A` | `A` and `Aᵀ` by rows |
//! | [`DenseOperator`] | `A` | `A` |
//! | [`ScaledOperator`] | `diag(l) A diag(r)` | an operator and two vectors |
//! | [`CrossProduct`] | `Φᵀ Ψ` of two sparse view matrices | both and their transposes; the product is never formed |

mod cross_product;
mod dense;
mod linear;
mod scaled;
mod sparse;

pub use cross_product::CrossProduct;
pub use dense::DenseOperator;
pub use linear::LinearOperator;
pub use scaled::ScaledOperator;
pub use sparse::SparseOperator;
