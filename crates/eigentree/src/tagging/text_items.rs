//! Raw text as a stream of sentences, for consumers of sentences such as constituency parsers.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;

use crate::pipeline::{Pipeline, Scratch};
use corpus::error::ReadError;
use corpus::format::conllu::Sentence;
use corpus::format::raw_text::RawTextReader;

use crate::conversion::Item;

/// The sentences of a text, in order, with the annotation of the stages of a pipeline. The stages run on the thread
/// that asks for the sentences, so use fast stages only.
pub struct TextItems<R> {
    pipeline: Arc<Pipeline>,
    scratch: Scratch,
    pieces: RawTextReader<R>,
    name: String,
    waiting: VecDeque<Sentence>,
}

impl<R: Read> TextItems<R> {
    /// Reads from `source`, called `name` in errors.
    pub fn new(pipeline: impl Into<Arc<Pipeline>>, source: R, name: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            pipeline: pipeline.into(),
            scratch: Scratch::default(),
            pieces: RawTextReader::new(source, &name),
            name,
            waiting: VecDeque::new(),
        }
    }
}

/// The sentences of a text as the tokenizer of a pipeline divides it, without any annotation.
pub fn tokenized_items<R: Read>(pipeline: &Pipeline, source: R, name: impl Into<String>) -> TextItems<R> {
    let tokenizer = pipeline.tokenizer.clone();
    let front = Pipeline { tokenizer, tagger: None, entities: None, parser: None, grammar: None };
    TextItems::new(front, source, name)
}

impl<R: Read> Iterator for TextItems<R> {
    type Item = Result<Item, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(sentence) = self.waiting.pop_front() {
                return Some(Ok(Item::Dependencies(sentence)));
            }
            let piece = match self.pieces.next()? {
                Ok(piece) => piece,
                Err(error) => return Some(Err(error)),
            };
            match self.pipeline.annotate(&piece, &mut self.scratch, |_| {}) {
                Ok(sentences) => self.waiting.extend(sentences),
                Err(error) => {
                    let error = io::Error::new(io::ErrorKind::InvalidData, error.to_string());
                    return Some(Err(ReadError::Io { source_name: self.name.clone(), line: 0, error }));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tagging::tokenizer::Tokenizer;

    use super::*;

    #[test]
    fn sentences_come_in_the_order_of_the_text() {
        let pipeline = Pipeline {
            tokenizer: Tokenizer::rules(),
            tagger: None,
            entities: None,
            parser: None,
            grammar: None,
        };
        let text = "One is here. Two (2) too.\n\nThree.\n";
        let words: Vec<Vec<String>> = TextItems::new(pipeline, text.as_bytes(), "-")
            .map(|item| match item.expect("it is text") {
                Item::Dependencies(sentence) => sentence.words().map(|word| word.form().to_owned()).collect(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(
            words,
            [vec!["One", "is", "here", "."], vec!["Two", "(", "2", ")", "too", "."], vec!["Three", "."]]
        );
    }
}
