//! Entities of a document.

use std::ops::Range;

use super::places;
use super::sentence::AnnotatedSentence;
use crate::pipeline::{ENTITY_CONFIDENCE_KEY, ENTITY_KEY};

/// A named entity: some words of one sentence with a class.
#[derive(Clone, PartialEq, Debug)]
pub struct Entity<'d> {
    label: &'d str,
    words: Range<usize>,
    chars: Option<Range<usize>>,
    text: String,
    confidence: Option<f64>,
}

impl<'d> Entity<'d> {
    pub(super) fn new(sentence: &'d AnnotatedSentence, words: Range<usize>) -> Option<Self> {
        let first = sentence.sentence().word(words.start)?;
        let label = first.misc_value(ENTITY_KEY)?.split_once('-')?.1;
        let places = sentence.places().get(words.clone()).unwrap_or_default();
        let chars = places.first().zip(places.last()).map(|(first, last)| first.start..last.end);
        let confidence = first.misc_value(ENTITY_CONFIDENCE_KEY).and_then(|value| value.parse().ok());
        let text = places::surface_of(sentence.sentence(), &words);
        Some(Self { label, words, chars, text, confidence })
    }

    /// Its class, such as `PER`.
    pub fn label(&self) -> &'d str {
        self.label
    }

    /// Its words in the sentence, counted from 0.
    pub fn words(&self) -> Range<usize> {
        self.words.clone()
    }

    /// Its characters in the text of the document, if they are known.
    pub fn chars(&self) -> Option<Range<usize>> {
        self.chars.clone()
    }

    /// Its text: the tokens with the spaces between them.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How probable it is, if that was asked for: the probability of the least probable of its labels.
    pub fn confidence(&self) -> Option<f64> {
        self.confidence
    }
}
