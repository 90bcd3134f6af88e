//! From two views to projections: scale, decompose, choose the rank.
//!
//! ```text
//!     Ω = diag(s) E[φ ψᵀ] diag(s′) ≈ U Σ Vᵀ
//! ```
//!
//! Ω is handled in the cheapest of three ways ([`Path`]): small ones are formed densely and decomposed exactly; those
//! with few distinct feature pairs are formed sparsely; the others are applied as `Φᵀ(Ψ x)` and never formed.
//!
//! [`decompose_views`] takes rows of features, [`decompose_counts`] counts of pairs. Both return a
//! [`Decomposition`], from which the [`ProjectionPair`](crate::ProjectionPair) and the
//! [`SpectrumReport`](crate::SpectrumReport) are read. [`BlockMoment`] is the cross moment of a symbol with all its
//! neighbours, for representations of symbols.

mod block_moment;
mod config;
mod counts;
mod cross_moment;
mod decomposition;
mod path;
mod solve;
mod views;

pub use block_moment::{Block, BlockMoment, SquareCounts};
pub use config::{DecomposeConfig, Path, PathChoice};
pub use counts::decompose_counts;
pub use decomposition::Decomposition;
pub use views::decompose_views;
