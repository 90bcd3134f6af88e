//! Converts one format to another, optionally with tree transforms.
//!
//! | from | to |
//! |---|---|
//! | trees (ptb) | ptb, conllu, conllx, words, tagged, json, svg, drawing |
//! | dependencies (conllu, conllx) | conllu, conllx, words, tagged, json |
//! | entities (bio) | bio, words, json |
//! | text (words, tagged) | words, tagged, conllu, conllx, json |
//!
//! From trees to dependencies, heads come from a head table ([`corpus::tree::heads`]) and all relations except `root`
//! are `dep`. A space inside a word becomes a no-break space in plain text, where spaces separate words.

mod convert;
mod dependencies;
mod item;
mod record;
mod sink;
mod target;
mod transform;

pub use convert::{ConversionConfig, Converted, convert};
pub use dependencies::dependencies;
pub use item::{Item, items};
pub use record::tree_record;
pub use sink::{Sink, SinkConfig, TagColumn, TreeLayout};
pub use target::Target;
pub use transform::{Binarization, RootLabel, Step, TreeTransforms};
