//! The formats of treebanks and corpora: streaming readers over [`std::io::Read`], writers over [`std::io::Write`].
//!
//! Every reader reports the source, line and column of an error, and can continue with the next sentence.

pub mod bio;
pub mod brown_paths;
pub mod conllu;
pub mod conllx;
pub mod lines;
pub mod numbered_sequences;
pub mod penn;
pub mod plain_text;
pub mod raw_text;
pub mod word_vectors;
