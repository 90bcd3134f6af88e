//! A text with its annotation.

use corpus::format::conllu::{Sentence, SentenceError};

use super::entity::Entity;
use super::places;
use super::sentence::AnnotatedSentence;
use super::word::Word;
use crate::Error;

/// A text and its annotated sentences.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Document {
    text: String,
    sentences: Vec<AnnotatedSentence>,
}

impl Document {
    /// A text whose sentences know their places in it.
    pub(super) fn new(text: String, sentences: Vec<AnnotatedSentence>) -> Self {
        Self { text, sentences }
    }

    /// A document of some sentences. If all have offsets in MISC, these say where they stand, and the text is white space
    /// elsewhere; if not, the text is that of the sentences, one after the other.
    pub fn from_sentences(sentences: Vec<AnnotatedSentence>) -> Self {
        placed(&sentences)
            .map_or_else(|| written(&sentences), |text| Self { text, sentences: sentences.clone() })
    }

    /// The text. Offsets count its characters.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The name of the document: the id in the comment `# newdoc id` of its first sentence.
    pub fn name(&self) -> Option<&str> {
        self.sentences.first()?.sentence().comment_value("newdoc id")
    }

    /// The document with another name, which [`name`](Self::name) returns. A name is one line, so other white space becomes
    /// spaces; a document without sentences has no place for it.
    pub fn with_name(mut self, name: &str) -> Self {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(first) = self.sentences.first_mut() {
            // A line that begins with `#` is always a comment.
            let _ = first.try_for_each_sentence(|sentence| -> Result<(), SentenceError> {
                sentence.retain_comments(|comment| !is_newdoc(comment));
                sentence.insert_comment(0, &format!("# newdoc id = {name}"))
            });
        }
        self
    }

    /// The sentences, in the order of the text.
    pub fn sentences(&self) -> &[AnnotatedSentence] {
        &self.sentences
    }

    /// All words.
    pub fn words(&self) -> impl Iterator<Item = Word<'_>> {
        self.sentences.iter().flat_map(AnnotatedSentence::words)
    }

    /// All entities.
    pub fn entities(&self) -> impl Iterator<Item = Entity<'_>> {
        self.sentences.iter().flat_map(AnnotatedSentence::entities)
    }
}

/// Whether a comment begins a document.
pub(super) fn is_newdoc(comment: &str) -> bool {
    begins(comment, "newdoc")
}

/// Whether a comment begins a document or a paragraph.
pub(super) fn is_opening(comment: &str) -> bool {
    is_newdoc(comment) || begins(comment, "newpar")
}

/// Whether a sentence begins a paragraph or a document.
pub(crate) fn begins_paragraph(sentence: &Sentence) -> bool {
    sentence.comments().any(is_opening)
}

fn begins(comment: &str, word: &str) -> bool {
    let Some(rest) = comment.strip_prefix('#').and_then(|rest| rest.trim_start().strip_prefix(word)) else {
        return false;
    };
    rest.chars().next().is_none_or(char::is_whitespace)
}

/// The text of sentences whose places are known and in order: white space where no token stands.
fn placed(sentences: &[AnnotatedSentence]) -> Option<String> {
    let mut text = String::new();
    let mut at = 0;
    for sentence in sentences {
        let places = sentence.places();
        if places.len() != sentence.len() {
            return None;
        }
        let paragraph = begins_paragraph(sentence.sentence());
        for (number, (token, words)) in places::surface_tokens(sentence.sentence()).enumerate() {
            let place = places.get(words.start)?;
            let length = place.end.checked_sub(place.start)?;
            if place.start < at || length > 4 * token.form().len() + 64 {
                return None;
            }
            let gap = place.start - at;
            // Offsets come from files: a gap that no text has must not become memory.
            if gap > (1 << 20) {
                return None;
            }
            let blank = if number == 0 && paragraph && !text.is_empty() { '\n' } else { ' ' };
            text.extend(std::iter::repeat_n(blank, gap));
            text.extend(token.form().chars().chain(std::iter::repeat(' ')).take(length));
            at = place.end;
        }
    }
    Some(text)
}

/// A document whose text is that of the sentences: one per line, or with empty lines between paragraphs if there are any.
fn written(sentences: &[AnnotatedSentence]) -> Document {
    let paragraphs = sentences.iter().any(|sentence| begins_paragraph(sentence.sentence()));
    let mut text = String::new();
    let mut chars = 0;
    let mut all = Vec::with_capacity(sentences.len());
    for sentence in sentences {
        let own = sentence.sentence();
        if !text.is_empty() {
            let between = match (paragraphs, begins_paragraph(own)) {
                (false, _) => "\n",
                (true, true) => "\n\n",
                (true, false) => " ",
            };
            text.push_str(between);
            chars += between.len();
        }
        let surface = places::surface(own);
        all.push(sentence.clone().with_places(places::laid_out(own, chars)));
        chars += surface.chars().count();
        text.push_str(&surface);
    }
    Document { text, sentences: all }
}

/// The error of a sentence that cannot be made.
pub(super) fn unmade(error: &SentenceError) -> Error {
    Error::Data(format!("a sentence cannot be annotated: {error}"))
}
