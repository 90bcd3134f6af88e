//! Word vectors in the formats of other tools: word2vec text and binary, and `.npy` with a list of words.
//!
//! ```
//! use eigentree_corpus::format::word_vectors::{WordVectors, read_text, write_text};
//! let vectors = WordVectors::new(vec!["a".to_owned(), "b".to_owned()], 2, vec![0.5, 1.0, -2.0, 0.0])?;
//! let mut text = Vec::new();
//! write_text(&vectors, &mut text)?;
//! assert_eq!(text, b"2 2\na 0.5 1\nb -2 0\n");
//! assert_eq!(read_text(&text[..], "-")?, vectors);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod binary;
mod npy;
mod text;
mod vectors;

pub use binary::{read_binary, write_binary};
pub use npy::{read_npy, write_npy, write_words};
pub use text::{read_text, write_text};
pub use vectors::{ShapeError, WordVectors};
