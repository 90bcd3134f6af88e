//! Answers in the forms of the CoreNLP server.

use std::fmt::Write as _;

use eigentree::annotation::{AnnotatedSentence, Document, Word};
use serde_json::{Value, json};

use super::properties::Properties;
use crate::failure::Answer;
use crate::stages::Staged;

/// The tag that CoreNLP calls the part of speech: that of the treebank, else the universal one.
fn pos<'d>(word: &Word<'d>) -> &'d str {
    word.xpos().or_else(|| word.upos()).unwrap_or("_")
}

fn lemma<'d>(word: &Word<'d>) -> &'d str {
    word.lemma().unwrap_or_else(|| word.form())
}

/// The relation; that of the root has its own spelling.
fn relation<'d>(word: &Word<'d>) -> &'d str {
    if word.head() == Some(0) { "ROOT" } else { word.deprel().unwrap_or("dep") }
}

/// The label of the entity that each word belongs to.
fn entity_labels(sentence: &AnnotatedSentence) -> Vec<&str> {
    let mut labels = vec!["O"; sentence.len()];
    for entity in sentence.entities() {
        for label in labels.iter_mut().take(entity.words().end).skip(entity.words().start) {
            *label = entity.label();
        }
    }
    labels
}

/// All sentences as JSON.
pub(super) fn json(staged: &[Staged], text: &str, properties: &Properties) -> Value {
    let chars = Chars::of(text);
    let mut tokens_before = 0;
    let mut sentences = Vec::with_capacity(staged.len());
    for (index, Staged { sentence, tree }) in staged.iter().enumerate() {
        let labels = entity_labels(sentence);
        let tokens: Vec<Value> = sentence
            .words()
            .zip(&labels)
            .map(|(word, ner)| {
                let place = word.chars().unwrap_or(0..0);
                let mut token = json!({
                    "index": word.id(),
                    "word": word.form(),
                    "originalText": chars.slice(place.start, place.end).unwrap_or_else(|| word.form()),
                    "characterOffsetBegin": place.start,
                    "characterOffsetEnd": place.end,
                    "before": chars.blank_before(place.start),
                    "after": chars.blank_after(place.end),
                });
                if properties.has("pos") || properties.has("parse") || properties.has("depparse") {
                    token["pos"] = pos(&word).into();
                }
                if properties.has("lemma") {
                    token["lemma"] = lemma(&word).into();
                }
                if properties.has("ner") {
                    token["ner"] = (*ner).into();
                }
                token
            })
            .collect();
        let mut value = json!({ "index": index });
        // The macro would copy values.
        value["tokens"] = tokens.into();
        if properties.has("ner") {
            let mentions = sentence.entities().into_iter().map(|entity| {
                let place = entity.chars().unwrap_or(0..0);
                json!({
                    "docTokenBegin": tokens_before + entity.words().start,
                    "docTokenEnd": tokens_before + entity.words().end,
                    "tokenBegin": entity.words().start,
                    "tokenEnd": entity.words().end,
                    "text": entity.text(),
                    "characterOffsetBegin": place.start,
                    "characterOffsetEnd": place.end,
                    "ner": entity.label(),
                })
            });
            value["entitymentions"] = mentions.collect();
        }
        if properties.has("depparse") {
            let arcs = dependencies(sentence);
            value["enhancedDependencies"] = arcs.clone();
            value["enhancedPlusPlusDependencies"] = arcs.clone();
            value["basicDependencies"] = arcs;
        }
        if let Some(tree) = tree {
            let shown = tree.to_string();
            value["parse"] =
                if shown.starts_with("(ROOT ") { shown } else { format!("(ROOT {shown})") }.into();
        }
        tokens_before += sentence.len();
        sentences.push(value);
    }
    let mut value = json!({});
    value["sentences"] = sentences.into();
    value
}

/// The arcs, that of the root first.
fn dependencies(sentence: &AnnotatedSentence) -> Value {
    let mut arcs: Vec<(bool, Value)> = Vec::with_capacity(sentence.len());
    for word in sentence.words() {
        let Some(head) = word.head() else { continue };
        let governor = head.checked_sub(1).and_then(|index| sentence.word(index));
        let arc = json!({
            "dep": relation(&word),
            "governor": head,
            "governorGloss": governor.map_or("ROOT", |word| word.form()),
            "dependent": word.id(),
            "dependentGloss": word.form(),
        });
        arcs.push((head != 0, arc));
    }
    arcs.sort_by_key(|(inner, _)| *inner);
    arcs.into_iter().map(|(_, arc)| arc).collect()
}

/// Seven columns: number, word, lemma, tag, entity, head, relation.
pub(super) fn conll(staged: &[Staged]) -> String {
    let mut text = String::new();
    for Staged { sentence, .. } in staged {
        for (word, ner) in sentence.words().zip(entity_labels(sentence)) {
            let head = word.head().map_or_else(|| "_".to_owned(), |head| head.to_string());
            let (id, form, lemma, pos) = (word.id(), word.form(), lemma(&word), pos(&word));
            let relation = if word.head().is_some() { relation(&word) } else { "_" };
            let _ = writeln!(text, "{id}\t{form}\t{lemma}\t{pos}\t{ner}\t{head}\t{relation}");
        }
        text.push('\n');
    }
    text
}

/// CoNLL-U.
pub(super) fn conllu(staged: &[Staged]) -> Answer<String> {
    let sentences = staged.iter().map(|staged| staged.sentence.clone()).collect();
    Ok(Document::from_sentences(sentences).to_conllu())
}

/// A text by character numbers.
struct Chars<'t> {
    text: &'t str,
    /// The byte at which each character begins, and the end.
    starts: Vec<usize>,
}

impl<'t> Chars<'t> {
    fn of(text: &'t str) -> Self {
        let starts = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        Self { text, starts }
    }

    fn slice(&self, start: usize, end: usize) -> Option<&'t str> {
        let (start, end) = (*self.starts.get(start)?, *self.starts.get(end)?);
        self.text.get(start..end).filter(|slice| !slice.is_empty())
    }

    /// The white space that ends at a character.
    fn blank_before(&self, at: usize) -> &'t str {
        let before = self.starts.get(at).map_or("", |&at| &self.text[..at]);
        &before[before.trim_end().len()..]
    }

    /// The white space that begins at a character.
    fn blank_after(&self, at: usize) -> &'t str {
        let after = self.starts.get(at).map_or("", |&at| &self.text[at..]);
        &after[..after.len() - after.trim_start().len()]
    }
}
