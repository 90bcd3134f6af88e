//! Word clusters from neighbouring words.
//!
//! In the Brown model a text is a Markov chain of clusters, and each word belongs to one of them: `p(w_1 … w_N) =
//! π(C(w_1)) Π t(C(w_i+1) | C(w_i)) Π o(w_i | C(w_i))` (Brown et al. 1992; Stratos et al. 2014). The clusters of
//! largest likelihood are those of largest [mutual information](ClusterBigrams::mutual_information) of neighbours.
//! Brown's greedy merging ([`brown()`]) and moves of single words ([`exchange()`]) maximise it directly. Singular
//! vectors of scaled counts ([`embed`]) and their clustering by Ward's method ([`ward()`]) or by divisions ([`bisect`]) do not
//! use it at all.
//! [`merge_clusters`] builds a [`Hierarchy`] over any clusters. [`learn`] runs the steps that a [`ClusterConfig`] asks
//! for.

mod bigram_model;
mod bisection;
mod brown;
mod config;
mod context;
mod count_sections;
mod counts_file;
mod embedding;
mod embedding_file;
mod exchange;
mod hierarchy;
mod information;
mod kernel;
mod learner;
mod merging;
#[cfg(test)]
mod spectral_tests;
#[cfg(test)]
mod truth;
mod ward;

pub use bigram_model::{BrownModel, Sampler, Separation, State};
pub use bisection::bisect;
pub use brown::brown;
pub use spectral::moments::CountTransform;

pub use config::{ClusterConfig, ExchangeConfig, Growth, Method, Rows, SpectralConfig, Ward};
pub use context::{Context, ContextError};
pub use counts_file::{COUNTS_FAMILY, counts_metadata, load_counts, save_counts};
pub use embedding::{Embedding, embed};
pub use embedding_file::{EMBEDDING_FAMILY, embedding_metadata, load_embedding, save_embedding};
pub use exchange::exchange;
pub use hierarchy::Hierarchy;
pub use information::ClusterBigrams;
pub use learner::{ClusterLearner, embed_words, learn, learn_embedded};
pub use merging::merge_clusters;
pub use ward::ward;

corpus::define_ids! {
    /// A cluster of words.
    ClusterId;
}
