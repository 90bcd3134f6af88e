//! The stages of a pipeline.

use dependency::mst::Mst;
use grammars::lpcfg::Lpcfg;
use tagging::tagger::Tagger;
use tagging::tokenizer::Tokenizer;

/// A stage of annotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// From text to words.
    Tokenise,
    /// From words to tags.
    Tag,
    /// From words to entities.
    Entities,
    /// From words with tags to trees.
    Parse,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Self; 4] = [Stage::Tokenise, Stage::Tag, Stage::Entities, Stage::Parse];

    /// Its name in summaries.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Tokenise => "tokenise",
            Stage::Tag => "tag",
            Stage::Entities => "entities",
            Stage::Parse => "parse",
        }
    }
}

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
    /// From words to constituency trees. It is not part of [`annotate`](Self::annotate), since such trees have no place
    /// in CoNLL-U.
    pub grammar: Option<Box<Lpcfg>>,
}
