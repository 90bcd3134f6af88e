//! Latent dependency trees: the probability of words given their tree.
//!
//! Every word has a hidden state that depends on the state of its head (P. Dhillon, J. Rodu, M. Collins, D. Foster and
//! L. Ungar, Spectral dependency parsing with latent variables, EMNLP 2012):
//!
//! ```text
//! p(x | tree) = Σ_h π(h_root) Π_{j ≠ root} t_{d(j)}(h_j | h_pa(j)) Π_j o(x_j | h_j),  d(j): side of j at its head
//! ```
//!
//! With words embedded by the rows of `U`, `G = UᵀO`, and averages taken over the sites of each kind, the observable
//! moments are
//!
//! ```text
//! µ_root = E[U_x | root] = G π_root
//! over pairs   µ_d = E[U_child], Σ_d = E[U_head U_childᵀ]                        = G Tᵘ_d diag(π_d) Gᵀ
//! over triples Λ_L = E[U_left U_rightᵀ], Σ_R = E[U_head U_rightᵀ], K(y) = E[U_left (yᵀU_head) U_rightᵀ]
//! ```
//!
//! and, in the unknown basis `G`, they give
//!
//! ```text
//! c₁ = µ_root = G π_root             c∞ᵀ = µ_dᵀ Σ_d⁻¹ = 1ᵀ G⁻¹
//! E_L = Λ_L Σ_R⁻¹ = G T_L G⁻¹        D(y) = E_L⁻¹ K(y) Σ_R⁻¹ = G diag(Gᵀy) G⁻¹        (and both from the other side)
//! r_iᵀ = c∞ᵀ · Π_{children j} D(E_{d(j)}ᵀ r_j) · D(y_{x_i}),    p̂ = r_rootᵀ c₁,    y_x = (UᵀU)⁻¹ Uᵀ δ_x
//! ```
//!
//! A word with a child and a head gives the same equations, with the head in place of the child on the other side
//! ([`Triples::Both`]): every inverse then has three second views side by side, and `D` solves those of both sides.
//!
//! **Departures.** The paper has one `π` for roots, left and right children. In treebanks these differ widely, so each
//! mean is over its own sites, and `Σ` inside `E` and `D` is computed from the same triples as `Λ` and `K`; otherwise
//! the unknowns do not cancel. `c∞` solves the equations of both sides, and `D` is the mean of the estimates from the
//! two sides. Inverses use regularised singular values ([`DeptreeConfig::shrinkage`]). `p̂` can be negative: [`Score`]
//! keeps the sign separately. EM may also count children ([`Children::Counted`]): then `p̂` is the probability of the words
//! and of the shape of the tree.
//!
//! | item | purpose |
//! |---|---|
//! | [`Observations`] | the symbol that represents a word: the word itself, its tag, or both if it is frequent |
//! | [`TreeSites`] | the observed trees with numbered symbols |
//! | [`embed_trees`], [`Representation`] | `U`, from the neighbours in trees or in sentences, or given |
//! | [`TreeMoments`] | the averages above, from trees or from a known model |
//! | [`SpectralLearner`], [`EmLearner`] | learners of the same [`Deptree`]; EM may start from clusters of the embedding |

mod config;
mod em;
mod embedding;
mod estimate;
#[cfg(test)]
pub(crate) mod known;
mod model;
mod moments;
mod observations;
mod persist;
mod score;
mod sites;
mod spectral_learner;
mod start;
#[cfg(test)]
mod tests;
mod valences;

pub use config::{
    Children, DeptreeConfig, EmConfig, EmStart, Estimator, Neighbours, Observe, Shrinkage, StateChoice,
    Triples,
};
pub use em::EmLearner;
pub use embedding::{Representation, embed_trees};
pub use estimate::{Conditioning, estimate, estimate_one_prior};
pub use model::Deptree;
pub use moments::{ChainMoments, TreeMoments};
pub use observations::Observations;
pub use score::{Score, Scratch};
pub use sites::{TreeSites, TreeWords};
pub use spectral_learner::SpectralLearner;
