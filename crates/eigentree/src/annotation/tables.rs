//! Documents as tables, for spreadsheets, R and pandas: columns separated by tabs, below one line of names.

use std::fmt::Write;

use super::document::Document;
use super::sentence::AnnotatedSentence;

impl Document {
    /// One line per word, below a line of names.
    pub fn to_tsv(&self) -> String {
        let mut text = format!("{WORD_COLUMNS}\n");
        for (number, sentence) in (1_usize..).zip(self.sentences()) {
            sentence.write_tsv(&number.to_string(), &mut text);
        }
        text
    }

    /// One line per entity and per phrase, below a line of names.
    pub fn to_spans(&self) -> String {
        let mut text = format!("{SPAN_COLUMNS}\n");
        for (number, sentence) in (1_usize..).zip(self.sentences()) {
            sentence.write_spans(&number.to_string(), &mut text);
        }
        text
    }
}

/// The names of the columns of words.
pub(crate) const WORD_COLUMNS: &str =
    "sentence\tid\tform\tlemma\tupos\txpos\tfeats\thead\tdeprel\tstart_char\tend_char\tentity\tconfidence";
/// The names of the columns of spans.
pub(crate) const SPAN_COLUMNS: &str =
    "sentence\tkind\tlabel\tfirst\tlast\tstart_char\tend_char\ttext\tconfidence";

impl AnnotatedSentence {
    /// Appends one line per word. A sentence without an id has its number.
    pub(crate) fn write_tsv(&self, number: &str, text: &mut String) {
        let id = self.id().unwrap_or(number);
        for word in self.words() {
            let token = word.token();
            let cell = |value: Option<String>| value.unwrap_or_else(|| "_".to_owned());
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "{id}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
                word.id(),
                token.form(),
                token.lemma(),
                token.upos(),
                token.xpos(),
                token.feats(),
                cell(word.head().map(|head| head.to_string())),
                token.deprel(),
                cell(word.start_char().map(|at| at.to_string())),
                cell(word.end_char().map(|at| at.to_string())),
                token.misc_value(crate::pipeline::ENTITY_KEY).unwrap_or("_"),
                cell(word.confidence().map(|confidence| format!("{confidence:.4}"))),
            );
        }
    }

    /// Appends one line per entity, then one per phrase of the tree, from the top.
    pub(crate) fn write_spans(&self, number: &str, text: &mut String) {
        let id = self.id().unwrap_or(number);
        let cell = |value: Option<String>| value.unwrap_or_else(|| "_".to_owned());
        let mut line =
            |kind: &str, label: &str, words: std::ops::Range<usize>, own: &str, confidence: Option<f64>| {
                let places = self.places().get(words.clone()).unwrap_or_default();
                let _ = writeln!(
                    text,
                    "{id}\t{kind}\t{label}\t{}\t{}\t{}\t{}\t{own}\t{}",
                    words.start + 1,
                    words.end,
                    cell(places.first().map(|place| place.start.to_string())),
                    cell(places.last().map(|place| place.end.to_string())),
                    cell(confidence.map(|confidence| format!("{confidence:.4}"))),
                );
            };
        for entity in self.entities() {
            line("entity", entity.label(), entity.words(), entity.text(), entity.confidence());
        }
        for span in self.phrases().into_iter().flat_map(super::PhraseTree::spans) {
            let own = super::places::surface_of(self.sentence(), &span.words);
            line("phrase", span.label, span.words, &own, span.confidence);
        }
    }
}
