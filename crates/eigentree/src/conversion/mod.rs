//! Converts one format to another, optionally with tree transforms.
//!
//! | from | to |
//! |---|---|
//! | trees (ptb) | ptb, conllu, conllx, words, tagged, json, jsonl, tsv, spans, text, svg, html, drawing |
//! | dependencies (conllu, conllx) | conllu, conllx, words, tagged, json, jsonl, tsv, spans, text, svg, html, drawing |
//! | entities (bio) | bio, words, json, jsonl, tsv, spans, text |
//! | documents (json, jsonl) | as their sentences: trees or dependencies |
//! | text (words, tagged, slashed) | words, tagged, conllu, conllx, json, jsonl, tsv, spans, text |
//!
//! From trees to dependencies, heads come from a head table ([`corpus::tree::heads`]), and relations are those of Universal
//! Dependencies that come nearest. A space inside a word becomes a no-break space in plain text, where spaces separate words.

mod convert;
mod dependencies;
mod dependency_transform;
mod drawing;
mod item;
mod json_items;
mod record;
mod relations;
mod running_text;
mod sink;
mod target;
mod transform;
mod visible;

pub use convert::{ConversionConfig, Converted, convert};
pub use dependencies::dependencies;
pub use dependency_transform::{DependencyTransforms, HeadChange};
pub use drawing::Drawing;
pub(crate) use drawing::page;
pub use item::{Item, items};
pub use record::tree_record;
pub use sink::{Sink, SinkConfig, TagColumn, TreeLayout};
pub use target::Target;
pub use transform::{Binarization, RootLabel, Step, TreeTransforms};
pub(crate) use visible::visible;
