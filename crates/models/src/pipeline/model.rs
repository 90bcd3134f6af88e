//! The stages.

use crate::mst::Mst;
use crate::tagger::Tagger;
use crate::tokenizer::Tokenizer;

/// The stages of a pipeline. It is immutable and shared by threads.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// From text to words.
    pub tokenizer: Tokenizer,
    /// From words to the columns of CoNLL-U.
    pub tagger: Option<Tagger>,
    /// From words to entities.
    pub entities: Option<Tagger>,
    /// From words with tags to trees.
    pub parser: Option<Mst>,
}
