//! Lemmas: the form under which a dictionary lists a word.
//!
//! A lemma comes from its form by an edit script (Chrupała 2006): the case of the letters to start from, edits at the
//! beginning, edits at the end. `Dogs → dog` is "lower case, remove a final s", and so is `Cats → cat`. A log-linear
//! model chooses among the scripts that fit the form `x` with the tags `t`:
//!
//! ```text
//! p(s | x, t) = exp Σ_f∈F(x,t) θ(f, s) / Σ_{s' fits x} exp Σ_f∈F(x,t) θ(f, s')
//! ```
//!
//! Greek words are written as a mark that says where the accent is, and letters without it: accents move when words are inflected.
//!
//! `F(x, t)` are the endings and beginnings of the form, alone and with its tags. A script fits if the characters that
//! it removes are those of the form; so the lemma is always made of the form, and no word gets the lemma of another.
//! In order of preference, the lemma is that of
//!
//! 1. the form with exactly these tags in the treebank, which settles irregular and suppletive words (`was → be`);
//! 2. the same in lower case;
//! 3. the form with the same first tag, in the treebank or in an external lexicon;
//! 4. the script with the highest score.
//!
//! The model learns from each distinct pair of form and tags once, however frequent it is, because the words that it
//! must decide on are rare ones.

mod accents;
mod candidates;
mod config;
mod data;
mod examples;
mod features;
mod learner;
mod lexicon;
mod model;
mod persist;
mod script;
mod table;

pub use config::{Accents, LemmatizerConfig};
pub use data::LemmatizerData;
pub use learner::LemmatizerLearner;
pub use lexicon::{Lexicon, ListedWord};
pub use model::{Lemmatizer, Scratch};
