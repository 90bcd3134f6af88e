//! The parts of small neural networks over the words of a sentence: products, windows, memory, steps of learning.
//!
//! ```text
//! y_p = relu(b + Σ_{-2 ≤ o ≤ 2} W_o x_{p+o})                        a layer over windows
//! y_p = z_p ⊙ y_{p−1} + (1 − z_p) ⊙ h_p                              a layer that remembers
//! m ← m + (1 − β₁)(g − m),  v ← v + (1 − β₂)(g² − v),  θ ← θ − η m / √v      Adam (D. Kingma and J. Ba, ICLR 2015)
//! ```
//!
//! The networks of parsers and taggers are built of these. They have a hundred thousand weights and run on one core,
//! where a library for large networks would take longer to start and to compile than they take to learn.

pub mod adam;
pub mod encoder;
pub mod kernels;
pub mod pace;
pub mod random;
pub mod rounded;
pub mod scan;
pub mod stored;
pub mod window;
