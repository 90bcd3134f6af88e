//! Reads files one after the other, in units of work that can be annotated independently.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use corpus::error::ReadError;
use corpus::format::conllu::Sentence;
use corpus::format::plain_text::BlankLines;
use corpus::format::raw_text::{Piece, RawTextReader};

use super::document::unmade;
use super::items::sentence_of;
use super::stream::DocumentFile;
use crate::Error;
use crate::conversion::{Item, items};
use crate::files::Input;
use crate::reading::{Format, Source};

/// Sentences with given words in one unit of work.
const CHUNK: usize = 8;

/// A unit of work: a piece of text, or some sentences.
pub(super) struct Work {
    /// Which of the files.
    pub(super) file: usize,
    pub(super) content: Content,
    /// Bytes read from all files up to here.
    pub(super) read: u64,
}

pub(super) enum Content {
    /// A file begins.
    Begin,
    Piece(Piece, Place),
    Sentences(Vec<Sentence>, Place),
}

/// Where a unit of work stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Whether it is the first with content of its file.
    pub(super) first: bool,
    pub(super) origin: Origin,
}

/// What the sentences came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    Text,
    /// CoNLL-U, CoNLL-X or JSON.
    Columns,
    Words,
}

impl Work {
    pub(super) fn length(&self) -> usize {
        match &self.content {
            Content::Begin => 0,
            Content::Piece(piece, _) => piece.text.len(),
            Content::Sentences(sentences, _) => sentences.iter().map(|sentence| 6 * sentence.len()).sum(),
        }
    }
}

/// Reads files one after the other.
pub(super) struct Reader {
    files: Vec<DocumentFile>,
    input: Option<Format>,
    raw_text: bool,
    next: usize,
    open: Option<OpenFile>,
    /// Bytes of the files before the open one.
    before: u64,
    ended: bool,
}

struct OpenFile {
    units: Units,
    bytes: Arc<AtomicU64>,
    origin: Origin,
    first: bool,
}

enum Units {
    Pieces(Box<RawTextReader<Input>>),
    Items(Box<dyn Iterator<Item = Result<Item, ReadError>> + Send>, Option<ReadError>),
}

impl Reader {
    pub(super) fn new(files: Vec<DocumentFile>, input: Option<Format>, raw_text: bool) -> Self {
        Self { files, input, raw_text, next: 0, open: None, before: 0, ended: false }
    }

    fn open(&self, path: &Path) -> Result<OpenFile, Error> {
        let given = match self.input {
            Some(format) => format != Format::Text,
            None => !self.raw_text || Format::of_path(path).is_some(),
        };
        if given {
            let source = Source::open(path, self.input)?;
            let bytes = source.packed_bytes();
            let origin = match source.format() {
                Format::Conllu | Format::Conllx | Format::Json => Origin::Columns,
                _ => Origin::Words,
            };
            return Ok(OpenFile {
                units: Units::Items(items(source, BlankLines::Skip), None),
                bytes,
                origin,
                first: true,
            });
        }
        let input = Input::open(path)?;
        let (bytes, name) = (input.packed_bytes(), input.name().to_owned());
        Ok(OpenFile {
            units: Units::Pieces(Box::new(RawTextReader::new(input, name))),
            bytes,
            origin: Origin::Text,
            first: true,
        })
    }
}

impl OpenFile {
    /// The next unit of the file.
    fn next(&mut self) -> Option<Result<Content, Error>> {
        let first = self.first;
        match &mut self.units {
            Units::Pieces(pieces) => {
                let piece = match pieces.next()? {
                    Ok(piece) => piece,
                    Err(error) => return Some(Err(error.into())),
                };
                // A piece of white space alone has no sentence that could begin the document.
                self.first &= piece.text.trim().is_empty();
                Some(Ok(Content::Piece(piece, Place { first, origin: self.origin })))
            }
            Units::Items(items, pending) => {
                if let Some(error) = pending.take() {
                    return Some(Err(error.into()));
                }
                let mut sentences = Vec::with_capacity(CHUNK);
                while sentences.len() < CHUNK {
                    match items.next() {
                        Some(Ok(item)) => match sentence_of(&item) {
                            Ok(sentence) if sentence.is_empty() => {}
                            Ok(sentence) => sentences.push(sentence),
                            Err(error) => return Some(Err(unmade(&error))),
                        },
                        Some(Err(error)) if sentences.is_empty() => return Some(Err(error.into())),
                        Some(Err(error)) => {
                            *pending = Some(error);
                            break;
                        }
                        None => break,
                    }
                }
                self.first &= sentences.is_empty();
                (!sentences.is_empty())
                    .then_some(Ok(Content::Sentences(sentences, Place { first, origin: self.origin })))
            }
        }
    }
}

impl Iterator for Reader {
    type Item = Result<Work, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.ended {
                return None;
            }
            let Some(open) = &mut self.open else {
                let path = self.files.get(self.next)?.path.clone();
                self.next += 1;
                return Some(match self.open(&path) {
                    Ok(open) => {
                        self.open = Some(open);
                        Ok(Work { file: self.next - 1, content: Content::Begin, read: self.before })
                    }
                    Err(error) => {
                        self.ended = true;
                        Err(error)
                    }
                });
            };
            let content = open.next();
            let bytes = open.bytes.load(Ordering::Relaxed);
            match content {
                Some(Ok(content)) => {
                    return Some(Ok(Work { file: self.next - 1, content, read: self.before + bytes }));
                }
                Some(Err(error)) => return Some(Err(error)),
                None => {
                    self.before += bytes;
                    self.open = None;
                }
            }
        }
    }
}
