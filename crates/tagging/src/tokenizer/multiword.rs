//! Tokens that consist of several words.

use std::collections::{BTreeMap, BTreeSet};

use super::config::TokenizerConfig;
use super::contexts::Contexts;
use super::suffixes::Suffixes;

/// Tokens of a treebank with the words that they were split into.
#[derive(Clone, Debug, Default)]
pub(super) struct SeenTokens {
    /// For each form its count as one word, and the counts of its splits.
    forms: BTreeMap<String, Splits>,
}

#[derive(Clone, Debug, Default)]
struct Splits {
    whole: u32,
    /// Words separated by TABs, which forms do not contain.
    split: BTreeMap<String, u32>,
}

impl SeenTokens {
    /// `words` is empty if the token is one word.
    pub(super) fn add(&mut self, form: &str, words: &[&str]) {
        let seen = match self.forms.get_mut(form) {
            Some(seen) => seen,
            None => self.forms.entry(form.to_owned()).or_default(),
        };
        match words.is_empty() {
            true => seen.whole += 1,
            false => *seen.split.entry(words.join("\t")).or_default() += 1,
        }
    }

    /// The words that a form in lower case was split into most often, as it is or else with other letters in capitals.
    pub(super) fn words(&self, lower: &str) -> Option<Vec<String>> {
        let split = |form: &str| self.forms.get(form).and_then(Splits::usual);
        let other = || {
            let same = self.forms.iter().filter(|(form, _)| form.to_lowercase() == lower);
            let words = same.filter_map(|(_, splits)| splits.usual()).next()?;
            Some(words.iter().map(|word| word.to_lowercase()).collect())
        };
        split(lower).or_else(other)
    }
}

impl Splits {
    /// The most frequent words.
    fn usual(&self) -> Option<Vec<String>> {
        let most = self.split.iter().max_by_key(|(words, count)| (**count, std::cmp::Reverse(*words)))?;
        Some(most.0.split('\t').map(str::to_owned).collect())
    }

    /// Whether it is several words more often than one.
    fn mostly(&self) -> bool {
        self.split.values().sum::<u32>() > self.whole
    }
}

/// Splits tokens into words: an inventory of forms, suffixes for the others, and neighbours for those that can be both.
#[derive(Clone, Debug, Default)]
pub struct Multiword {
    /// From a form to its words.
    pub(super) forms: BTreeMap<String, Vec<String>>,
    /// Suffixes that are words of their own (`'s`, `n't`), in lower case; only in older files.
    pub(super) endings: Vec<String>,
    /// How unknown forms are split.
    pub(super) suffixes: Suffixes,
    /// Forms that are one word although their suffix says otherwise.
    pub(super) whole: BTreeSet<String>,
    /// What the words around ambiguous tokens tell.
    pub(super) contexts: Contexts,
}

impl Multiword {
    pub(super) fn of(seen: &SeenTokens, config: &TokenizerConfig) -> Self {
        let mut forms: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (form, splits) in &seen.forms {
            if let Some(words) = splits.usual().filter(|_| splits.mostly()) {
                forms.insert(form.clone(), words);
            }
        }
        let types = seen.forms.keys().map(|form| (form.as_str(), forms.get(form).map(Vec::as_slice)));
        let suffixes = Suffixes::of(types, config.suffix_prior);
        let divided = |form: &&String| !forms.contains_key(*form) && suffixes.words(form).is_some();
        let whole = seen.forms.keys().filter(divided).cloned().collect();
        Self { forms, endings: Vec::new(), suffixes, whole, contexts: Contexts::default() }
    }

    /// The words of a token by itself; `None` if it is one word. A token is looked up as it is, then in lower case, then by
    /// its suffix.
    pub fn words(&self, token: &str) -> Option<Vec<String>> {
        if let Some(words) = self.forms.get(token) {
            return Some(words.clone());
        }
        if self.whole.contains(token) || self.is_empty() {
            return None;
        }
        let lower = token.to_lowercase();
        if let Some(words) = self.forms.get(&lower) {
            return Some(with_case_of(token, words));
        }
        self.suffixes.words(token).or_else(|| self.without_ending(token, &lower))
    }

    /// As older files have it.
    fn without_ending(&self, token: &str, lower: &str) -> Option<Vec<String>> {
        let is_ending = |ending: &&String| lower.len() > ending.len() && lower.ends_with(ending.as_str());
        let ending = self.endings.iter().filter(is_ending).max_by_key(|ending| ending.len())?;
        let letters = ending.chars().count();
        let (at, _) = token.char_indices().rev().nth(letters - 1)?;
        // A capital may have a different length in lower case: then the token stays whole.
        (at > 0 && token[at..].to_lowercase() == *ending)
            .then(|| vec![token[..at].to_owned(), token[at..].to_owned()])
    }

    /// The number of forms.
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// Whether it splits nothing.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty() && self.endings.is_empty() && self.suffixes.is_empty()
    }
}

/// The words in the case of the token: cut out of it if they spell it, otherwise capitalised if it is.
pub(super) fn with_case_of(token: &str, words: &[String]) -> Vec<String> {
    let mut rest = token;
    let mut cut = Vec::with_capacity(words.len());
    for word in words {
        let end = rest.char_indices().nth(word.chars().count()).map_or(rest.len(), |(at, _)| at);
        let (own, after) = rest.split_at(end);
        if own.to_lowercase() != word.to_lowercase() {
            break;
        }
        cut.push(own.to_owned());
        rest = after;
    }
    if cut.len() == words.len() && rest.is_empty() {
        return cut;
    }
    let mut words = words.to_vec();
    if token.chars().next().is_some_and(char::is_uppercase)
        && let Some(first) = words.first_mut()
    {
        let mut letters = first.chars();
        let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        *first = capital + letters.as_str();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_endings_and_case() {
        let mut seen = SeenTokens::default();
        for name in ["John's", "dog's", "cat's", "Mary's"] {
            let (stem, ending) = name.split_at(name.len() - 2);
            seen.add(name, &[stem, ending]);
        }
        seen.add("du", &["de", "le"]);
        seen.add("McDonald's", &[]);
        seen.add("des", &[]);
        seen.add("des", &[]);
        seen.add("des", &["de", "les"]);
        let multiword =
            Multiword::of(&seen, &TokenizerConfig { suffix_prior: 1.0, ..TokenizerConfig::default() });
        let words = |token: &str| multiword.words(token).map(|words| words.join(" "));
        assert_eq!(words("du").as_deref(), Some("de le"));
        assert_eq!(words("Du").as_deref(), Some("De le"));
        assert_eq!(words("DOG'S").as_deref(), Some("DOG 'S"));
        assert_eq!(words("İstanbul's").as_deref(), Some("İstanbul 's"));
        assert_eq!(words("McDonald's"), None);
        assert_eq!(words("des"), None);
        assert_eq!(words("'s"), None);
    }
}
