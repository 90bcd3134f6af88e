//! Errors of dependency trees over the same words.

use corpus::dependency::Head;
use corpus::format::conllu::{Sentence, Token};

use super::breakdown::{Builder, Order};
use super::confusion::ConfusionMatrix;
use super::{Diagnosis, Known, SentenceScore, lengths, one};
use crate::attachment::{AttachmentConfig, Subtypes};
use crate::counts::Counts;
use crate::error::EvalError;
use crate::paired::same_words;

/// The figures of a sentence.
const FIGURES: [&str; 3] = ["tag", "head", "arc"];

/// The words of training sentences.
pub fn known_words<'s>(sentences: impl IntoIterator<Item = &'s Sentence>) -> Known {
    let words = sentences.into_iter().flat_map(Sentence::words);
    words.map(|word| word.form().to_owned()).collect()
}

/// Analyses predicted sentences with the words of the gold ones. Tags are UPOS, or XPOS where the gold side has no
/// UPOS.
pub fn dependencies(
    pairs: &[(Sentence, Sentence)],
    known: Option<&Known>,
    config: &AttachmentConfig,
) -> Result<Diagnosis, EvalError> {
    let untagged = pairs.iter().flat_map(|(gold, _)| gold.words()).all(|word| word.upos() == "_");
    let tag_of = |token: &Token<'_>| if untagged { token.xpos() } else { token.upos() }.to_owned();
    let relation_of = |token: &Token<'_>| match config.subtypes {
        Subtypes::Cut => token.universal_deprel().to_owned(),
        Subtypes::Keep => token.deprel().to_owned(),
    };
    let mut by_relation = Builder::new("relation", &["arc", "relation", "head"], Order::Frequency);
    let mut by_tag = Builder::new("tag", &FIGURES, Order::Frequency);
    let distances = ["root"].into_iter().chain(lengths::SPANS);
    let mut by_distance =
        Builder::new("distance of the head", &["head", "arc"], Order::Given).with_classes(distances);
    let mut by_length =
        Builder::new("sentence length", &FIGURES, Order::Given).with_classes(lengths::SENTENCES);
    let mut by_familiarity = Builder::new("word", &["tag", "features", "lemma", "head", "arc"], Order::Given)
        .with_classes(["known", "unknown"]);
    let (mut relations, mut tags) = (ConfusionMatrix::new("relation"), ConfusionMatrix::new("tag"));
    let mut sentences = Vec::with_capacity(pairs.len());
    for (number, (gold, predicted)) in (1..).zip(pairs) {
        let forms = |sentence: &Sentence| -> Vec<String> {
            sentence.words().map(|word| word.form().to_owned()).collect()
        };
        let (gold_forms, predicted_forms) = (forms(gold), forms(predicted));
        same_words(
            number,
            gold_forms.iter().map(String::as_str),
            predicted_forms.iter().map(String::as_str),
        )?;
        let mut counts = vec![Counts::default(); FIGURES.len()];
        for (index, (wanted, given)) in gold.words().zip(predicted.words()).enumerate() {
            let (tag, other_tag) = (tag_of(&wanted), tag_of(&given));
            let (relation, other_relation) = (relation_of(&wanted), relation_of(&given));
            let head = wanted.head().is_some() && wanted.head() == given.head();
            let (tag_is_right, arc) = (tag == other_tag, head && relation == other_relation);
            let figures = [one(tag_is_right), one(head), one(arc)];
            counts.iter_mut().zip(figures).for_each(|(sum, figure)| *sum += figure);
            by_relation.add_pair(&relation, &other_relation, 0, arc);
            by_relation.add_pair(&relation, &other_relation, 1, relation == other_relation);
            by_relation.add(&relation, 2, one(head));
            by_tag.add_pair(&tag, &other_tag, 0, tag_is_right);
            by_tag.add(&tag, 1, figures[1]);
            by_tag.add(&tag, 2, figures[2]);
            let (distance, other_distance) = (distance(index, wanted.head()), distance(index, given.head()));
            by_distance.add_pair(distance, other_distance, 0, head);
            by_distance.add_pair(distance, other_distance, 1, arc);
            relations.add(&relation, &other_relation);
            tags.add(&tag, &other_tag);
            if let Some(known) = known {
                let class = if known.contains(wanted.form()) { "known" } else { "unknown" };
                let features = one(wanted.feats() == given.feats());
                let lemma = one(wanted.lemma() == "_" || wanted.lemma() == given.lemma());
                by_familiarity.add_all(class, &[figures[0], features, lemma, figures[1], figures[2]]);
            }
        }
        by_length.add_all(lengths::sentence(gold.len()), &counts);
        let arcs = counts[2];
        sentences.push(SentenceScore {
            number,
            id: gold.sent_id().unwrap_or("").to_owned(),
            words: gold.len(),
            errors: arcs.gold - arcs.matched,
            counts,
            text: gold_forms.join(" "),
        });
    }
    let mut breakdowns =
        vec![by_relation.finish(), by_tag.finish(), by_distance.finish(), by_length.finish()];
    if known.is_some() {
        breakdowns.push(by_familiarity.finish());
    }
    Ok(Diagnosis { figures: FIGURES.to_vec(), breakdowns, confusions: vec![relations, tags], sentences })
}

/// The class of the distance from a word to its head. No head is as far off as can be.
fn distance(index: usize, head: Option<Head>) -> &'static str {
    match head.map(Head::index) {
        Some(None) => "root",
        Some(Some(head)) => lengths::span(head.abs_diff(index)),
        None => lengths::SPANS[lengths::SPANS.len() - 1],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use corpus::format::conllu::ConlluReader;

    fn read(rows: &[(&str, &str, usize, &str)]) -> Sentence {
        let row = |(at, (form, upos, head, relation)): (usize, &(&str, &str, usize, &str))| {
            format!("{}\t{form}\t_\t{upos}\t_\t_\t{head}\t{relation}\t_\t_\n", at + 1)
        };
        let text: String = rows.iter().enumerate().map(row).collect();
        ConlluReader::new(format!("{text}\n").as_bytes(), "test").next().unwrap().unwrap()
    }

    #[test]
    fn errors_are_counted_where_they_belong() {
        let gold =
            read(&[("the", "DET", 2, "det"), ("dog", "NOUN", 3, "nsubj"), ("barks", "VERB", 0, "root")]);
        let predicted =
            read(&[("the", "DET", 2, "det"), ("dog", "PROPN", 3, "obj"), ("barks", "VERB", 1, "nsubj")]);
        let known: Known = ["the", "barks"].map(str::to_owned).into();
        let found = dependencies(&[(gold, predicted)], Some(&known), &AttachmentConfig::default()).unwrap();
        assert_eq!(found.sentences[0].errors, 2);
        let class = |by: &str, class: &str| {
            let breakdown = found.breakdowns.iter().find(|breakdown| breakdown.by == by).unwrap();
            breakdown.rows.iter().find(|row| row.class == class).unwrap().counts.clone()
        };
        // nsubj: one gold, one predicted elsewhere; its head is right.
        let nsubj = class("relation", "nsubj");
        assert_eq!(nsubj[0], Counts { matched: 0, gold: 1, predicted: 1 });
        assert_eq!(nsubj[2], Counts { matched: 1, gold: 1, predicted: 1 });
        assert_eq!(class("distance of the head", "root")[0], Counts { matched: 0, gold: 1, predicted: 0 });
        assert_eq!(class("word", "unknown")[0], Counts { matched: 0, gold: 1, predicted: 1 });
        assert_eq!(class("word", "known")[0], Counts { matched: 2, gold: 2, predicted: 2 });
        assert_eq!(found.confusions[0].count("nsubj", "obj"), 1);
        assert_eq!(found.confusions[1].confusions(5)[0].predicted, "PROPN");
        assert_eq!(found.worst(3), [0]);
        assert!(
            found.to_tsv().lines().nth(1).unwrap().starts_with("1\t\t3\t2\t66.67\t66.67\t33.33\tthe dog")
        );
    }
}
