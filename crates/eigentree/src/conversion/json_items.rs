//! Sentences from JSON: the documents of annotators, and records of sentences one after the other.

use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use corpus::error::{Position, ReadError, SyntaxError};
use serde_json::de::IoRead;
use serde_json::{Deserializer, StreamDeserializer, Value, json};

use super::item::Item;
use crate::Error;
use crate::annotation::Document;

/// Reads what [`to_json`](Document::to_json) and the formats `json` and `jsonl` of conversions write. A sentence whose words are
/// records becomes one of CoNLL-U, unless it has a tree of phrases and no heads; a tree in brackets becomes a tree.
pub(super) struct JsonItems<R: Read> {
    values: StreamDeserializer<'static, IoRead<CountedLines<BufReader<R>>>, Value>,
    name: String,
    /// Number of line ends read so far.
    lines: Arc<AtomicU64>,
    sentences: std::vec::IntoIter<Value>,
    ended: bool,
}

/// Counts the lines that its reader, which reads one byte at a time, has seen.
struct CountedLines<R> {
    inner: R,
    lines: Arc<AtomicU64>,
}

impl<R: BufRead> Read for CountedLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.inner.read(buffer)?;
        let ends = buffer[..length].iter().filter(|&&byte| byte == b'\n').count();
        self.lines.fetch_add(ends as u64, Ordering::Relaxed);
        Ok(length)
    }
}

impl<R: Read> JsonItems<R> {
    pub(super) fn new(source: R, name: String) -> Self {
        let lines = Arc::new(AtomicU64::new(0));
        let counted = CountedLines { inner: BufReader::new(source), lines: lines.clone() };
        Self {
            values: Deserializer::from_reader(counted).into_iter(),
            name,
            lines,
            sentences: Vec::new().into_iter(),
            ended: false,
        }
    }

    fn syntax(&self, position: Position, found: String) -> ReadError {
        let expected = "the JSON that `convert` and annotators write".to_owned();
        SyntaxError { source_name: self.name.clone(), position, expected, found }.into()
    }

    fn broken(&self, error: serde_json::Error) -> ReadError {
        if error.is_io() {
            let line = error.line() as u64;
            return ReadError::Io { source_name: self.name.clone(), line, error: error.into() };
        }
        let column = Some(error.column() as u64).filter(|&column| column > 0);
        let position = Position { line: error.line() as u64, column };
        // The message ends with the place, which the position has.
        let found = error.to_string();
        let found = found.split_once(" at line ").map_or(found.as_str(), |(what, _)| what);
        self.syntax(position, found.to_owned())
    }
}

impl<R: Read> Iterator for JsonItems<R> {
    type Item = Result<Item, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(sentence) = self.sentences.next() {
                let line = self.lines.load(Ordering::Relaxed) + 1;
                return Some(item(sentence).map_err(|error| {
                    self.syntax(Position { line, column: None }, format!("a record that is none: {error}"))
                }));
            }
            if self.ended {
                return None;
            }
            match self.values.next() {
                None => self.ended = true,
                Some(Ok(mut value)) => {
                    let sentences = value.get_mut("sentences").map(Value::take);
                    self.sentences = match sentences {
                        Some(Value::Array(sentences)) => sentences.into_iter(),
                        Some(other) => vec![other].into_iter(),
                        None => vec![value].into_iter(),
                    };
                }
                Some(Err(error)) => {
                    // Where the next record would begin is not known.
                    self.ended = true;
                    return Some(Err(self.broken(error)));
                }
            }
        }
    }
}

/// The sentence of a record.
fn item(mut record: Value) -> Result<Item, Error> {
    let words = record.get("words").and_then(Value::as_array);
    let words = words.ok_or_else(|| Error::Data("it has no `words`".to_owned()))?;
    let tree = record.get("tree").and_then(Value::as_str);
    let has_heads = words.iter().any(|word| word.get("head").is_some_and(Value::is_number));
    if let Some(tree) = tree.filter(|_| !has_heads) {
        let tree =
            tree.parse().map_err(|error: ReadError| Error::Data(format!("cannot read its tree: {error}")))?;
        return Ok(Item::Tree(tree));
    }
    if words.iter().any(Value::is_string) {
        let tag = |at: usize| record.get("tags").and_then(|tags| tags.get(at)).unwrap_or(&Value::Null);
        let words =
            words.iter().enumerate().map(|(at, word)| json!({ "form": word, "xpos": tag(at) })).collect();
        record["words"] = Value::Array(words);
    }
    let document = Document::from_json(&json!({ "sentences": [record] }))?;
    let sentence = document.sentences().first().map(|sentence| sentence.sentence().clone());
    Ok(Item::Dependencies(sentence.unwrap_or_default()))
}
