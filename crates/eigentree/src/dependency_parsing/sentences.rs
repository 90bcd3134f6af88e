//! Parses and scores treebanks in memory.

use corpus::format::conllu::Sentence;
use dependency::arcs::{DependencyParse, Word};
use eval::attachment::{AttachmentConfig, AttachmentScores};
use models::learn::Observer;

use super::annotate::annotate;
use super::parser::DependencyParser;
use crate::Error;
use crate::parsing::Confidences;
use crate::streaming::map_in_memory;

/// The best parse of every sentence by its words and tags; `None` for one without words. The caller must have
/// started a stage.
pub fn parse_sentences<P: DependencyParser>(
    parser: &P,
    sentences: &[Sentence],
    confidences: Confidences,
    observer: &mut dyn Observer,
) -> Result<Vec<Option<DependencyParse>>, Error> {
    map_in_memory(sentences, observer, |sentence, scratch| {
        parser.parse_best(&Word::of_sentence(sentence), 1, confidences, scratch).into_iter().next()
    })
}

/// Scores parses of the words of `gold`, together with the tags and lemmas that `given`, the sentences that were parsed,
/// have. These are `gold` itself if its tags were given to the parser.
pub fn score_sentences<P: DependencyParser>(
    parser: &P,
    gold: &[Sentence],
    given: &[Sentence],
    parses: &[Option<DependencyParse>],
) -> Result<AttachmentScores, Error> {
    let mut predicted = given.to_vec();
    for (sentence, parse) in predicted.iter_mut().zip(parses) {
        if let Some(parse) = parse {
            annotate(sentence, parse, parser).map_err(|error| Error::Data(error.to_string()))?;
        }
    }
    let (gold, predicted) = (gold.iter().cloned().map(Ok), predicted.into_iter().map(Ok));
    Ok(eval::attachment::score_sentences(gold, predicted, &AttachmentConfig::default())?)
}
