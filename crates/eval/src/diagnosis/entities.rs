//! Errors of entities over the same tokens.

use corpus::format::bio::{BioSentence, Entity, lenient_entities};

use super::breakdown::{Builder, Order};
use super::confusion::ConfusionMatrix;
use super::{Diagnosis, Known, SentenceScore, lengths, one};
use crate::counts::Counts;
use crate::error::EvalError;
use crate::paired::same_words;

/// The figures of a sentence.
const FIGURES: [&str; 2] = ["entities", "tags"];

/// The texts of the entities of training sentences.
pub fn known_entities<'s>(sentences: impl IntoIterator<Item = &'s BioSentence>) -> Known {
    let mut known = Known::new();
    for sentence in sentences {
        let tokens: Vec<&str> = sentence.tokens().collect();
        known.extend(lenient_entities(sentence.tags()).iter().map(|entity| text(&tokens, entity)));
    }
    known
}

fn text(tokens: &[&str], entity: &Entity<'_>) -> String {
    tokens[entity.start..entity.end].join(" ")
}

/// Analyses predicted entities over the tokens of the gold ones.
pub fn entities(pairs: &[(BioSentence, BioSentence)], known: Option<&Known>) -> Result<Diagnosis, EvalError> {
    let mut by_class = Builder::new("class", &["entities"], Order::Frequency);
    let mut by_entity =
        Builder::new("entity length", &["entities"], Order::Given).with_classes(lengths::SPANS);
    let mut by_length =
        Builder::new("sentence length", &FIGURES, Order::Given).with_classes(lengths::SENTENCES);
    let mut by_familiarity =
        Builder::new("entity", &["entities"], Order::Given).with_classes(["known", "unknown"]);
    let mut classes = ConfusionMatrix::new("class");
    let mut sentences = Vec::with_capacity(pairs.len());
    for (number, (gold, predicted)) in (1..).zip(pairs) {
        let tokens: Vec<&str> = gold.tokens().collect();
        let other_tokens: Vec<&str> = predicted.tokens().collect();
        same_words(number, tokens.iter().copied(), other_tokens.iter().copied())?;
        let (wanted, given) = (lenient_entities(gold.tags()), lenient_entities(predicted.tags()));
        let mut counts = [Counts::default(); 2];
        gold.tags().zip(predicted.tags()).for_each(|(tag, other)| counts[1] += one(tag == other));
        let mut count = |entity: &Entity<'_>, step: Counts| {
            counts[0] += step;
            by_class.add(entity.class, 0, step);
            by_entity.add(lengths::span(entity.end - entity.start), 0, step);
            if let Some(known) = known {
                let class = if known.contains(&text(&tokens, entity)) { "known" } else { "unknown" };
                by_familiarity.add(class, 0, step);
            }
        };
        let mut errors = 0;
        for entity in &wanted {
            let matched = u64::from(given.binary_search(entity).is_ok());
            errors += 1 - matched;
            count(entity, Counts { matched, gold: 1, predicted: 0 });
            let same_place =
                given.iter().find(|other| (other.start, other.end) == (entity.start, entity.end));
            classes.add(entity.class, same_place.map_or(ConfusionMatrix::NONE, |other| other.class));
        }
        for entity in &given {
            count(entity, Counts { matched: 0, gold: 0, predicted: 1 });
            if !wanted.iter().any(|other| (other.start, other.end) == (entity.start, entity.end)) {
                errors += 1;
                classes.add(ConfusionMatrix::NONE, entity.class);
            }
        }
        by_length.add_all(lengths::sentence(tokens.len()), &counts);
        sentences.push(SentenceScore {
            number,
            id: String::new(),
            words: tokens.len(),
            errors,
            counts: counts.to_vec(),
            text: tokens.join(" "),
        });
    }
    let mut breakdowns = vec![by_class.finish(), by_entity.finish(), by_length.finish()];
    if known.is_some() {
        breakdowns.push(by_familiarity.finish());
    }
    Ok(Diagnosis { figures: FIGURES.to_vec(), breakdowns, confusions: vec![classes], sentences })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(tags: &str) -> BioSentence {
        let mut sentence = BioSentence::new();
        for (at, tag) in tags.split(' ').enumerate() {
            sentence.push(&format!("w{at}"), tag).unwrap();
        }
        sentence
    }

    #[test]
    fn classes_and_boundaries_are_told_apart() {
        let pair = (sentence("B-X I-X O B-Y B-X"), sentence("B-X O O B-X B-X"));
        let known = known_entities([&sentence("O O O O B-X")]);
        let found = entities(&[pair], Some(&known)).unwrap();
        assert_eq!(found.confusions[0].count("Y", "X"), 1);
        assert_eq!(found.confusions[0].count("X", ConfusionMatrix::NONE), 1);
        assert_eq!(found.confusions[0].count(ConfusionMatrix::NONE, "X"), 1);
        assert_eq!(found.sentences[0].errors, 3);
        let familiarity = &found.breakdowns[3];
        assert_eq!(familiarity.rows[0].counts[0], Counts { matched: 1, gold: 1, predicted: 1 });
        assert_eq!(familiarity.rows[1].counts[0], Counts { matched: 0, gold: 2, predicted: 2 });
    }
}
