//! The spectral engine: from two views of hidden sites to observable operators.
//!
//! Every model built on this crate has a hidden state h at each *site*. Two *views* of the site, with features φ and ψ,
//! are independent given the state. The whole method on one page:
//!
//! 1. **Cross moment.** Because the views are independent given h,
//!
//!    ```text
//!    Ω = E[φ ψᵀ] = E[φ|h] diag(P(h)) E[ψ|h]ᵀ
//!    ```
//!
//!    has as many nonzero singular values as there are states. Features are first scaled to comparable size
//!    ([`Scaling`](moments::Scaling)), which changes neither fact.
//! 2. **Projection.** With the top singular triplets `Ω ≈ U Σ Vᵀ` the projected views
//!
//!    ```text
//!    Y = Uᵀ φ,      Z = Σ⁻¹ Vᵀ ψ
//!    ```
//!
//!    have m dimensions. `G = E[Y|h]` is invertible: Y is the hidden state, up to noise and a change of basis.
//! 3. **Observable operators.** Averages of `Z`, `Z ⊗ Y′` and `Z ⊗ Y′ ⊗ Y″`, where Y′ and Y″ belong to neighbouring
//!    sites, are the parameters of the hidden model in the basis G ([`operators`]). In inference the operators are
//!    multiplied, each `G⁻¹` meets its `G`, and the unknown basis cancels.
//!
//! No step iterates over the data and none has local optima. The only errors are those of sampling, and
//! [`SpectrumReport`] estimates how large they are.
//!
//! | step | module |
//! |---|---|
//! | features of sites, or counts of pairs | [`view`], [`moments`] |
//! | scaling, decomposition | [`decompose`] |
//! | choice of the number of states | [`rank`] |
//! | projection | [`projection`] |
//! | operators | [`operators`] |
//! | hard states from projected vectors | [`kmeans()`] |
//! | does the data support the rank? | [`diagnostics`], [`TreeBound`] |
//!
//! Results depend only on the input and the seed, not on the number of threads.
//!
//! Hsu, Kakade & Zhang (2009); Cohen, Stratos, Collins, Foster & Ungar (2012, 2013); Luque, Quattoni, Balle & Carreras
//! (2012); Dhillon, Rodu, Collins, Foster & Ungar (2012); Stratos, Kim, Collins & Hsu (2014).

mod bounds;
pub mod decompose;
pub mod diagnostics;
mod error;
mod kmeans;
pub mod moments;
pub mod operators;
pub mod projection;
pub mod rank;
pub mod view;

pub use bounds::TreeBound;
pub use decompose::{DecomposeConfig, Decomposition, decompose_counts, decompose_views};
pub use diagnostics::{SpectrumReport, Support, Verdict};
pub use error::SpectralError;
pub use kmeans::kmeans;
pub use projection::{Projection, ProjectionPair};
pub use rank::{Rank, RankConfig, RankRule};
