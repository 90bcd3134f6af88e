//! Named entities, after `conlleval` (Tjong Kim Sang and Buchholz 2000; Tjong Kim Sang and De Meulder 2003).
//!
//! A tag is a position and a class, such as `B-PER`, or `O`. An entity is a run of words of one class. The following
//! rules read IOB1, IOB2 and BIOES alike, including invalid sequences (see [`lenient_entities`]):
//!
//! - An entity begins at `B` and `S`, and at `I` and `E` after `O`, `E`, `S` or another class.
//! - It ends before `B`, `S`, `O` or another class, and after `E` and `S`.
//!
//! An entity is correct if both ends and the class are. The rules for `S` extend the original script, which does not
//! have this tag.

use std::collections::BTreeMap;
use std::io::Read;

use corpus::error::ReadError;
use corpus::format::bio::{BioReader, BioSentence, Entity, lenient_entities};

use crate::counts::{Counts, Ratio};
use crate::error::EvalError;
use crate::paired::{in_step, same_words};

/// The counts of one sentence.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SentenceEntities {
    /// Matched, gold and predicted entities.
    pub entities: Counts,
    /// Number of words.
    pub words: usize,
    /// Number of words with the gold tag.
    pub correct_tags: usize,
}

/// A figure that can be computed for any subset of sentences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntityMetric {
    /// Entity F1.
    F1,
    /// Entity precision.
    Precision,
    /// Entity recall.
    Recall,
    /// Share of words with the gold tag.
    Tags,
}

/// Records of all sentences.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EntityScores {
    /// In the order of the corpus.
    pub sentences: Vec<SentenceEntities>,
    /// Counts by class.
    pub by_class: BTreeMap<String, Counts>,
}

impl EntityScores {
    /// Scores the next sentence from its gold and predicted tags. On error the sentence is not counted.
    pub fn score<G: AsRef<str>, P: AsRef<str>>(
        &mut self,
        gold: &[G],
        predicted: &[P],
    ) -> Result<(), EvalError> {
        let sentence = self.sentences.len() + 1;
        if gold.len() != predicted.len() {
            return Err(EvalError::Length { sentence, gold: gold.len(), predicted: predicted.len() });
        }
        let wanted: Vec<Entity<'_>> = lenient_entities(gold.iter().map(AsRef::as_ref));
        let given: Vec<Entity<'_>> = lenient_entities(predicted.iter().map(AsRef::as_ref));
        let same_tag = |(one, other): &(&G, &P)| one.as_ref() == other.as_ref();
        let mut record = SentenceEntities {
            entities: Counts::default(),
            words: gold.len(),
            correct_tags: gold.iter().zip(predicted).filter(same_tag).count(),
        };
        // Entities of one side do not overlap, so both lists are sorted and no entity occurs twice.
        for entity in &wanted {
            let matched = u64::from(given.binary_search(entity).is_ok());
            self.add(&mut record, entity.class, Counts { matched, gold: 1, predicted: 0 });
        }
        for entity in &given {
            self.add(&mut record, entity.class, Counts { matched: 0, gold: 0, predicted: 1 });
        }
        self.sentences.push(record);
        Ok(())
    }

    fn add(&mut self, record: &mut SentenceEntities, class: &str, step: Counts) {
        record.entities += step;
        match self.by_class.get_mut(class) {
            Some(counts) => *counts += step,
            None => {
                self.by_class.insert(class.to_owned(), step);
            }
        }
    }

    /// Sum over all sentences and classes.
    pub fn total(&self) -> Counts {
        self.sentences.iter().map(|sentence| sentence.entities).sum()
    }

    /// Share of all words with the gold tag, from 0 to 1.
    pub fn tag_accuracy(&self) -> f64 {
        self.ratios(EntityMetric::Tags).into_iter().sum::<Ratio>().value()
    }

    /// Contribution of each sentence to a figure, for significance tests.
    pub fn ratios(&self, metric: EntityMetric) -> Vec<Ratio> {
        let ratio = |sentence: &SentenceEntities| match metric {
            EntityMetric::F1 => sentence.entities.f1_ratio(),
            EntityMetric::Precision => sentence.entities.precision_ratio(),
            EntityMetric::Recall => sentence.entities.recall_ratio(),
            EntityMetric::Tags => Ratio::of(sentence.correct_tags as u64, sentence.words as u64),
        };
        self.sentences.iter().map(ratio).collect()
    }
}

/// Scores a whole prediction over the same tokens.
pub fn score_sentences(
    gold: impl IntoIterator<Item = Result<BioSentence, ReadError>>,
    predicted: impl IntoIterator<Item = Result<BioSentence, ReadError>>,
) -> Result<EntityScores, EvalError> {
    let mut scores = EntityScores::default();
    in_step(gold, predicted, |number, gold, predicted| {
        same_words(number, gold.tokens(), predicted.tokens())?;
        let tags = |sentence: &BioSentence| sentence.tags().map(str::to_owned).collect::<Vec<_>>();
        scores.score(&tags(&gold), &tags(&predicted))
    })?;
    Ok(scores)
}

/// Scores a whole prediction from two streams of tokens and tags. The names are used in error messages.
///
/// ```
/// use eigentree_eval::entities::score_readers;
/// let (gold, predicted) = ("Ada\tB-PER\nLovelace\tI-PER\n\n", "Ada\tB-PER\nLovelace\tB-PER\n\n");
/// let scores = score_readers((gold.as_bytes(), "gold"), (predicted.as_bytes(), "predicted"))?;
/// assert_eq!((scores.total().f1(), scores.tag_accuracy()), (0.0, 0.5));
/// # Ok::<(), eigentree_eval::error::EvalError>(())
/// ```
pub fn score_readers<G: Read, P: Read>(
    (gold, gold_name): (G, &str),
    (predicted, predicted_name): (P, &str),
) -> Result<EntityScores, EvalError> {
    score_sentences(BioReader::new(gold, gold_name), BioReader::new(predicted, predicted_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entities as `start-end:class`.
    fn found(tags: &str) -> String {
        let list = lenient_entities(tags.split(' '));
        list.iter().map(|e| format!("{}-{}:{}", e.start, e.end, e.class)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn boundaries_in_every_scheme() {
        for (tags, expected) in [
            // IOB2.
            ("B-X I-X O B-Y", "0-2:X 3-4:Y"),
            ("B-X B-X", "0-1:X 1-2:X"),
            // IOB1: B only between adjacent entities.
            ("I-X I-X O I-X B-X I-X", "0-2:X 3-4:X 4-6:X"),
            // A change of class begins an entity even without B.
            ("B-X I-Y I-Y", "0-1:X 1-3:Y"),
            ("I-X E-Y", "0-1:X 1-2:Y"),
            // BIOES.
            ("S-X B-X I-X E-X S-X", "0-1:X 1-4:X 4-5:X"),
            // Invalid sequences.
            ("B-X E-X I-X", "0-2:X 2-3:X"),
            ("E-X E-X", "0-1:X 1-2:X"),
            ("S-X I-X", "0-1:X 1-2:X"),
            ("B-X O I-X", "0-1:X 2-3:X"),
            // A class with hyphens.
            ("B-creative-work I-creative-work", "0-2:creative-work"),
        ] {
            assert_eq!(found(tags), expected, "{tags}");
        }
    }

    #[test]
    fn both_ends_and_the_class_must_agree() {
        let mut scores = EntityScores::default();
        let split = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        scores.score(&split("B-X I-X O B-Y B-X"), &split("B-X I-X O B-X B-X")).unwrap();
        scores.score(&split("B-X I-X I-X"), &split("B-X I-X O")).unwrap();
        assert_eq!(scores.total(), Counts { matched: 2, gold: 4, predicted: 4 });
        assert_eq!(scores.by_class["X"], Counts { matched: 2, gold: 3, predicted: 4 });
        assert_eq!(scores.by_class["Y"], Counts { matched: 0, gold: 1, predicted: 0 });
        assert_eq!(scores.tag_accuracy(), 6.0 / 8.0);
        let error = scores.score(&["O"], &["O", "O"]).unwrap_err().to_string();
        assert!(error.contains("sentence 3: 1 words in the gold annotation but 2"), "{error}");
        assert_eq!(scores.sentences.len(), 2);
        // Different schemes have different tags but the same entities.
        let mut mixed = EntityScores::default();
        mixed.score(&split("B-X I-X B-Y"), &split("B-X E-X S-Y")).unwrap();
        assert_eq!((mixed.total().f1(), mixed.tag_accuracy()), (1.0, 1.0 / 3.0));
    }

    #[test]
    fn other_tokens_are_an_error() {
        let error = score_readers(("a\tO\n\n".as_bytes(), "g"), ("b\tO\n\n".as_bytes(), "p"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("sentence 1: word 1 is `a`"), "{error}");
    }
}
