//! Scores a tagger on labelled sentences.

use eval::entities::EntityScores;
use eval::tagging::{Familiarity, TagScores};
use models::learn::Observer;
use tagging::tagger::{ColumnKind, TaggedSentence, Tagger};

use crate::Error;
use crate::streaming::map_in_memory;

/// The scores of a tagger.
#[derive(Clone, Debug, Default)]
pub struct TaggerScores {
    /// By column: its name and the accuracy of its labels.
    pub columns: Vec<(String, TagScores)>,
    /// Scores of entities, if the tagger predicts them.
    pub entities: Option<EntityScores>,
}

/// Labels sentences and compares the result with their gold labels, column by column.
pub fn score_tagger(
    tagger: &Tagger,
    sentences: &[TaggedSentence],
    observer: &mut dyn Observer,
) -> Result<TaggerScores, Error> {
    let tagged: Vec<Vec<Vec<String>>> = map_in_memory(sentences, observer, |sentence, scratch| {
        let tagging = tagger.tag(&sentence.words, scratch);
        let labels = |column| tagging.labels(column).map(str::to_owned).collect();
        let mut all: Vec<Vec<String>> = (0..tagger.columns().len()).map(labels).collect();
        if tagger.lemmatizer().is_some() {
            let mut lemmas = Vec::with_capacity(sentence.words.len());
            tagger.lemmatize(&sentence.words, &tagging, scratch, |_, lemma| lemmas.push(lemma.to_owned()));
            all.push(lemmas);
        }
        all
    })?;
    let mut scores = TaggerScores::default();
    let labels = tagger.columns().iter().map(|column| (column.name(), column.kind()));
    let lemmas = tagger.lemmatizer().map(|_| ("lemma", ColumnKind::Lemmas));
    for (number, (name, kind)) in labels.chain(lemmas).enumerate() {
        let mut tags = TagScores::default();
        let mut entities = EntityScores::default();
        for (sentence, predicted) in sentences.iter().zip(&tagged) {
            let Some(gold) = sentence.labels.get(number) else {
                return Err(Error::Data(format!("no gold labels for column {name}")));
            };
            let known = |index: usize| match tagger.knows(&sentence.words[index]) {
                true => Familiarity::Known,
                false => Familiarity::Unknown,
            };
            tags.score(gold, &predicted[number], known)?;
            if kind == ColumnKind::Spans {
                entities.score(gold, &predicted[number])?;
            }
        }
        scores.columns.push((name.to_owned(), tags));
        if kind == ColumnKind::Spans {
            scores.entities = Some(entities);
        }
    }
    Ok(scores)
}
