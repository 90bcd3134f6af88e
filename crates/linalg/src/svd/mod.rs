//! The leading singular triplets of a large operator.
//!
//! For an `m × n` operator `A` and a rank r, [`truncated_svd`] finds `A v_i ≈ σ_i u_i`, `Aᵀ u_i ≈ σ_i v_i`,
//! `σ_1 ≥ … ≥ σ_r`, with orthonormal u and v. Write S for the shorter of the two sides and
//! `G = A Aᵀ` (or `Aᵀ A`) for the Gram operator on it. From a random block `Q_1` of b orthonormal vectors, block
//! Lanczos (Golub & Underwood 1977) builds an orthonormal basis Q of the Krylov space
//!
//! ```text
//!     K = span(Q_1, G Q_1, G² Q_1, …),     G Q = Q T + Q_next R Eᵀ,     T = Qᵀ G Q,
//! ```
//!
//! and the Rayleigh–Ritz pairs `T y = θ y` give `u = Q y`. Musco & Musco (2015) show that this needs far fewer
//! products than power iteration with the same blocks, and no gap in the spectrum; the flat spectra of
//! co-occurrence matrices are where the difference is largest.
//!
//! * **Stopping.** `‖G u − θ u‖ = ‖R y_last‖` is known without a further product; with `v = Aᵀu / σ` it equals
//!   `σ ‖A v − σ u‖`. The iteration stops when `‖A v_i − σ_i u_i‖ ≤ tolerance · σ_1` for every i ≤ r. The error of
//!   σ is of second order in the residual. The residuals returned are computed afresh from the operator.
//! * **Restart.** When the basis is full, the best Ritz vectors are kept together with `Q_next`
//!   (thick restart, Wu & Simon 2000) and the basis grows again.
//! * **Orthogonality.** Every new block is orthogonalised against the whole basis, so no singular vector is
//!   found twice. A block that loses rank is filled up with random directions.
//! * **Multiplicity.** A Krylov space contains at most b directions of a repeated singular value. If b or more equal
//!   values are found, the iteration continues from a fresh random block until their number is stable.
//! * **Last step.** Squaring A loses half of the digits, so it is used only to find the subspace. Values and vectors
//!   come from an SVD of `Aᵀ U` itself.
//! * **Small problems** (shorter side at most twice rank plus block) are solved in full, by the same last step.
//!
//! Products and orthogonalisation run on the current rayon pool and are bit-identical for any number of threads.
//!
//! **Signs.** The entry of largest magnitude of each left vector is positive (the first, among equals).

mod basis;
mod config;
mod error;
mod extract;
mod lanczos;
mod oriented;
mod ritz;
mod sign;
mod tall;
mod truncated;

pub use config::{RankPolicy, SvdConfig};
pub use error::SvdError;
pub(crate) use sign::fix_signs;
pub(crate) use truncated::iterate_to_rank;
pub use truncated::{Svd, truncated_svd, truncated_svd_watched};
