//! Small networks that score the parts of labels beside the weights of features.
//!
//! Every word is the sum `x` of embeddings of its form, its endings and beginnings, groups of three characters inside it,
//! its shape, its clusters and its labels in the dictionary. It is seen with the words around it, twice over,
//!
//! ```text
//! a_i = relu(b + Σ_{-2 ≤ o ≤ 2} W_o x_{i+o})
//! c_i = a_i + relu(b' + Σ_{-2 ≤ o ≤ 2} W'_o a_{i+o})
//! n_i(u) = v_u·c_i + d_u                                       for each part u of labels
//! p(y_i = y | x) = exp Σ_{u ∈ parts(y)} n_i(u) / Σ_y' …        over the candidates of the word
//! ```
//!
//! and learnt by maximum likelihood (Adam, D. Kingma and J. Ba, ICLR 2015) with dropout (N. Srivastava et al., JMLR 2014).
//! When tagging, `n` is added to the scores of features with a fixed weight, and the transitions stay those of the chain.
//! Features count what was seen together; embeddings of endings and dictionary entries say what is alike, four words
//! to either side, which is what agreement of case, gender and number needs.

mod inputs;
mod layers;
mod model;
mod persist;
mod training;

pub(super) use inputs::Inputs;
pub use layers::{Characters, NetworkConfig};
pub(super) use model::{Networks, Scratch};
pub(super) use training::{Lesson, NetworkTraining};
