//! Dependency trees for the sentences of a pipeline, whatever their length.

use corpus::format::conllu::{Sentence, SentenceError};

use dependency::arcs::Word;
use dependency::mst::{Mst, Parser, Scratch};
use models::confidence::Confidences;

use crate::dependency_parsing::{DependencyParser, annotate};

/// Writes HEAD and DEPREL of all words, by their forms and tags.
pub fn annotate_heads(
    model: &Mst,
    sentence: &mut Sentence,
    scratch: &mut Scratch,
) -> Result<(), SentenceError> {
    let parser = Parser::new(model);
    let words = Word::of_sentence(sentence);
    match DependencyParser::parse_best(&parser, &words, 1, Confidences::Skip, scratch).first() {
        Some(parse) => annotate(sentence, parse, &parser),
        None => Ok(()),
    }
}
