//! How tokens that the treebank does not have are split: by the longest suffix that says something.
//!
//! For every suffix `e` of a token that is split in the treebank, types (not occurrences: unknown words are rare ones) tell how often
//! tokens with it are split, smoothed by the suffix that is shorter by one character (I. Witten and T. Bell 1991),
//!
//! ```text
//! p(split | e) = (split(e) + λ p(split | e without its first character)) / (types(e) + λ)
//! ```
//!
//! Turkish `-ki` is a word of its own in `parktaki` and not in `belki`; `-taki` tells. The most frequent rule among the tokens with `e` says
//! how: the end of the token is replaced, and further words follow. Suffixes that decide as the next shorter one does are not kept.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::multiword::with_case_of;

/// The longest suffix, in characters.
const LONGEST: usize = 8;

/// What becomes of the end of a token.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(super) struct Rule {
    /// Number of characters that go.
    cut: usize,
    /// What the first word has instead.
    ending: String,
    /// The other words.
    words: Vec<String>,
}

impl Rule {
    /// What makes these words of the form; the first word must begin as the form does.
    fn of(form: &str, words: &[String]) -> Option<Self> {
        let (first, rest) = words.split_first()?;
        let shared = form.chars().zip(first.chars()).take_while(|(one, other)| one == other).count();
        (shared > 0 && !rest.is_empty()).then(|| Self {
            cut: form.chars().count() - shared,
            ending: first.chars().skip(shared).collect(),
            words: rest.to_vec(),
        })
    }

    /// The words of a token; `None` if nothing of it would be left.
    fn apply(&self, token: &str) -> Option<Vec<String>> {
        let stem = token.chars().count().checked_sub(self.cut).filter(|&stem| stem > 0)?;
        let first = token.chars().take(stem).chain(self.ending.chars()).collect();
        let words: Vec<String> = std::iter::once(first).chain(self.words.iter().cloned()).collect();
        // `DOG'S` has `'S`, though the rule says `'s`.
        let spelt = words.concat().to_lowercase() == token.to_lowercase();
        Some(if spelt { with_case_of(token, &words) } else { words })
    }

    /// Whether it makes words of anything.
    pub(super) fn is_sound(&self) -> bool {
        !self.words.is_empty() && self.words.iter().all(|word| !word.is_empty())
    }
}

/// Suffixes in lower case, and what they decide.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Suffixes {
    pub(super) rules: Vec<Rule>,
    /// The number of a rule, or none for tokens that stay whole. Tokens with none of these suffixes stay whole.
    pub(super) decisions: BTreeMap<String, Option<usize>>,
}

/// What is known of a suffix.
#[derive(Default)]
struct Evidence<'r> {
    types: u32,
    rules: BTreeMap<&'r Rule, u32>,
}

/// What follows from it.
#[derive(Clone, Copy, Default)]
struct Found<'r> {
    /// p(split | e).
    share: f64,
    /// How tokens are split if they are.
    rule: Option<&'r Rule>,
    /// That rule if they are.
    decision: Option<&'r Rule>,
}

impl Suffixes {
    /// From the forms of a treebank, each with its words if it is split. `prior` is λ.
    pub(super) fn of<'t>(
        types: impl Iterator<Item = (&'t str, Option<&'t [String]>)> + Clone,
        prior: f64,
    ) -> Self {
        let ruled: Vec<(&str, Option<Rule>)> =
            types.map(|(form, words)| (form, words.and_then(|words| Rule::of(form, words)))).collect();
        let of_split: BTreeSet<String> =
            ruled.iter().filter(|(_, rule)| rule.is_some()).flat_map(|(form, _)| suffixes(form)).collect();
        let mut evidence: HashMap<String, Evidence<'_>> = HashMap::new();
        for (form, rule) in &ruled {
            let mut shorter_counts = true;
            for suffix in std::iter::once(String::new()).chain(suffixes(form)) {
                // One character more than a suffix of split tokens: what speaks against splitting.
                if !shorter_counts {
                    break;
                }
                shorter_counts = suffix.is_empty() || of_split.contains(&suffix);
                let own = evidence.entry(suffix).or_default();
                own.types += 1;
                if let Some(rule) = rule {
                    *own.rules.entry(rule).or_default() += 1;
                }
            }
        }
        let mut order: Vec<(&String, &Evidence<'_>)> = evidence.iter().collect();
        order.sort_unstable_by_key(|(suffix, _)| (suffix.chars().count(), *suffix));
        let mut found: HashMap<&str, Found<'_>> = HashMap::new();
        let mut suffixes = Self::default();
        let mut numbers: BTreeMap<&Rule, usize> = BTreeMap::new();
        for (suffix, own) in order {
            let before = shorter(suffix).and_then(|shorter| found.get(shorter).copied()).unwrap_or_default();
            let split: u32 = own.rules.values().sum();
            let share = (f64::from(split) + prior * before.share) / (f64::from(own.types) + prior);
            let most = own.rules.iter().max_by_key(|(rule, count)| (**count, std::cmp::Reverse(**rule)));
            let rule = most.map(|(rule, _)| *rule).or(before.rule);
            // A token without any of the suffixes stays whole.
            let decision = rule.filter(|_| share > 0.5 && !suffix.is_empty());
            found.insert(suffix, Found { share, rule, decision });
            if decision != before.decision {
                let number = decision.map(|rule| {
                    let next = numbers.len();
                    *numbers.entry(rule).or_insert_with(|| {
                        suffixes.rules.push(rule.clone());
                        next
                    })
                });
                suffixes.decisions.insert(suffix.clone(), number);
            }
        }
        suffixes
    }

    /// The words of a token; `None` if it stays whole.
    pub(super) fn words(&self, token: &str) -> Option<Vec<String>> {
        if self.decisions.is_empty() {
            return None;
        }
        let decided = suffixes(token).filter_map(|suffix| self.decisions.get(&suffix)).last();
        self.rules[(*decided?)?].apply(token)
    }

    /// Whether everything stays whole.
    pub(super) fn is_empty(&self) -> bool {
        self.decisions.is_empty()
    }

    /// Whether all decisions are rules, and all rules make words.
    pub(super) fn is_sound(&self) -> bool {
        self.rules.iter().all(Rule::is_sound)
            && self.decisions.values().flatten().all(|&number| number < self.rules.len())
    }
}

/// The suffixes of a form in lower case, shortest first.
fn suffixes(form: &str) -> impl Iterator<Item = String> + '_ {
    form.char_indices().rev().take(LONGEST).map(|(at, _)| form[at..].to_lowercase())
}

/// A suffix without its first character.
fn shorter(suffix: &str) -> Option<&str> {
    let mut letters = suffix.chars();
    letters.next().map(|_| letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learnt(split: &[(&str, &str)], whole: &[&str]) -> Suffixes {
        let words: Vec<(&str, Vec<String>)> = split
            .iter()
            .map(|(form, words)| (*form, words.split(' ').map(str::to_owned).collect()))
            .collect();
        let types = words.iter().map(|(form, words)| (*form, Some(&words[..])));
        Suffixes::of(types.chain(whole.iter().map(|form| (*form, None))), 1.0)
    }

    #[test]
    fn the_longest_suffix_decides() {
        let suffixes = learnt(
            &[
                ("parktaki", "parkta ki"),
                ("sokaktaki", "sokakta ki"),
                ("evdeki", "evde ki"),
                ("odadaki", "odada ki"),
            ],
            &["belki", "tepki", "etki", "yetki", "sanki", "kedi", "araba", "okul"],
        );
        let words = |token: &str| suffixes.words(token).map(|words| words.join(" "));
        assert_eq!(words("Mutfaktaki").as_deref(), Some("Mutfakta ki"));
        assert_eq!(words("BAHÇEDEKİ"), None, "the lower case of İ is not i");
        assert_eq!(words("BAHÇEDEKI").as_deref(), Some("BAHÇEDE KI"));
        assert_eq!(words("tilki"), None);
        assert_eq!(words("ki"), None);
        assert_eq!(words(""), None);
        assert!(suffixes.is_sound());
    }

    #[test]
    fn ends_may_change() {
        let suffixes = learnt(
            &[("fazê-lo", "fazer lo"), ("vendê-lo", "vender lo"), ("perdê-lo", "perder lo")],
            &["casa", "dia", "bolo"],
        );
        assert_eq!(suffixes.words("bebê-lo"), Some(vec!["beber".to_owned(), "lo".to_owned()]));
        assert_eq!(suffixes.words("ê-lo"), None, "nothing would be left");
    }

    #[test]
    fn where_nothing_is_split_nothing_is_kept() {
        assert!(learnt(&[], &["belki", "tepki"]).is_empty());
    }
}
