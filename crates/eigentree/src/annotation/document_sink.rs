//! Writes the sentences of documents in their order.

use std::io::Write;

use models::learn::Observer;

use super::rendering::{Rendered, header};
use super::stream::DocumentFile;
use crate::Error;
use crate::conversion::Target;
use crate::files::Output;
use crate::streaming::Sink;

/// What reaches the outputs, in the order of the input.
pub(super) enum Entry {
    /// A file begins.
    Begin(usize),
    Sentences {
        rendered: Rendered,
        read: u64,
        words: u64,
    },
}

/// Writes the sentences of one document after the other.
pub(super) struct DocumentSink<'o> {
    files: &'o [DocumentFile],
    shared: Option<&'o mut Output>,
    own: Option<Output>,
    format: Target,
    /// Sentences of the document so far.
    sentences: u64,
    documents: u64,
    /// Bytes read up to the last entry, those that were reported, and words since the last report.
    read: u64,
    reported: u64,
    words: u64,
}

impl<'o> DocumentSink<'o> {
    pub(super) fn new(files: &'o [DocumentFile], shared: Option<&'o mut Output>, format: Target) -> Self {
        Self { files, shared, own: None, format, sentences: 0, documents: 0, read: 0, reported: 0, words: 0 }
    }

    fn put(&mut self, text: &[u8]) -> Result<(), Error> {
        let output = match (&mut self.own, &mut self.shared) {
            (Some(own), _) => own,
            (None, Some(shared)) => &mut **shared,
            (None, None) => return Ok(()),
        };
        output.write_all(text).map_err(|error| output.error(error).into())
    }

    /// Whether several documents share one JSON document.
    fn nests(&self) -> bool {
        self.shared.is_some() && self.files.len() > 1
    }

    fn begin(&mut self, file: usize) -> Result<(), Error> {
        self.end()?;
        let document = self.files.get(file);
        if let Some(path) = document.and_then(|document| document.output.as_ref()) {
            if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                crate::files::create_folder(folder)?;
            }
            self.own = Some(Output::create(path)?);
        }
        if self.format == Target::Json {
            let between = match (self.nests(), self.documents) {
                (true, 0) => "{\"documents\":[\n",
                (true, _) => ",\n",
                (false, _) => "",
            };
            let name = document
                .and_then(DocumentFile::name)
                .map(|name| format!("\"name\":{},", serde_json::json!(name)));
            self.put(format!("{between}{{{}\"sentences\":[", name.unwrap_or_default()).as_bytes())?;
        } else if self.own.is_some() || self.documents == 0 {
            self.put(header(self.format).as_bytes())?;
        }
        self.documents += 1;
        self.sentences = 0;
        Ok(())
    }

    /// Ends the document at hand, if there is one.
    fn end(&mut self) -> Result<(), Error> {
        if self.documents > 0 && self.format == Target::Json {
            self.put(b"\n]}\n")?;
        }
        match self.own.take() {
            Some(own) => Ok(own.finish()?),
            None => Ok(()),
        }
    }

    pub(super) fn finish(mut self) -> Result<(), Error> {
        if self.documents == 0 && self.format == Target::Json && self.shared.is_some() {
            return self.put(b"{\"sentences\":[]}\n");
        }
        self.end()?;
        if self.format == Target::Json && self.nests() {
            self.put(b"]}\n")?;
        }
        Ok(())
    }

    fn sentences(&mut self, rendered: &Rendered) -> Result<(), Error> {
        let mut text = Vec::with_capacity(rendered.text.len() + 8 * rendered.numbers.len());
        let mut at = 0;
        for &(place, number) in &rendered.numbers {
            text.extend_from_slice(&rendered.text.as_bytes()[at..place]);
            let number = self.sentences + number + 1;
            // Writing to memory does not fail.
            let _ = write!(text, "{number}");
            at = place;
        }
        text.extend_from_slice(&rendered.text.as_bytes()[at..]);
        self.put(&text)
    }
}

impl Sink for DocumentSink<'_> {
    type Entry = Entry;

    fn write(&mut self, entry: Entry) -> Result<(), Error> {
        match entry {
            Entry::Begin(file) => self.begin(file),
            Entry::Sentences { rendered, read, words } => {
                if self.format == Target::Json && rendered.sentences > 0 {
                    let between: &[u8] = if self.sentences == 0 { b"\n" } else { b",\n" };
                    self.put(between)?;
                }
                self.sentences(&rendered)?;
                self.sentences += rendered.sentences;
                self.words += words;
                self.read = self.read.max(read);
                Ok(())
            }
        }
    }

    fn flush(&mut self) -> Result<(), Error> {
        let flush = |output: &mut Output| Write::flush(output).map_err(|error| output.error(error).into());
        match (&mut self.own, &mut self.shared) {
            // Nobody waits for a file that appears when it is complete.
            (Some(_), _) | (None, None) => Ok(()),
            (None, Some(shared)) => flush(shared),
        }
    }

    fn advance(&mut self, _items: u64, observer: &mut dyn Observer) {
        observer.count("word", std::mem::take(&mut self.words));
        observer.advance(self.read - std::mem::replace(&mut self.reported, self.read));
    }
}
