//! From raw text to labelled words: the tokenizer, the tagger and the lemmatizer.

pub mod lemmatizer;
mod passes;
pub mod tagger;
pub mod tokenizer;
