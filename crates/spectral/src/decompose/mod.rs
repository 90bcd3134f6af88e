//! From two views to projections: scale, decompose, choose the rank.
//!
//! ```text
//!     Ω = diag(s) E[φ ψᵀ] diag(s′) ≈ U Σ Vᵀ
//! ```
//!
//! Ω is represented in the cheapest of three ways ([`Path`]): small ones are formed densely and decomposed exactly,
//! those with few distinct feature pairs are formed sparsely, and all others are applied as `Φᵀ(Ψ x)` without being
//! formed.
//!
//! [`decompose_views`] takes rows of features, [`decompose_counts`] pair counts. Both return a [`Decomposition`], which
//! gives the [`ProjectionPair`](crate::ProjectionPair) and the [`SpectrumReport`](crate::SpectrumReport).
//! [`BlockMoment`] is the cross moment of a symbol with all its neighbours, for representations of symbols.

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
