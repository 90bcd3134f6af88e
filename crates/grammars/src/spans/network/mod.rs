//! Small networks that score the parts of a lattice beside the weights of features.
//!
//! Every word is the sum `x` of embeddings of its form, its tag under the grammar, its signature, its shape and its clusters. It
//! is seen with the words around it, and what was seen is remembered from both ends of the sentence
//! ([`models::network::scan`]):
//!
//! ```text
//! a_p = relu(b + Σ_{-2 ≤ o ≤ 2} W_o x_{p+o})
//! c   = scan(a) + scan'(scan(a))                                              one vector per word
//! r_i = [c_{i−1}, c_i]                                                        one per place between words
//! s(a, i, j)        = (u_a + u_top(a)) · relu(b' + S r_i + E r_j)             for a label over a span
//! s(a → b c, i, k, j) = (v_abc + v_top(a)) · relu(b'' + S' r_i + M r_k + E' r_j)   for a rule application
//! ```
//!
//! The products with `S`, `E` and `M` are formed once per place, so that a part costs a sum and an inner product, however many
//! there are. Learning maximises the likelihood of the right trees over the trees of the lattice, as for features, by Adam
//! with dropout, but without the posteriors of the grammar: what the networks know is then their own.
//!
//! Scores of features and of networks are added with weights that are fitted to trees which neither has learnt from
//! ([`mixture`](super::mixture)).

mod inputs;
mod layers;
mod model;
mod parts;
mod persist;
#[cfg(test)]
mod tests;
mod training;

pub use layers::NetworkConfig;
pub(super) use model::{Networks, Scratch};
pub(super) use training::NetworkTraining;
