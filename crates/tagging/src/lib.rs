//! From raw text to labelled words: the tokenizer and the tagger.

pub mod tagger;
pub mod tokenizer;
