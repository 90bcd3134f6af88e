//! Taggers, entities and pipelines: data read for them, streams run through them, their scores.
//!
//! - [`read_columns`], [`read_preterminals`], [`read_entities`]: sentences to learn from; [`read_gazetteer`]: lists of
//!   names; [`read_lexicon`]: words with their lemmas.
//! - [`tag_stream`] labels sentences of any format, [`annotate_stream`] takes raw text through a pipeline and
//!   [`annotate_items`] sentences; all with all threads, in the order of the input, in bounded memory.
//! - [`TextItems`] makes sentences of raw text for others that read sentences.
//! - [`jackknife`] gives a treebank tags with the errors of a tagger, for a parser to learn from.
//! - [`score_tagger`] counts what is right on sentences with labels.

mod annotate;
mod data;
mod jackknife;
mod score;
mod stream;
mod text_items;

pub use annotate::{AnnotationConfig, annotate_items, annotate_stream};
pub use data::{
    ReadSentences, column_data, entity_columns, filled_columns, label_columns, read_columns, read_entities,
    read_gazetteer, read_lexicon, read_preterminals, tagged_sentences,
};
pub use jackknife::jackknife;
pub use score::{TaggerScores, score_tagger};
pub use stream::{TagConfig, tag_stream};
pub use text_items::{TextItems, tokenized_items};
