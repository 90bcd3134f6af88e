//! From running text to sentences, tokens and words.
//!
//! After each character that is not white space one of three decisions is taken: the token continues, it ends, or the
//! sentence ends with it. A log-linear model decides from the surrounding characters and the text between spaces:
//!
//! ```text
//! q(y | x, i) = exp Σ_f∈F(x,i) θ(f, y) / Σ_y' exp Σ_f∈F(x,i) θ(f, y')          y ∈ {inside, token, sentence}
//! ```
//!
//! Words, shapes and capitals of the chunks around (the text between spaces) are features, too, and how far the nearest stops are.
//! It is learnt from the running text of a treebank: `# text`, the forms, `SpaceAfter=No`, paragraphs. Tokens that the
//! treebank splits into several words (`du` = `de le`, `don't` = `do n't`) are split by its inventory, others
//! as their suffixes say ([`Multiword`]); the words around them decide where they can be both.
//! Without a treebank there are rules ([`Tokenizer::rules`]):
//!
//! 1. Tokens end at white space.
//! 2. Punctuation and symbols at the beginning and the end of a chunk (the text between spaces) are separate tokens;
//!    runs of one character (`...`, `!!`) stay together. A full stop stays with a single letter, and with letters that
//!    have another full stop between them (`U.S.`).
//! 3. A sentence ends after `.`, `!`, `?`, `…` and their counterparts in other scripts, with the closing quotes and
//!    brackets after them, if white space and no lower-case letter follow; after `。`, `！`, `？` always.
//!
//! Addresses, numbers and emoticons are never divided (unless the treebank divides them), and the end of the text is the
//! end of a line.
//!
//! Both preserve the text: tokens are ranges of it, in order, without overlap, and everything except white space is in
//! a token.

mod bonds;
mod chunks;
mod config;
mod contexts;
mod data;
mod descent;
mod features;
mod learner;
mod model;
mod multiword;
mod persist;
mod protected;
mod rules;
mod suffixes;

pub use config::{Features, TokenizerConfig};
pub use contexts::Neighbours;
pub use data::{Passage, TokenizerData};
pub use learner::TokenizerLearner;
pub use model::{Scratch, TextSentence, TextToken, Tokenizer};
pub use multiword::Multiword;
pub(crate) use protected::Kind;
