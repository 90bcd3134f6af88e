//! Automata over numbered symbols, learnt from weighted sequences.
//!
//! ```text
//! f(x₁ … x_T) = α∞ᵀ A_{x_T} … A_{x_1} α₁
//! ```
//!
//! One implementation for all families that need automata: sequence models, and the head automata of dependency
//! grammars.
//!
//! - [`SequenceCounts`]: distinct sequences with weights;
//! - [`learn_spectral`]: operators from statistics of prefixes and suffixes ([`BasisConfig`]); Luque et al. (2012),
//!   Balle et al. (2014). Values may be negative;
//! - [`learn_reduced_hmm`]: the fully reduced form of hidden Markov models (Foster et al. 2012), for large alphabets;
//! - [`learn_em`]: probabilistic automata by the Baum–Welch algorithm, on distinct prefixes;
//! - [`evaluate`]: the value of a sequence of any length.
//!
//! All learners return the same [`Automaton`].

mod basis;
mod children;
mod counts;
mod em;
mod forward;
mod places;
mod reduced_hmm;
mod spectral_learner;
mod tally;

pub use basis::{Basis, BasisConfig, Bound, Feature, FeatureSet, Hankel};
pub use counts::SequenceCounts;
pub use em::{EmConfig, EmRun, EmStart, Estimator, learn_em, refine};
pub use forward::evaluate;
pub use forward::step;
pub use reduced_hmm::{ChainMoments, ReducedHmm, ReducedHmmConfig, estimate_reduced_hmm, learn_reduced_hmm};
pub use spectral::operators::{ObservableAutomaton as Automaton, SiteEstimate};
pub use spectral_learner::{SpectralConfig, learn_spectral};
pub use tally::Tally;
