//! Treebanks made ready for learning, and settings chosen on held-out parts of them.

mod prepare;
mod tune;

pub use prepare::{Annotation, prepare};
pub use tune::{Trial, Tuning, tune};
