//! Unknown-word signatures: what the shape of a word says when the word itself is unknown.
//!
//! A signature is a short string such as `Ltn-Ttl-ing` or `Num-4dg`. It is built from Unicode properties, so it works
//! in any script:
//!
//! - the kind of its letters: case pattern in cased scripts, script class in others;
//! - whether it contains digits, a dash, or other punctuation;
//! - its suffix (up to three letters, lower-cased) in alphabetic scripts, its last character in others.
//!
//! Three levels of detail allow a lexicon to back off: [`Detail::Ending`] ⊃ [`Detail::ShortEnding`] ⊃
//! [`Detail::Shape`].

mod signature;

pub use signature::{Detail, SentencePosition, letter_pattern, signature};
