//! Tokens that are one word here and several words there, as the words around them tell: French `des` is `de les` or an article.
//!
//! ```text
//! q(y | x, i) = exp Σ_f∈F(x,i) θ(f, y) / Σ_y' exp Σ_f∈F(x,i) θ(f, y')          y ∈ {one word, several}
//! ```
//!
//! The features are the token with each of: the token after it and its last two and three characters, the token before it and
//! its last three, the one before that, and whether it begins with a capital.

use std::collections::BTreeMap;

use super::config::TokenizerConfig;
use super::descent::descend;
use super::multiword::{Multiword, with_case_of};
use models::learn::{LearnError, Progress};
use models::log_linear::{Cases, Key, Namer, SparseWeights};

/// One word, or several.
pub(super) const OUTCOMES: usize = 2;
const SEVERAL: usize = 1;
/// A form must be seen so often as one word and so often as several.
const LEAST: usize = 3;
/// Name space of features, distinct from those of characters and of taggers.
const KIND: u64 = 4 << 32;

/// The tokens around a token in its sentence; empty beyond its ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Neighbours<'t> {
    /// The tokens before it, the nearest first.
    pub before: [&'t str; 2],
    /// The token after it.
    pub after: &'t str,
}

impl<'t> Neighbours<'t> {
    /// Those of the token at `at`, given the forms of the sentence.
    pub fn at(at: usize, form: impl Fn(usize) -> Option<&'t str>) -> Self {
        let back = |steps| at.checked_sub(steps).and_then(&form).unwrap_or_default();
        Self { before: [back(1), back(2)], after: form(at + 1).unwrap_or_default() }
    }
}

/// The tokens of a sentence of the treebank, each with the number of its words.
pub(super) type Sequence = Vec<(String, usize)>;

/// Ambiguous tokens, and what tells what they are.
#[derive(Clone, Debug, Default)]
pub(super) struct Contexts {
    /// Forms in lower case, and their words if they are several.
    pub(super) words: BTreeMap<String, Vec<String>>,
    pub(super) weights: SparseWeights,
}

impl Contexts {
    /// Learns from the sentences of a treebank. `words_of` gives the words of a form in lower case where it is several.
    pub(super) fn learn(
        sequences: &[Sequence],
        words_of: impl Fn(&str) -> Option<Vec<String>>,
        config: &TokenizerConfig,
        progress: &mut Progress<'_>,
    ) -> Result<Self, LearnError> {
        let mut counts: BTreeMap<String, [usize; OUTCOMES]> = BTreeMap::new();
        for (form, words) in sequences.iter().flatten() {
            counts.entry(form.to_lowercase()).or_default()[usize::from(*words > 1)] += 1;
        }
        counts.retain(|_, counts| counts.iter().all(|&count| count >= LEAST));
        let words: BTreeMap<String, Vec<String>> =
            counts.into_keys().filter_map(|form| words_of(&form).map(|words| (form, words))).collect();
        let mut cases = Cases::default();
        for sequence in sequences {
            let form = |at: usize| sequence.get(at).map(|(form, _)| form.as_str());
            for (at, (token, count)) in sequence.iter().enumerate() {
                let lower = token.to_lowercase();
                if words.contains_key(&lower) {
                    let label = u16::from(*count > 1);
                    cases.push(label, |feature| features(token, &lower, Neighbours::at(at, form), feature));
                }
            }
        }
        if cases.is_empty() {
            return Ok(Self::default());
        }
        let (mut rows, named) = cases.number(1, OUTCOMES);
        let passes = descend::<OUTCOMES>(&cases, config, &mut rows, progress)?;
        Ok(Self { words, weights: SparseWeights::round(named.into_iter(), &rows, passes) })
    }

    /// The words of a token that is several words here; none if it is one word.
    pub(super) fn words(&self, token: &str, lower: &str, around: Neighbours<'_>) -> Words {
        let Some(words) = self.words.get(lower) else { return Words::Unambiguous };
        let mut sums = [0; OUTCOMES];
        features(token, lower, around, &mut |name| self.weights.add(name, &mut sums));
        match sums[SEVERAL] > sums[1 - SEVERAL] {
            true => Words::Several(with_case_of(token, words)),
            false => Words::One,
        }
    }
}

/// What a context tells.
pub(super) enum Words {
    /// Nothing: the token is always the same.
    Unambiguous,
    /// It is one word.
    One,
    /// It is these words.
    Several(Vec<String>),
}

fn features(token: &str, lower: &str, around: Neighbours<'_>, feature: &mut dyn FnMut(u32)) {
    let whole = |text: &str| Key::of(1).chars(text.chars().flat_map(char::to_lowercase)).value();
    let end = |text: &str, letters: usize| {
        Key::of(2)
            .with(letters as u64)
            .chars(text.chars().rev().take(letters).flat_map(char::to_lowercase))
            .value()
    };
    let own = whole(lower);
    let capital = Key::of(3).with(u64::from(token.chars().next().is_some_and(char::is_uppercase))).value();
    let mut namer = Namer::new(KIND, feature);
    namer.feature([own]);
    namer.feature([own, whole(around.before[0])]);
    namer.feature([own, end(around.before[0], 3)]);
    namer.feature([own, whole(around.before[1])]);
    namer.feature([own, whole(around.after)]);
    namer.feature([own, end(around.after, 3)]);
    namer.feature([own, end(around.after, 2)]);
    namer.feature([own, capital]);
}

impl Multiword {
    /// The words of a token among others; `None` if it is one word.
    pub fn words_among(&self, token: &str, around: Neighbours<'_>) -> Option<Vec<String>> {
        if !self.contexts.words.is_empty() {
            match self.contexts.words(token, &token.to_lowercase(), around) {
                Words::Unambiguous => {}
                Words::One => return None,
                Words::Several(words) => return Some(words),
            }
        }
        self.words(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::learn::Silent;

    #[test]
    fn the_words_around_tell() {
        let line = |text: &str, split: usize| -> Sequence {
            let several = |word: &str| if word.eq_ignore_ascii_case("des") { split } else { 1 };
            text.split(' ').map(|word| (word.to_owned(), several(word))).collect()
        };
        let mut sequences = Vec::new();
        for noun in ["chats", "chiens", "livres", "arbres"] {
            sequences.push(line(&format!("le prix des {noun}"), 2));
            sequences.push(line(&format!("il a des {noun}"), 1));
        }
        let words_of = |form: &str| (form == "des").then(|| vec!["de".to_owned(), "les".to_owned()]);
        let config = TokenizerConfig::default();
        let mut silent = Silent;
        let mut progress = Progress::new(&mut silent);
        let contexts = Contexts::learn(&sequences, words_of, &config, &mut progress).unwrap();
        let multiword = Multiword { contexts, ..Multiword::default() };
        let words = |before: [&'static str; 2], token: &str| {
            multiword.words_among(token, Neighbours { before, after: "maisons" }).map(|words| words.join(" "))
        };
        assert_eq!(words(["prix", "le"], "des").as_deref(), Some("de les"));
        assert_eq!(words(["prix", "le"], "Des").as_deref(), Some("De les"));
        assert_eq!(words(["a", "il"], "des"), None);
        assert_eq!(words(["a", "il"], "les"), None);
    }
}
