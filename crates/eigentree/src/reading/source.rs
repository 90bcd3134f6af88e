//! An open corpus of known format.

use std::io::{self, Chain, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use models::persist::MAGIC;

use super::Format;
use crate::Error;
use crate::files::Input;

/// Number of bytes read to detect the format: enough for the comments before a first sentence.
const START_BYTES: u64 = 64 * 1024;

/// A corpus file or standard input, with its format.
#[derive(Debug)]
pub struct Source {
    name: String,
    format: Format,
    reader: Chain<Cursor<Vec<u8>>, Rest>,
}

/// What follows the bytes that were read to detect the format.
#[derive(Debug)]
enum Rest {
    File(Input),
    /// A text in memory is all in those bytes.
    Nothing,
}

impl Read for Rest {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Rest::File(input) => input.read(buffer),
            Rest::Nothing => Ok(0),
        }
    }
}

impl Source {
    /// Opens the corpus at `path`, or standard input if it is `-`. The format is `format` if given, otherwise inferred
    /// from the extension, otherwise from the content.
    pub fn open(path: impl AsRef<Path>, format: Option<Format>) -> Result<Self, Error> {
        Self::open_or(path.as_ref(), format, &Format::of_start)
    }

    /// A corpus in memory, which errors call `name`. The format is `format` if given, otherwise inferred from the content.
    pub fn from_text(text: impl Into<String>, name: &str, format: Option<Format>) -> Self {
        let text = text.into().into_bytes();
        let format = format.unwrap_or_else(|| Format::of_start(&text));
        Self { name: name.to_owned(), format, reader: Cursor::new(text).chain(Rest::Nothing) }
    }

    /// Opens a corpus; `guess` detects the format from its start, if neither the caller nor the extension gives it.
    fn open_or(path: &Path, format: Option<Format>, guess: &dyn Fn(&[u8]) -> Format) -> Result<Self, Error> {
        let mut input = Input::open(path)?;
        let name = input.name().to_owned();
        let known = format.or_else(|| Format::of_path(path));
        let mut start = Vec::new();
        if known.is_none() {
            let fail = |error| corpus::error::ReadError::Io { source_name: name.clone(), line: 1, error };
            input.by_ref().take(START_BYTES).read_to_end(&mut start).map_err(fail)?;
        }
        if start.starts_with(&MAGIC) {
            return Err(Error::Data(format!(
                "{name} is a model, not a corpus; give a file of trees or sentences"
            )));
        }
        let format = known.unwrap_or_else(|| guess(&start));
        Ok(Self { name, format, reader: Cursor::new(start).chain(Rest::File(input)) })
    }

    /// Opens a corpus that must be in the format `wanted`, for a `purpose` such as "read trees". A different extension
    /// is refused; without a known extension, the reader reports what is wrong.
    pub fn open_as(path: impl AsRef<Path>, wanted: Format, purpose: &'static str) -> Result<Self, Error> {
        let source = Self::open_or(path.as_ref(), None, &|_| wanted)?;
        match source.format {
            format if format == wanted => Ok(source),
            found => Err(Error::Format { name: source.name, found, wanted, purpose }),
        }
    }

    /// A counter of the bytes read from the file itself, possibly compressed, for progress reports.
    pub fn packed_bytes(&self) -> Arc<AtomicU64> {
        match self.reader.get_ref().1 {
            Rest::File(input) => input.packed_bytes(),
            Rest::Nothing => Arc::default(),
        }
    }

    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}
