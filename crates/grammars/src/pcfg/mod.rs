//! Probabilistic context-free grammars read off a treebank: plain and Markovised.
//!
//! ```text
//! p(tree) = p(root) Π p(a → b c | a) Π p(word | preterminal)
//! ```
//!
//! Trees are converted to normal form ([`corpus::tree::normal_form`]). Depending on the horizontal order `h` and the
//! vertical order `v` this is the plain treebank grammar (`v = 1`) or the Markovised one of Klein and Manning (2003)
//! (`v = 2, h = 1`).
//!
//! - [`PcfgLearner`] counts rules and takes relative frequencies;
//! - [`Pcfg`] is the model: immutable, shared by threads;
//! - [`Parser`] decodes with it; [`Scratch`] is its memory, one per thread.
//!
//! A parse has two passes: inside–outside with a coarse projection of the grammar (`@VP~NP` → `@VP`), and the grammar
//! itself over what the first pass leaves. The latent-variable grammars use the same first pass.

mod config;
pub(crate) mod decode;
mod fallback;
mod marginals;
mod model;
mod parser;
mod persist;
mod prune;
mod relative_frequency;

pub use config::{Decoding, ParserConfig, PcfgConfig, Pruning};
pub use model::Pcfg;
pub use parser::{Outcome, Parse, Parser, Scratch};
pub use prune::{Pruner, PrunerConfig};
pub use relative_frequency::PcfgLearner;
