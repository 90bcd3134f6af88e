//! Small networks that score arcs and labels beside the weights of features.
//!
//! Every word, and the root, is the sum `x` of embeddings of its form, tags, morphology, ending and clusters. It is seen with
//! the words around it, twice over,
//!
//! ```text
//! a_p = relu(b + Σ_{-2 ≤ o ≤ 2} W_o x_{p+o})
//! c_p = a_p + relu(b' + Σ_{-2 ≤ o ≤ 2} W'_o a_{p+o})
//! s(h, m) = v·relu(H c_h + M c_m + d)              d: distance and direction, and what lies between
//! p(h | m) = exp s(h, m) / Σ_h' exp s(h', m)       over all heads within reach of a word
//! ```
//!
//! and the same with other matrices for the label of an arc. All of it is learnt by maximum likelihood (Adam, D. Kingma and
//! J. Ba, ICLR 2015) with dropout (N. Srivastava et al., JMLR 2014). When parsing, `s` leaves the heads that do not score far
//! below the best, and is added to the scores of features with a fixed weight. A label whose score is far above all others is
//! taken without looking at features. Products are those of [rounded](models::network::rounded) numbers.

mod arcs;
mod batch;
mod ensemble;
mod layers;
mod model;
mod persist;
mod training;

pub use ensemble::Mix;
pub(super) use ensemble::{Kept, Networks, Scratch};
pub use layers::NetworkConfig;
pub(super) use persist::PRESENT;
pub(super) use training::NetworkTraining;
