//! Properties of a single word that features use, independent of its context.

use corpus::rare_words::letter_pattern;

use super::hash::Key;

/// Length of the longest suffix used by features, in characters.
pub const ENDINGS: usize = 5;
/// Length of the longest prefix used by features, in characters.
pub const BEGINNINGS: usize = 3;

/// Hashes of the parts of a word; 0 for a missing part.
#[derive(Clone, Copy, Debug, Default)]
pub struct WordFacts {
    /// The word form.
    pub word: u64,
    /// The word in lower case.
    pub lower: u64,
    /// Suffixes of 1, 2, … characters, in lower case.
    pub endings: [u64; ENDINGS],
    /// Prefixes of 1, 2, … characters, in lower case.
    pub beginnings: [u64; BEGINNINGS],
    /// Pattern of its letters.
    pub shape: u64,
    /// Ambiguity class of the word (its set of tags), or its suffix and shape if it is rare.
    pub class: u64,
    /// Class of the lower-case form, if that is a different word.
    pub lower_class: u64,
    /// A suffix, combined with the class of the known word that remains without it.
    pub stem: u64,
    /// Class of the part after the last hyphen.
    pub part: u64,
    /// Case of its letters.
    pub case: Case,
}

/// Case of the letters of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Case {
    /// No letter has case.
    #[default]
    None,
    /// At least one letter is lower case.
    Lower,
    /// All letters are upper case.
    Upper,
}

/// Names ambiguity classes, which are sets of tags.
pub const CLASSES: ClassNames = ClassNames;

/// See [`CLASSES`].
pub struct ClassNames;

impl ClassNames {
    /// The class of words with these tags, given in ascending order.
    pub fn of(&self, tags: impl IntoIterator<Item = usize>) -> u64 {
        tags.into_iter().fold(Key::of(9), |key, tag| key.with(tag as u64 + 1)).value()
    }
}

impl WordFacts {
    /// Computes the facts. `class` returns the ambiguity class of words that are frequent enough to have one.
    pub fn of(word: &str, class: impl Fn(&str) -> Option<u64>) -> Self {
        let lower: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
        let n = lower.len();
        let mut facts = WordFacts {
            word: Key::of(1).chars(word.chars()).value(),
            lower: Key::of(2).chars(lower.iter().copied()).value(),
            shape: Key::of(3).chars(letter_pattern(word)).value(),
            ..WordFacts::default()
        };
        let mut ending = Key::of(4);
        for (value, &c) in facts.endings.iter_mut().zip(lower.iter().rev()) {
            ending = ending.with(u64::from(c));
            *value = ending.value();
        }
        let mut beginning = Key::of(5);
        for (value, &c) in facts.beginnings.iter_mut().zip(&lower) {
            beginning = beginning.with(u64::from(c));
            *value = beginning.value();
        }
        for c in word.chars() {
            if c.is_lowercase() {
                facts.case = Case::Lower;
            } else if c.is_uppercase() && facts.case == Case::None {
                facts.case = Case::Upper;
            }
        }
        let ending = facts.endings[n.clamp(1, 2) - 1];
        facts.class = class(word).unwrap_or_else(|| Key::of(6).with(ending).with(facts.shape).value());
        let lower_text: String = lower.iter().collect();
        if lower_text != word {
            facts.lower_class = class(&lower_text).unwrap_or(0);
        }
        facts.stem = stem(&lower, &facts.endings, &class).unwrap_or(0);
        if let Some((_, part)) = lower_text.rsplit_once(['-', '–', '—', '_', '/']) {
            facts.part = class(part).unwrap_or(0);
        }
        facts
    }

    /// The word with a given tag: its class becomes that of words with only this tag.
    pub fn with_class(self, class: u64) -> Self {
        Self { class, ..self }
    }
}

/// The longest known stem of at least three letters before a suffix of at most three.
fn stem(lower: &[char], endings: &[u64; ENDINGS], class: &impl Fn(&str) -> Option<u64>) -> Option<u64> {
    (1..=3).filter(|&length| lower.len() >= length + 3).find_map(|length| {
        let stem: String = lower[..lower.len() - length].iter().collect();
        Some(Key::of(7).with(endings[length - 1]).with(class(&stem)?).value())
    })
}
