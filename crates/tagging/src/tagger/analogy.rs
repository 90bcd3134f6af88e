//! Combinations of labels that no word of the treebank has, by analogy with those that some have.
//!
//! A small treebank lacks many combinations of its own values: it may have the genitive of masculine and the nominative of
//! feminine adjectives, and no feminine genitive. A *change* turns the value of one attribute into another and with it the
//! tag of the other column, as two combinations of the treebank differ:
//!
//! ```text
//! ADJ AAMS1 Case=Nom|Gender=Masc   →  ADJ AAMS2 Case=Gen|Gender=Masc        Case: Nom → Gen, character 5: 1 → 2
//! ADJ AAFS1 Case=Nom|Gender=Fem    →  ADJ AAFS2 Case=Gen|Gender=Fem         by the same change
//! ```
//!
//! A combination is added if several changes, each seen several times with the same part of speech, lead to it. Which words
//! take it is learnt like everything else: its score is the sum over its parts, which other combinations have.

use std::collections::{BTreeMap, BTreeSet};

use super::data::TaggedSentence;

/// A change must be seen between at least this many pairs of combinations.
const LEAST_PAIRS: usize = 2;
/// At least this many changes must lead to a new combination.
const LEAST_WAYS: usize = 2;

/// The labels of a word: part of speech, the other tag, attributes with their values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Analysis<'s> {
    upos: &'s str,
    xpos: String,
    feats: BTreeMap<&'s str, &'s str>,
}

/// How the value of an attribute changes, for words of one part of speech.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Change<'s> {
    upos: &'s str,
    attribute: &'s str,
    from: &'s str,
    to: &'s str,
    tag: TagChange,
}

/// How the other tag changes with it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum TagChange {
    Same,
    Character { at: usize, from: char, to: char },
    Whole { from: String, to: String },
}

impl TagChange {
    fn between(from: &str, to: &str) -> Self {
        if from == to {
            return TagChange::Same;
        }
        if from.chars().count() == to.chars().count() {
            let mut different =
                from.chars().zip(to.chars()).enumerate().filter(|(_, (one, other))| one != other);
            if let (Some((at, (from, to))), None) = (different.next(), different.next()) {
                return TagChange::Character { at, from, to };
            }
        }
        TagChange::Whole { from: from.to_owned(), to: to.to_owned() }
    }

    fn apply(&self, tag: &str) -> Option<String> {
        match self {
            TagChange::Same => Some(tag.to_owned()),
            TagChange::Character { at, from, to } => (tag.chars().nth(*at) == Some(*from)).then(|| {
                tag.chars().enumerate().map(|(place, c)| if place == *at { *to } else { c }).collect()
            }),
            TagChange::Whole { from, to } => (tag == from).then(|| to.clone()),
        }
    }
}

/// Where UPOS, XPOS and FEATS are among the columns. XPOS may be missing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pub(super) upos: usize,
    pub(super) xpos: Option<usize>,
    pub(super) feats: usize,
}

impl Places {
    /// The places among columns of these names, if they have what is needed.
    pub(super) fn of<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Option<Self> {
        let find = |name: &str| names.clone().position(|own| own.eq_ignore_ascii_case(name));
        Some(Self { upos: find("upos")?, xpos: find("xpos"), feats: find("feats")? })
    }

    fn analysis<'s>(&self, labels: &'s [Vec<String>], at: usize) -> Option<Analysis<'s>> {
        let feats = &labels[self.feats][at];
        let pairs = feats.split('|').map(|item| item.split_once('='));
        Some(Analysis {
            upos: &labels[self.upos][at],
            xpos: self.xpos.map_or_else(String::new, |xpos| labels[xpos][at].clone()),
            feats: pairs.collect::<Option<_>>()?,
        })
    }
}

/// At most `most` new combinations of the columns at `places`, in the order of UPOS, XPOS (if there is one) and FEATS.
pub(super) fn combinations(sentences: &[TaggedSentence], places: Places, most: usize) -> Vec<Vec<String>> {
    let mut seen: BTreeSet<Analysis<'_>> = BTreeSet::new();
    for sentence in sentences {
        seen.extend((0..sentence.words.len()).filter_map(|at| places.analysis(&sentence.labels, at)));
    }
    let changes = changes(&seen);
    // How many changes lead to a combination, and how often these are seen in all.
    let mut ways: BTreeMap<Analysis<'_>, (usize, usize)> = BTreeMap::new();
    for one in &seen {
        let own = one.feats.iter().filter_map(|(name, value)| changes.get(&(one.upos, *name, *value)));
        for (change, pairs) in own.flatten() {
            let Some(xpos) = change.tag.apply(&one.xpos) else { continue };
            let mut feats = one.feats.clone();
            feats.insert(change.attribute, change.to);
            let new = Analysis { upos: one.upos, xpos, feats };
            if !seen.contains(&new) {
                let way = ways.entry(new).or_default();
                *way = (way.0 + 1, way.1 + *pairs);
            }
        }
    }
    let mut ranked: Vec<(Analysis<'_>, (usize, usize))> =
        ways.into_iter().filter(|(_, (ways, _))| *ways >= LEAST_WAYS).collect();
    ranked.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    ranked.truncate(most);
    let labels = |(new, _): (Analysis<'_>, _)| {
        let feats: Vec<String> = new.feats.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let xpos = places.xpos.map(|_| new.xpos);
        [Some(new.upos.to_owned()), xpos, Some(feats.join("|"))].into_iter().flatten().collect()
    };
    ranked.into_iter().map(labels).collect()
}

/// Attributes with their values, all but one.
type Others<'s> = Vec<(&'s str, &'s str)>;

/// Changes with the numbers of pairs that they are seen between, by part of speech, attribute and value.
type Changes<'s> = BTreeMap<(&'s str, &'s str, &'s str), Vec<(Change<'s>, usize)>>;

fn changes<'s>(seen: &BTreeSet<Analysis<'s>>) -> Changes<'s> {
    // Combinations that differ in the value of one attribute have the same others.
    let mut alike: BTreeMap<(&'s str, &'s str, Others<'s>), Vec<&Analysis<'s>>> = BTreeMap::new();
    for one in seen {
        for &attribute in one.feats.keys() {
            let others = one.feats.iter().filter(|(name, _)| **name != attribute);
            let others = others.map(|(name, value)| (*name, *value)).collect();
            alike.entry((one.upos, attribute, others)).or_default().push(one);
        }
    }
    let mut counts: BTreeMap<Change<'s>, usize> = BTreeMap::new();
    for ((upos, attribute, _), group) in alike {
        let value = |one: &Analysis<'s>| one.feats.get(attribute).copied().unwrap_or_default();
        for one in &group {
            for other in group.iter().filter(|other| value(other) != value(one)) {
                let (from, to) = (value(one), value(other));
                let tag = TagChange::between(&one.xpos, &other.xpos);
                *counts.entry(Change { upos, attribute, from, to, tag }).or_default() += 1;
            }
        }
    }
    let mut changes: Changes<'s> = BTreeMap::new();
    for (change, pairs) in counts.into_iter().filter(|(_, pairs)| *pairs >= LEAST_PAIRS) {
        changes.entry((change.upos, change.attribute, change.from)).or_default().push((change, pairs));
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(analyses: &[(&str, &str, &str)]) -> TaggedSentence {
        let column = |which: fn(&(&str, &str, &str)) -> String| analyses.iter().map(which).collect();
        TaggedSentence {
            words: vec!["word".to_owned(); analyses.len()],
            labels: vec![
                column(|one| one.0.to_owned()),
                column(|one| one.1.to_owned()),
                column(|one| one.2.to_owned()),
            ],
        }
    }

    const PLACES: Places = Places { upos: 0, xpos: Some(1), feats: 2 };

    #[test]
    fn what_is_missing_in_a_table_of_cases_and_genders_is_found() {
        let mut all = Vec::new();
        for (gender, letter) in [("Fem", 'F'), ("Masc", 'M'), ("Neut", 'N')] {
            for (case, digit) in [("Nom", 1), ("Gen", 2), ("Dat", 3)] {
                all.push((format!("AA{letter}{digit}-"), format!("Case={case}|Gender={gender}")));
            }
        }
        let missing = all.remove(4);
        let rows: Vec<(&str, &str, &str)> =
            all.iter().map(|(xpos, feats)| ("ADJ", xpos.as_str(), feats.as_str())).collect();
        let found = combinations(&[sentence(&rows)], PLACES, 10);
        assert_eq!(found, [vec!["ADJ".to_owned(), missing.0, missing.1]]);
        assert!(combinations(&[sentence(&rows)], PLACES, 0).is_empty());
    }

    #[test]
    fn parts_of_speech_do_not_mix_and_one_example_is_no_pattern() {
        let rows = [
            ("ADJ", "A", "Case=Nom|Gender=Fem"),
            ("ADJ", "A", "Case=Gen|Gender=Fem"),
            ("ADJ", "A", "Case=Nom|Gender=Masc"),
            ("NOUN", "N", "Case=Gen|Gender=Neut"),
            ("PUNCT", "Z", "_"),
        ];
        assert!(combinations(&[sentence(&rows)], PLACES, 10).is_empty());
        assert!(combinations(&[], PLACES, 10).is_empty());
    }
}
