//! From running text to sentences, tokens and words.
//!
//! After each character that is no white space stands one of three decisions: the token goes on, it ends, or the sentence ends with it. A log-linear
//! model takes it from the characters around and from what stands between the blanks:
//!
//! ```text
//! q(y | x, i) = exp Σ_f∈F(x,i) θ(f, y) / Σ_y' exp Σ_f∈F(x,i) θ(f, y')          y ∈ {inside, token, sentence}
//! ```
//!
//! It is learnt from the running text of a treebank: `# text`, the forms, `SpaceAfter=No`, paragraphs. Tokens that the treebank writes as several words
//! (`du` = `de le`, `don't` = `do n't`) are split by its inventory ([`Multiword`]). Without a treebank there are rules ([`Tokenizer::rules`]):
//!
//! 1. Tokens end at white space.
//! 2. Punctuation and symbols at the beginning and the end of what stands between blanks are tokens of their own, runs of one character (`...`, `!!`)
//!    together. A full stop stays with a single letter, and with letters that have another full stop between them (`U.S.`).
//! 3. A sentence ends after `.`, `!`, `?`, `…` and their like in other scripts, with the closing quotes and brackets behind them, if white space and no small
//!    letter follow; after `。`, `！`, `？` always.
//!
//! Both keep to the text: tokens are ranges of it, in order, without overlap, and all but white space is in a token.

mod bonds;
mod config;
mod data;
mod features;
mod learner;
mod model;
mod multiword;
mod persist;
mod rules;

pub use config::TokenizerConfig;
pub use data::{Passage, TokenizerData};
pub use learner::TokenizerLearner;
pub use model::{TextSentence, TextToken, TokenScratch, Tokenizer};
pub use multiword::Multiword;
pub use persist::FAMILY;
