//! Latent trees and re-ranking, over sentences in CoNLL-U.
//!
//! - [`tree_words`] prepares the trees that latent tree models learn from; a word's tag is its UPOS and XPOS together.
//! - [`score_trees`] gives `log p̂` of every tree of a file.
//! - [`read_lists`] finds n-best lists in repeated sentences, whichever parser wrote them; [`rerank`] keeps the best
//!   tree of each.
//! - [`jackknife`] makes training lists: each fold of the treebank is parsed by a parser learnt from the others, so
//!   that its errors are those on unseen sentences.

mod jackknife;
mod lists;
mod rerank;
mod score;
mod trees;

pub use jackknife::{JackknifeConfig, gold_lists, jackknife, jackknife_latent};
pub use lists::{SentenceList, read_lists};
pub use rerank::rerank;
pub use score::{TreeScores, score_trees};
pub use trees::{LatentTrees, tree_words};
