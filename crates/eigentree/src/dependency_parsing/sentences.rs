//! Parses and scores treebanks in memory.

use corpus::format::conllu::Sentence;
use dependency::arcs::{DependencyParse, Word};
use eval::attachment::{AttachmentConfig, AttachmentScores};
use models::learn::Observer;
use rayon::prelude::*;

use super::annotate::annotate;
use super::parser::DependencyParser;
use crate::Error;
use crate::parsing::Confidences;
use crate::rounds::ScratchPool;

/// Number of sentences per thread between two calls of the observer.
const ROUND: usize = 64;

/// The best parse of every sentence by its words and tags; `None` for one without words. The caller must have started a
/// stage.
pub fn parse_sentences<P: DependencyParser>(
    parser: &P,
    sentences: &[Sentence],
    confidences: Confidences,
    observer: &mut dyn Observer,
) -> Result<Vec<Option<DependencyParse>>, Error> {
    let pool = ScratchPool::<P::Scratch>::new();
    let mut parses = Vec::with_capacity(sentences.len());
    for round in sentences.chunks(ROUND * rayon::current_num_threads()) {
        let parsed = round.par_iter().with_max_len(8).map(|sentence| {
            let words = Word::of_sentence(sentence);
            pool.lend(|scratch| parser.parse_best(&words, 1, confidences, scratch)).into_iter().next()
        });
        parses.par_extend(parsed);
        observer.advance(round.len() as u64);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    Ok(parses)
}

/// Scores parses of the words of `gold`.
pub fn score_sentences<P: DependencyParser>(
    parser: &P,
    gold: &[Sentence],
    parses: &[Option<DependencyParse>],
) -> Result<AttachmentScores, Error> {
    let mut predicted = gold.to_vec();
    for (sentence, parse) in predicted.iter_mut().zip(parses) {
        if let Some(parse) = parse {
            annotate(sentence, parse, parser).map_err(|error| Error::Data(error.to_string()))?;
        }
    }
    let (gold, predicted) = (gold.iter().cloned().map(Ok), predicted.into_iter().map(Ok));
    Ok(eval::attachment::score_sentences(gold, predicted, &AttachmentConfig::default())?)
}
