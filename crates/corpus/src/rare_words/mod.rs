//! Unknown-word signatures: what the shape of a word says when its identity says nothing.
//!
//! A signature is a short string such as `Ltn-Ttl-ing` or `Num-4dg`. It is built from Unicode properties, so that it works
//! in any script:
//!
//! - the kind of its letters: cased scripts by case pattern, others by script class;
//! - digits, a dash, other punctuation inside;
//! - its ending (up to three letters, lower-cased) in alphabetic scripts, its last character in the others.
//!
//! Three levels of detail let a lexicon back off: [`Detail::Ending`] ⊃ [`Detail::ShortEnding`] ⊃ [`Detail::Shape`].

mod signature;

pub use signature::{Detail, SentencePosition, letter_pattern, signature};
