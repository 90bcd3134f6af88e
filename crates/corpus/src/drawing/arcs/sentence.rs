//! What a drawing shows of a sentence.

use unicode_width::UnicodeWidthStr;

use crate::dependency::Head;
use crate::format::conllu::Sentence;

/// The MISC key of the confidence in a head and its relation.
const CONFIDENCE_KEY: &str = "Confidence";

/// Emphasis of an arc.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mark {
    /// None.
    #[default]
    Plain,
    /// The relation differs from that of the other analysis.
    OtherRelation,
    /// The head differs from that of the other analysis.
    OtherHead,
}

/// A word with the arc from its head.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ArcWord {
    /// The word.
    pub form: String,
    /// Its tag; empty if there is none.
    pub tag: String,
    /// Its head; `None` draws no arc.
    pub head: Option<Head>,
    /// The relation to its head.
    pub relation: String,
    /// Confidence in the arc, from 0 to 1.
    pub confidence: Option<f64>,
    /// Emphasis of the arc.
    pub mark: Mark,
}

impl ArcWord {
    /// The text on the arc: the relation, with the confidence if there is one.
    pub(super) fn label(&self) -> String {
        match self.confidence {
            None => self.relation.clone(),
            Some(confidence) => format!("{} {confidence:.2}", self.relation),
        }
    }

    /// Index of the head word, unless it is the root or there is none.
    pub(super) fn head_index(&self) -> Option<usize> {
        self.head.and_then(Head::index)
    }
}

/// Words with arcs. Any heads can be drawn, also those that form no tree.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ArcSentence {
    words: Vec<ArcWord>,
}

impl ArcSentence {
    /// A sentence of these words. Heads outside it are removed.
    pub fn new(mut words: Vec<ArcWord>) -> Self {
        let count = words.len();
        for (index, word) in words.iter_mut().enumerate() {
            let drawable = |head: &Head| head.number() <= count && head.index() != Some(index);
            word.head = word.head.filter(drawable);
        }
        Self { words }
    }

    /// The basic tree of a sentence in CoNLL-U, with UPOS (else XPOS) as tags and `Confidence` of MISC.
    pub fn of_sentence(sentence: &Sentence) -> Self {
        let given = |column: &str| column != "_";
        let words = sentence.words().map(|word| ArcWord {
            form: word.form().to_owned(),
            tag: [word.upos(), word.xpos()].into_iter().find(|tag| given(tag)).unwrap_or("").to_owned(),
            head: word.head(),
            relation: Some(word.deprel()).filter(|relation| given(relation)).unwrap_or("").to_owned(),
            confidence: word.misc_value(CONFIDENCE_KEY).and_then(|value| value.parse().ok()).filter(
                // NaN is in no range.
                |confidence| (0.0..=1.0).contains(confidence),
            ),
            mark: Mark::Plain,
        });
        Self::new(words.collect())
    }

    /// This sentence, with arcs marked that differ from those of `other`, which must have the same words.
    pub fn marked_against(mut self, other: &Self) -> Self {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            word.mark = match (word.head == other.head, word.relation == other.relation) {
                (false, _) => Mark::OtherHead,
                (true, false) => Mark::OtherRelation,
                (true, true) => Mark::Plain,
            };
        }
        self
    }

    /// The words.
    pub fn words(&self) -> &[ArcWord] {
        &self.words
    }

    /// Whether the words run from right to left: more of them begin with a letter of such a script than not.
    pub(super) fn is_right_to_left(&self) -> bool {
        let mut balance = 0i64;
        for word in &self.words {
            match word.form.chars().find(|c| c.is_alphabetic()) {
                Some(c) if is_right_to_left(c) => balance += 1,
                Some(_) => balance -= 1,
                None => {}
            }
        }
        balance > 0
    }

    /// Widest text of a column of the drawing, in terminal columns.
    pub(super) fn widest(&self, text: impl Fn(&ArcWord) -> &str) -> usize {
        self.words.iter().map(|word| text(word).width()).max().unwrap_or(0)
    }
}

/// Whether a letter belongs to a right-to-left script: Hebrew, Arabic, Syriac, Thaana, N'Ko, Samaritan, Mandaic, their
/// presentation forms, and the right-to-left area of the supplementary plane.
fn is_right_to_left(c: char) -> bool {
    matches!(u32::from(c), 0x590..=0x8ff | 0xfb1d..=0xfdff | 0xfe70..=0xfeff | 0x10800..=0x10fff | 0x1e800..=0x1efff)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(form: &str, head: usize) -> ArcWord {
        ArcWord { form: form.to_owned(), head: Head::from_number(head), ..ArcWord::default() }
    }

    #[test]
    fn impossible_heads_are_removed() {
        let sentence = ArcSentence::new(vec![word("a", 1), word("b", 9), word("c", 2), word("d", 0)]);
        let heads: Vec<Option<usize>> =
            sentence.words().iter().map(|word| word.head.map(Head::number)).collect();
        assert_eq!(heads, [None, None, Some(2), Some(0)]);
    }

    #[test]
    fn direction_is_that_of_most_words() {
        let of = |forms: &[&str]| ArcSentence::new(forms.iter().map(|form| word(form, 0)).collect());
        assert!(of(&["كىتاب", "ئوقۇدى", "UNESCO", "."]).is_right_to_left());
        assert!(of(&["שלום"]).is_right_to_left());
        assert!(!of(&["東京", "は"]).is_right_to_left());
        assert!(!of(&["the", "word", "كىتاب"]).is_right_to_left());
        assert!(!of(&["1", "."]).is_right_to_left());
    }
}
