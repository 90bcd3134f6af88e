//! Entities, after `conlleval` (Tjong Kim Sang and Buchholz 2000; Tjong Kim Sang and De Meulder 2003).
//!
//! A tag is a position and a type, `B-PER`, or `O`. An entity is a maximal run of words of one type, begun and ended by
//! these rules, which read IOB1, IOB2, IOE and BIOES alike, wrong sequences included:
//!
//! - It begins at `B` and `S`; at `I` and `E` after `O`, `E`, `S` or another type.
//! - It ends before `B`, `S`, `O` or another type, and after `E` and `S`.
//!
//! It is correct if both ends and the type are. The rules for `S` are not in the original script, which knows no such tag;
//! `L` and `U` (BILOU) are read as `E` and `S`.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::counts::{Counts, Ratio};
use crate::error::EvalError;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Position {
    Begin,
    Inside,
    End,
    Single,
    Outside,
}

/// A typed run of words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entity<'t> {
    /// First word, from 0.
    pub start: usize,
    /// Word after the last.
    pub end: usize,
    /// Its type; empty for tags without one.
    pub kind: &'t str,
}

impl Entity<'_> {
    /// Its words.
    pub fn span(&self) -> Range<usize> {
        self.start..self.end
    }
}

fn parse(tag: &str) -> Option<(Position, &str)> {
    let (position, kind) = tag.split_once('-').unwrap_or((tag, ""));
    let position = match position {
        "O" => Position::Outside,
        "B" => Position::Begin,
        "I" => Position::Inside,
        "E" | "L" => Position::End,
        "S" | "U" => Position::Single,
        _ => return None,
    };
    Some((position, kind))
}

/// The entities of a tagged sentence; `Err` is the index of a tag that is none.
///
/// ```
/// use eigentree_eval::entities::entities;
/// let found = entities(&["B-PER", "I-PER", "O", "I-LOC", "B-LOC"]).unwrap();
/// let spans: Vec<_> = found.iter().map(|entity| (entity.span(), entity.kind)).collect();
/// assert_eq!(spans, [(0..2, "PER"), (3..4, "LOC"), (4..5, "LOC")]);
/// ```
pub fn entities<'t, T: AsRef<str>>(tags: &'t [T]) -> Result<Vec<Entity<'t>>, usize> {
    let mut found: Vec<Entity<'t>> = Vec::new();
    let mut previous = (Position::Outside, "");
    for (index, tag) in tags.iter().enumerate() {
        let (position, kind) = parse(tag.as_ref()).ok_or(index)?;
        let after_end = matches!(previous.0, Position::Outside | Position::End | Position::Single);
        match position {
            Position::Outside => {}
            Position::Inside | Position::End if !after_end && previous.1 == kind => {
                if let Some(entity) = found.last_mut() {
                    entity.end = index + 1;
                }
            }
            _ => found.push(Entity { start: index, end: index + 1, kind }),
        }
        previous = (position, kind);
    }
    Ok(found)
}

/// The counts of one sentence.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SentenceEntities {
    /// Entities matched, wanted and given.
    pub entities: Counts,
    /// Words.
    pub words: usize,
    /// Words with the gold tag.
    pub correct_tags: usize,
}

/// A figure that can be computed from any subset of sentences.
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

/// The records of all sentences.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EntityScores {
    /// In the order of the corpus.
    pub sentences: Vec<SentenceEntities>,
    /// Counts by type.
    pub by_type: BTreeMap<String, Counts>,
}

impl EntityScores {
    /// Scores the next sentence from its gold tags and its predicted ones. After an error it is not counted.
    pub fn score<G: AsRef<str>, P: AsRef<str>>(
        &mut self,
        gold: &[G],
        predicted: &[P],
    ) -> Result<(), EvalError> {
        let sentence = self.sentences.len() + 1;
        if gold.len() != predicted.len() {
            return Err(EvalError::Length { sentence, gold: gold.len(), predicted: predicted.len() });
        }
        let bad_tag = |word: usize, tag: &str| EvalError::Tag {
            sentence,
            word: word + 1,
            tag: tag.to_owned(),
            expected: "O, or B, I, E, S, L or U with a type, like B-PER",
        };
        let wanted = entities(gold).map_err(|at| bad_tag(at, gold[at].as_ref()))?;
        let given = entities(predicted).map_err(|at| bad_tag(at, predicted[at].as_ref()))?;
        let same_tag = |(one, other): &(&G, &P)| one.as_ref() == other.as_ref();
        let mut record = SentenceEntities {
            entities: Counts::default(),
            words: gold.len(),
            correct_tags: gold.iter().zip(predicted).filter(same_tag).count(),
        };
        // Entities of one side do not overlap, so both lists are in order and no entity occurs twice.
        for entity in &wanted {
            let matched = u64::from(given.binary_search(entity).is_ok());
            self.add(&mut record, entity.kind, Counts { matched, gold: 1, predicted: 0 });
        }
        for entity in &given {
            self.add(&mut record, entity.kind, Counts { matched: 0, gold: 0, predicted: 1 });
        }
        self.sentences.push(record);
        Ok(())
    }

    fn add(&mut self, record: &mut SentenceEntities, kind: &str, step: Counts) {
        record.entities += step;
        match self.by_type.get_mut(kind) {
            Some(counts) => *counts += step,
            None => {
                self.by_type.insert(kind.to_owned(), step);
            }
        }
    }

    /// Over all sentences and types.
    pub fn total(&self) -> Counts {
        self.sentences.iter().map(|sentence| sentence.entities).sum()
    }

    /// Share of all words with the gold tag, from 0 to 1.
    pub fn tag_accuracy(&self) -> f64 {
        self.ratios(EntityMetric::Tags).into_iter().sum::<Ratio>().value()
    }

    /// What each sentence adds to a figure, for significance tests.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes entities as `start-end:type`.
    fn found(tags: &str) -> String {
        let tags: Vec<&str> = tags.split_whitespace().collect();
        let list = entities(&tags).unwrap();
        list.iter().map(|e| format!("{}-{}:{}", e.start, e.end, e.kind)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn boundaries_in_every_scheme() {
        for (tags, expected) in [
            // IOB2.
            ("B-X I-X O B-Y", "0-2:X 3-4:Y"),
            ("B-X B-X", "0-1:X 1-2:X"),
            // IOB1: B only between neighbours.
            ("I-X I-X O I-X B-X I-X", "0-2:X 3-4:X 4-6:X"),
            // A change of type begins an entity without B.
            ("B-X I-Y I-Y", "0-1:X 1-3:Y"),
            ("I-X E-Y", "0-1:X 1-2:Y"),
            // BIOES and BILOU.
            ("S-X B-X I-X E-X S-X", "0-1:X 1-4:X 4-5:X"),
            ("U-X B-X L-X", "0-1:X 1-3:X"),
            // Wrong sequences.
            ("B-X E-X I-X", "0-2:X 2-3:X"),
            ("E-X E-X", "0-1:X 1-2:X"),
            ("S-X I-X", "0-1:X 1-2:X"),
            ("B-X O I-X", "0-1:X 2-3:X"),
            // No types; a type with hyphens.
            ("B I O", "0-2:"),
            ("B-creative-work I-creative-work", "0-2:creative-work"),
        ] {
            assert_eq!(found(tags), expected, "{tags}");
        }
        assert_eq!(entities(&["O", "Q-X"]), Err(1));
    }

    #[test]
    fn both_ends_and_the_type_must_agree() {
        let mut scores = EntityScores::default();
        let split = |text: &'static str| text.split(' ').collect::<Vec<_>>();
        scores.score(&split("B-X I-X O B-Y B-X"), &split("B-X I-X O B-X B-X")).unwrap();
        scores.score(&split("B-X I-X I-X"), &split("B-X I-X O")).unwrap();
        assert_eq!(scores.total(), Counts { matched: 2, gold: 4, predicted: 4 });
        assert_eq!(scores.by_type["X"], Counts { matched: 2, gold: 3, predicted: 4 });
        assert_eq!(scores.by_type["Y"], Counts { matched: 0, gold: 1, predicted: 0 });
        assert_eq!(scores.tag_accuracy(), 6.0 / 8.0);
        let error = scores.score(&["O"], &["X-O"]).unwrap_err().to_string();
        assert!(error.contains("`X-O` of word 1 in sentence 3"), "{error}");
        let error = scores.score(&["O"], &["O", "O"]).unwrap_err().to_string();
        assert!(error.contains("sentence 3: 1 words in the gold annotation but 2"), "{error}");
        assert_eq!(scores.sentences.len(), 2);
    }
}
