//! Errors of constituency trees over the same words.

use std::collections::HashMap;

use corpus::tree::Tree;

use super::breakdown::{Builder, Order};
use super::confusion::ConfusionMatrix;
use super::{Diagnosis, Known, SentenceScore, lengths, one};
use crate::brackets::{Bracket, BracketConfig, words_and_brackets};
use crate::counts::Counts;
use crate::error::EvalError;
use crate::paired::same_words;

/// The figures of a sentence.
const FIGURES: [&str; 2] = ["brackets", "tags"];

/// Analyses predicted trees over the words of the gold ones; `None` is a sentence without a tree.
pub fn trees(
    pairs: &[(Tree, Option<Tree>)],
    known: Option<&Known>,
    config: &BracketConfig,
) -> Result<Diagnosis, EvalError> {
    let mut by_label = Builder::new("label", &["brackets"], Order::Frequency);
    let mut by_tag = Builder::new("tag", &["tags"], Order::Frequency);
    let mut by_span = Builder::new("span length", &["brackets"], Order::Given).with_classes(lengths::SPANS);
    let mut by_length =
        Builder::new("sentence length", &FIGURES, Order::Given).with_classes(lengths::SENTENCES);
    let mut by_familiarity = Builder::new("word", &["tags"], Order::Given).with_classes(["known", "unknown"]);
    let (mut labels, mut tags) = (ConfusionMatrix::new("label"), ConfusionMatrix::new("tag"));
    let mut sentences = Vec::with_capacity(pairs.len());
    for (number, (gold, predicted)) in (1..).zip(pairs) {
        let (terminals, kept, wanted) = words_and_brackets(gold, None, config);
        let (other_terminals, _, given) = match predicted {
            Some(tree) => words_and_brackets(tree, Some(&kept), config),
            None => (terminals.iter().map(|&(word, _)| (word, "")).collect(), Vec::new(), Vec::new()),
        };
        same_words(number, terminals.iter().map(|t| t.0), other_terminals.iter().map(|t| t.0))?;
        let mut counts = [Counts::default(); 2];
        for (&(word, tag), &(_, other)) in terminals.iter().zip(&other_terminals) {
            let right = tag == other;
            counts[1] += one(right);
            by_tag.add_pair(tag, other, 0, right);
            tags.add(tag, other);
            if let Some(known) = known {
                let class = if known.contains(word) { "known" } else { "unknown" };
                by_familiarity.add(class, 0, one(right));
            }
        }
        let mut count = |bracket: &Bracket<'_>, step: Counts| {
            counts[0] += step;
            by_label.add(bracket.label, 0, step);
            by_span.add(lengths::span((bracket.end - bracket.start) as usize), 0, step);
        };
        let (matched, missing, extra) = merge(&wanted, &given);
        matched.iter().for_each(|bracket| count(bracket, Counts { matched: 1, gold: 1, predicted: 1 }));
        missing.iter().for_each(|bracket| count(bracket, Counts { matched: 0, gold: 1, predicted: 0 }));
        extra.iter().for_each(|bracket| count(bracket, Counts { matched: 0, gold: 0, predicted: 1 }));
        matched.iter().for_each(|bracket| labels.add(bracket.label, bracket.label));
        confuse(&missing, &extra, &mut labels);
        by_length.add_all(lengths::sentence(terminals.len()), &counts);
        sentences.push(SentenceScore {
            number,
            id: String::new(),
            words: terminals.len(),
            errors: (missing.len() + extra.len()) as u64,
            counts: counts.to_vec(),
            text: terminals.iter().map(|&(word, _)| word).collect::<Vec<_>>().join(" "),
        });
    }
    let mut breakdowns = vec![by_label.finish(), by_tag.finish(), by_span.finish(), by_length.finish()];
    if known.is_some() {
        breakdowns.push(by_familiarity.finish());
    }
    Ok(Diagnosis { figures: FIGURES.to_vec(), breakdowns, confusions: vec![labels, tags], sentences })
}

/// The brackets of both lists, of the first only and of the second only. Lists are in pre-order.
fn merge<'t>(
    gold: &[Bracket<'t>],
    predicted: &[Bracket<'t>],
) -> (Vec<Bracket<'t>>, Vec<Bracket<'t>>, Vec<Bracket<'t>>) {
    let mut open: HashMap<Bracket<'t>, usize> = HashMap::new();
    for &bracket in predicted {
        *open.entry(bracket).or_default() += 1;
    }
    let (mut matched, mut missing) = (Vec::new(), Vec::new());
    for &bracket in gold {
        match open.get_mut(&bracket).filter(|count| **count > 0) {
            Some(count) => {
                *count -= 1;
                matched.push(bracket);
            }
            None => missing.push(bracket),
        }
    }
    let mut extra = Vec::new();
    for &bracket in predicted {
        if let Some(count) = open.get_mut(&bracket).filter(|count| **count > 0) {
            *count -= 1;
            extra.push(bracket);
        }
    }
    (matched, missing, extra)
}

/// Missing and extra brackets over the same words are one label taken for another.
fn confuse(missing: &[Bracket<'_>], extra: &[Bracket<'_>], labels: &mut ConfusionMatrix) {
    let mut rest: Vec<&Bracket<'_>> = extra.iter().collect();
    for bracket in missing {
        let place = (bracket.start, bracket.end);
        match rest.iter().position(|other| (other.start, other.end) == place) {
            Some(at) => labels.add(bracket.label, rest.remove(at).label),
            None => labels.add(bracket.label, ConfusionMatrix::NONE),
        }
    }
    rest.iter().for_each(|bracket| labels.add(ConfusionMatrix::NONE, bracket.label));
}

/// For each node of `tree`, whether it is a phrase that `other` does not have, or a preterminal with another tag there.
pub fn wrong_brackets(tree: &Tree, other: &Tree) -> Vec<bool> {
    let mut open: HashMap<(usize, usize, &str), usize> = HashMap::new();
    for node in other.nodes().filter(|node| !node.is_word()) {
        *open.entry((node.span().start, node.span().end, node.label())).or_default() += 1;
    }
    let mut wrong = Vec::with_capacity(tree.node_count());
    for node in tree.nodes() {
        let found = open.get_mut(&(node.span().start, node.span().end, node.label()));
        wrong.push(match found.filter(|count| **count > 0) {
            _ if node.is_word() => false,
            Some(count) => {
                *count -= 1;
                false
            }
            None => true,
        });
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_over_the_same_words_are_confused() {
        let gold: Tree = "(S (NP (DT the) (NN dog)) (VP (VBZ barks) (ADVP (RB now))))".parse().unwrap();
        let predicted: Tree = "(S (NP (DT the) (NN dog) (NNS barks)) (NP (RB now)))".parse().unwrap();
        let pairs = [(gold.clone(), Some(predicted.clone())), (gold, None)];
        let found = trees(&pairs, None, &BracketConfig::collins()).unwrap();
        let labels = &found.confusions[0];
        assert_eq!(labels.count("ADVP", "NP"), 1);
        assert_eq!(labels.count("VP", ConfusionMatrix::NONE), 2);
        assert_eq!(labels.count(ConfusionMatrix::NONE, "NP"), 1);
        assert_eq!(found.confusions[1].count("VBZ", "NNS"), 1);
        assert_eq!(found.sentences[0].counts[0], Counts { matched: 1, gold: 4, predicted: 3 });
        assert_eq!(found.sentences[1].counts[0], Counts { matched: 0, gold: 4, predicted: 0 });
        let wrong = wrong_brackets(&predicted, &pairs[0].0);
        // S, NP, DT, the, NN, dog, NNS, barks, NP, RB, now.
        let expected = [false, true, false, false, false, false, true, false, true, false, false];
        assert_eq!(wrong, expected);
    }
}
