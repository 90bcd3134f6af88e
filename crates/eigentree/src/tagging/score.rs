//! A tagger against sentences with labels.

use eval::entities::EntityScores;
use eval::tagging::{Familiarity, TagScores};
use models::learn::Observer;
use rayon::prelude::*;
use tagging::tagger::{ColumnKind, TaggedSentence, Tagger};

use crate::Error;

/// Sentences that one piece of work has.
const CHUNK: usize = 64;

/// What was right.
#[derive(Clone, Debug, Default)]
pub struct TaggerScores {
    /// By column: its name and the accuracy of its labels.
    pub columns: Vec<(String, TagScores)>,
    /// Of entities, if the tagger finds them.
    pub entities: Option<EntityScores>,
}

/// Labels sentences and compares with the labels that they have, column by column as the tagger has them.
pub fn score_tagger(
    tagger: &Tagger,
    sentences: &[TaggedSentence],
    observer: &mut dyn Observer,
) -> Result<TaggerScores, Error> {
    let tagged: Vec<Vec<Vec<String>>> = sentences
        .par_chunks(CHUNK)
        .flat_map_iter(|chunk| {
            let mut scratch = tagger.scratch();
            chunk
                .iter()
                .map(|sentence| {
                    let tagging = tagger.tag(&sentence.words, &mut scratch);
                    let labels = |column| tagging.labels(column).map(str::to_owned).collect();
                    (0..tagger.columns().len()).map(labels).collect()
                })
                .collect::<Vec<_>>()
        })
        .collect();
    let mut scores = TaggerScores::default();
    for (number, column) in tagger.columns().iter().enumerate() {
        let mut tags = TagScores::default();
        let mut entities = EntityScores::default();
        for (sentence, predicted) in sentences.iter().zip(&tagged) {
            let Some(gold) = sentence.labels.get(number) else {
                return Err(Error::Data(format!("there are no labels for the column {}", column.name())));
            };
            let known = |index: usize| match tagger.knows(&sentence.words[index]) {
                true => Familiarity::Known,
                false => Familiarity::Unknown,
            };
            tags.score(gold, &predicted[number], known)?;
            if column.kind() == ColumnKind::Spans {
                entities.score(gold, &predicted[number])?;
            }
        }
        scores.columns.push((column.name().to_owned(), tags));
        if column.kind() == ColumnKind::Spans {
            scores.entities = Some(entities);
        }
    }
    observer.advance(sentences.len() as u64);
    Ok(scores)
}
