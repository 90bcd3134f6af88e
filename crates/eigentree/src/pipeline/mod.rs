//! From raw text to annotated sentences with one model: tokeniser, then taggers, then what builds on them.
//!
//! A [`Pipeline`] is its stages in a row. Each stage is a model of its own family, saved under its own name in the file of the pipeline, with its own
//! metadata, so that a stage can be added to the format without a change to the others. All stages but the tokeniser may be missing.
//!
//! | stage | reads | writes |
//! |---|---|---|
//! | `tokenizer` | text | sentences, forms, multiword ranges, offsets in MISC |
//! | `tagger` | forms | the columns that it was learnt for |
//! | `entities` | forms | `NER=` in MISC |
//! | `parser` | forms and the columns of the tagger | HEAD and DEPREL |
//! | `grammar` | forms, or the tags of the tagger | trees of phrases, apart from CoNLL-U |

mod annotate;
mod heads;
mod model;
mod persist;
mod running_text;
mod words;

pub use annotate::{
    ENTITY_CONFIDENCE_KEY, ENTITY_KEY, Scratch, annotate_columns, annotate_columns_with, annotate_entities,
    best_columns, column_of, entity_tags,
};
pub use heads::annotate_heads;
pub use model::{Pipeline, Stage};
pub use running_text::paragraphs;
