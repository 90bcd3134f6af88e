//! Taggers, entities and pipelines: data read for them, their scores. Streams run through them in [`annotation`](crate::annotation).
//!
//! - [`read_columns`], [`read_preterminals`], [`read_entities`]: sentences to learn from; [`read_gazetteer`]: lists of
//!   names; [`read_lexicon`]: words with their lemmas.
//! - [`TextItems`] makes sentences of raw text for others that read sentences.
//! - [`jackknife`] gives a treebank tags with the errors of a tagger, for a parser to learn from.
//! - [`score_tagger`] counts what is right on sentences with labels.

mod data;
mod jackknife;
mod score;
mod text_items;

pub use data::{
    ReadSentences, column_data, entity_columns, filled_columns, label_columns, read_columns, read_entities,
    read_gazetteer, read_lexicon, read_preterminals, tagged_sentences,
};
pub use jackknife::jackknife;
pub use score::{TaggerScores, score_tagger};
pub use text_items::{TextItems, tokenized_items};
