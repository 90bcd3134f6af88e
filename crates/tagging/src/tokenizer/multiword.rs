//! Tokens that consist of several words.

use std::collections::BTreeMap;

use super::config::TokenizerConfig;

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
}

/// Splits tokens into words: an inventory of forms, and of suffixes that are words of their own (`'s`, `n't`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Multiword {
    /// From a form to its words.
    pub(super) forms: BTreeMap<String, Vec<String>>,
    /// In lower case.
    pub(super) endings: Vec<String>,
    /// Forms that are one word although they have such a suffix.
    pub(super) whole: std::collections::BTreeSet<String>,
}

impl Multiword {
    pub(super) fn of(seen: &SeenTokens, config: &TokenizerConfig) -> Self {
        let mut forms = BTreeMap::new();
        // For each suffix, its count as a separate word.
        let mut endings: BTreeMap<String, u32> = BTreeMap::new();
        for (form, splits) in &seen.forms {
            let Some((words, &count)) =
                splits.split.iter().max_by_key(|(words, count)| (**count, std::cmp::Reverse(*words)))
            else {
                continue;
            };
            let words: Vec<String> = words.split('\t').map(str::to_owned).collect();
            if let [first, last] = &words[..]
                && *form == format!("{first}{last}")
            {
                *endings.entry(last.to_lowercase()).or_default() += count;
            }
            if splits.split.values().sum::<u32>() > splits.whole {
                forms.insert(form.clone(), words);
            }
        }
        endings.retain(|_, count| *count >= config.ending_count);
        let mut bearers: BTreeMap<&str, u32> = BTreeMap::new();
        for (form, splits) in &seen.forms {
            let lower = form.to_lowercase();
            for (ending, _) in endings.iter().filter(|(ending, _)| is_ending(&lower, ending)) {
                *bearers.entry(ending).or_default() += splits.whole + splits.split.values().sum::<u32>();
            }
        }
        let usual = |(ending, count): &(&String, &u32)| {
            let all = bearers.get(ending.as_str()).copied().unwrap_or(0);
            f64::from(**count) >= config.ending_share * f64::from(all)
        };
        let endings: Vec<String> = endings.iter().filter(usual).map(|(ending, _)| ending.clone()).collect();
        let whole = seen
            .forms
            .iter()
            .filter(|(form, splits)| {
                let lower = form.to_lowercase();
                splits.whole >= splits.split.values().sum::<u32>()
                    && endings.iter().any(|ending| is_ending(&lower, ending))
            })
            .map(|(form, _)| form.clone())
            .collect();
        Self { forms, endings, whole }
    }

    /// The words of a token; `None` if it is one word. A token is looked up as it is, then in lower case, then by its
    /// suffix.
    pub fn words(&self, token: &str) -> Option<Vec<String>> {
        if let Some(words) = self.forms.get(token) {
            return Some(words.clone());
        }
        if self.whole.contains(token) || (self.forms.is_empty() && self.endings.is_empty()) {
            return None;
        }
        let lower = token.to_lowercase();
        if let Some(words) = self.forms.get(&lower) {
            return Some(with_case_of(token, words));
        }
        let ending = self
            .endings
            .iter()
            .filter(|ending| is_ending(&lower, ending))
            .max_by_key(|ending| ending.len())?;
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
        self.forms.is_empty() && self.endings.is_empty()
    }
}

fn is_ending(lower: &str, ending: &str) -> bool {
    lower.len() > ending.len() && lower.ends_with(ending)
}

/// The words in the case of the token: cut out of it if they spell it, otherwise capitalised if it is.
fn with_case_of(token: &str, words: &[String]) -> Vec<String> {
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
            Multiword::of(&seen, &TokenizerConfig { ending_share: 0.7, ..TokenizerConfig::default() });
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
