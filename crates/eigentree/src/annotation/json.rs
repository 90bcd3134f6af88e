//! Documents as JSON.

use corpus::format::conllu::{Column, Token, TokenId};
use serde_json::{Map, Value, json};

use super::document::Document;
use super::sentence::{Alternative, AnnotatedSentence};
use super::word::{Word, pairs};

impl Document {
    /// The document as JSON, from which [`from_json`](Self::from_json) makes an equal one. [JSON
    /// output](https://eigentree.github.io/reference/json.html) in the book lists the fields.
    pub fn to_json(&self) -> Value {
        let mut record = json!({ "text": self.text() });
        // The macro would copy values.
        record["sentences"] = self.sentences().iter().map(AnnotatedSentence::to_json).collect();
        if let Some(name) = self.name() {
            record["name"] = json!(name);
        }
        record
    }

    /// The text of [`to_json`](Self::to_json), made sentence by sentence: values take about 200 times the memory of the words.
    pub fn to_json_text(&self) -> String {
        let mut text = String::from("{");
        if let Some(name) = self.name() {
            text.push_str(&format!("\"name\":{},", json!(name)));
        }
        text.push_str("\"sentences\":[");
        for (number, sentence) in self.sentences().iter().enumerate() {
            if number > 0 {
                text.push(',');
            }
            text.push_str(&sentence.to_json().to_string());
        }
        text.push_str(&format!("],\"text\":{}}}", json!(self.text())));
        text
    }
}

impl AnnotatedSentence {
    /// The sentence as JSON.
    pub fn to_json(&self) -> Value {
        let sentence = self.sentence();
        let chars = self.chars();
        let entity = |entity: &super::Entity<'_>| {
            let (words, chars) = (entity.words(), entity.chars());
            json!({
                "label": entity.label(),
                "first": words.start + 1,
                "last": words.end,
                "start_char": chars.as_ref().map(|chars| chars.start),
                "end_char": chars.map(|chars| chars.end),
                "text": entity.text(),
                "confidence": entity.confidence(),
            })
        };
        let mut record = json!({
            "id": self.id(),
            "text": self.text(),
            "start_char": chars.as_ref().map(|chars| chars.start),
            "end_char": chars.map(|chars| chars.end),
            "comments": sentence.comments().collect::<Vec<_>>(),
        });
        // The macro would copy values.
        record["words"] = self.words().map(|word| word.to_json()).collect();
        record["tokens"] = Value::Array(others(self, |id| matches!(id, TokenId::Range { .. })));
        record["entities"] = self.entities().iter().map(entity).collect();
        let empty = others(self, |id| matches!(id, TokenId::Empty { .. }));
        if !empty.is_empty() {
            record["empty_nodes"] = Value::Array(empty);
        }
        if sentence.line_ending().as_str() == "\r\n" {
            record["line_ending"] = json!("crlf");
        }
        if let Some(phrases) = self.phrases() {
            record["tree"] = json!(phrases.tree().to_string());
            record["outcome"] = json!(if phrases.is_derived() { "parsed" } else { "fallback" });
            record["log_probability"] = json!(phrases.log_probability());
            if !phrases.confidences().is_empty() {
                let span = |span: super::PhraseSpan<'_>| {
                    let words = span.words;
                    json!({ "label": span.label, "start": words.start, "end": words.end, "confidence": span.confidence })
                };
                record["spans"] = phrases.spans().map(span).collect();
            }
        }
        if !self.nbest().is_empty() {
            record["nbest"] = self.nbest().iter().map(|alternative| self.alternative(alternative)).collect();
        }
        record
    }

    /// An annotation of the list: its score, and the columns in which it differs from that of the sentence.
    fn alternative(&self, alternative: &Alternative) -> Value {
        let mut record = json!({ "score": alternative.score });
        if let Some(tree) = &alternative.tree {
            record["tree"] = json!(tree.to_string());
        }
        let own = || self.sentence().words();
        for column in Column::ALL.into_iter().filter(|column| *column != Column::Id) {
            let others = || alternative.sentence.words();
            if own().map(|word| word.column(column)).ne(others().map(|word| word.column(column))) {
                let value = |word: Token<'_>| match column {
                    Column::Head => json!(word.head().map(|head| head.number())),
                    _ => json!(word.column(column)),
                };
                record[column.name().to_ascii_lowercase()] = others().map(value).collect();
            }
        }
        record
    }
}

impl Word<'_> {
    /// The word as JSON.
    pub fn to_json(&self) -> Value {
        let mut record = Map::new();
        record.insert("id".to_owned(), json!(self.id()));
        columns(self.token(), &mut record);
        let chars = self.chars();
        record.insert("start_char".to_owned(), json!(chars.as_ref().map(|chars| chars.start)));
        record.insert("end_char".to_owned(), json!(chars.map(|chars| chars.end)));
        record.insert("confidence".to_owned(), json!(self.confidence()));
        let confidences: Map<String, Value> =
            self.confidences().map(|(name, confidence)| (name.to_owned(), json!(confidence))).collect();
        if !confidences.is_empty() {
            record.insert("confidences".to_owned(), Value::Object(confidences));
        }
        Value::Object(record)
    }
}

/// The columns of a token after its id; `null`, or an empty object, where nothing is given.
fn columns(token: Token<'_>, record: &mut Map<String, Value>) {
    let given = |text: &str| (text != "_").then(|| text.to_owned());
    record.insert("form".to_owned(), json!(token.form()));
    for (name, value) in [
        ("lemma", given(token.lemma())),
        ("upos", given(token.upos())),
        ("xpos", given(token.xpos())),
        ("deprel", given(token.deprel())),
        ("deps", given(token.deps())),
    ] {
        record.insert(name.to_owned(), json!(value));
    }
    record.insert("head".to_owned(), json!(token.head().map(|head| head.number())));
    for (name, text, join) in [
        ("feats", token.feats(), join_feats as fn(&Map<String, Value>) -> String),
        ("misc", token.misc(), join_misc),
    ] {
        let attributes: Map<String, Value> =
            pairs(text).map(|(key, value)| (key.to_owned(), json!(value))).collect();
        if join(&attributes) != text {
            record.insert(format!("{name}_column"), json!(text));
        }
        record.insert(name.to_owned(), Value::Object(attributes));
    }
}

/// Multiword tokens or empty nodes, with what is given of them.
fn others(sentence: &AnnotatedSentence, wanted: impl Fn(TokenId) -> bool) -> Vec<Value> {
    let wanted = sentence.sentence().tokens().filter(|token| wanted(token.id()));
    let record = |token: Token<'_>| {
        let mut record = Map::new();
        columns(token, &mut record);
        record.retain(|_, value| !value.is_null() && !value.as_object().is_some_and(Map::is_empty));
        match token.id() {
            TokenId::Range { first, last } => {
                record.insert("first".to_owned(), json!(first));
                record.insert("last".to_owned(), json!(last));
                if let Some(place) = sentence.places().get(first as usize - 1) {
                    record.insert("start_char".to_owned(), json!(place.start));
                    record.insert("end_char".to_owned(), json!(place.end));
                }
            }
            id => {
                record.insert("id".to_owned(), json!(id.to_string()));
            }
        }
        Value::Object(record)
    };
    wanted.map(record).collect()
}

/// Features in the order of Universal Dependencies: by name, whatever the case.
pub(super) fn join_feats(attributes: &Map<String, Value>) -> String {
    let mut all: Vec<(&String, &Value)> = attributes.iter().collect();
    all.sort_by_key(|(key, _)| key.to_lowercase());
    join(&all)
}

/// Attributes of MISC in the order in which we write them: others, offsets, confidences of columns, entities, the head.
pub(super) fn join_misc(attributes: &Map<String, Value>) -> String {
    let rank = |key: &str| match key {
        "start_char" => 1,
        "end_char" => 2,
        crate::pipeline::ENTITY_KEY => 20,
        crate::pipeline::ENTITY_CONFIDENCE_KEY => 21,
        crate::dependency_parsing::CONFIDENCE_KEY => 22,
        _ => {
            let of_key = |column: &Column| {
                key.strip_suffix("_confidence").is_some_and(|name| column.name().eq_ignore_ascii_case(name))
            };
            Column::ALL.iter().position(of_key).map_or(0, |at| 3 + at)
        }
    };
    let mut all: Vec<(&String, &Value)> = attributes.iter().collect();
    all.sort_by_key(|(key, _)| rank(key));
    join(&all)
}

fn join(attributes: &[(&String, &Value)]) -> String {
    let part = |(key, value): &(&String, &Value)| match value.as_str() {
        Some(value) => format!("{key}={value}"),
        None => (*key).clone(),
    };
    let joined = attributes.iter().map(part).collect::<Vec<_>>().join("|");
    if joined.is_empty() { "_".to_owned() } else { joined }
}
