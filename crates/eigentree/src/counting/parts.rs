//! Counts the parts of a corpus where they lie, and joins them: the partition kernels of engines such as Spark.

use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;

use corpus::compression::decompress;
use corpus::cooccurrence::{CountConfig, CountedPart, Edges, TextCounter};
use corpus::error::ReadError;
use models::learn::Observer;
use models::persist::{Container, ContainerWriter};
use serde::{Deserialize, Serialize};
use words::clusters;

use crate::Error;

/// Counts rows of tables and contents of files, which together are one part of a corpus. All words are kept, since
/// vocabularies of parts differ.
pub struct PartCounter {
    counter: TextCounter,
}

impl PartCounter {
    /// A counter on the threads of the current pool. The vocabulary limit of `config` is not used.
    pub fn new(config: &CountConfig) -> Result<Self, Error> {
        Ok(Self { counter: TextCounter::new(CountConfig { vocab: None, ..config.clone() })? })
    }

    /// Counts rows. Each is one line, or several with line breaks between them, as if the rows stood in a file that errors
    /// call `name`.
    pub fn add_rows<'a>(
        &mut self,
        rows: impl Iterator<Item = &'a [u8]>,
        name: &str,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        self.add(Rows::new(rows), name, observer)
    }

    /// Counts the content of a file, maybe compressed.
    pub fn add_file(&mut self, content: &[u8], name: &str, observer: &mut dyn Observer) -> Result<(), Error> {
        let fail = |error| ReadError::Io { source_name: name.to_owned(), line: 0, error };
        let text = decompress(Cursor::new(content)).map_err(fail)?;
        self.add(text, name, observer)
    }

    fn add(&mut self, source: impl Read, name: &str, observer: &mut dyn Observer) -> Result<(), Error> {
        self.counter.read_watched(source, name, &mut |bytes| {
            observer.advance(bytes);
            if observer.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(())
    }

    /// The counts of all that was added.
    pub fn finish(self) -> Result<CountedPart, Error> {
        Ok(self.counter.finish_part()?)
    }
}

/// Rows as a file with one row per line.
struct Rows<'a, I> {
    rows: I,
    /// What is left of the current row.
    row: &'a [u8],
    /// What goes before it.
    before: Option<u8>,
    ended: bool,
}

impl<'a, I: Iterator<Item = &'a [u8]>> Rows<'a, I> {
    fn new(mut rows: I) -> Self {
        let first = rows.next();
        // The blank at the start keeps a byte order mark of the first row, which is not the start of a file.
        Self { rows, row: first.unwrap_or_default(), before: Some(b' '), ended: first.is_none() }
    }
}

impl<'a, I: Iterator<Item = &'a [u8]>> Read for Rows<'a, I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut written = 0;
        while written < buffer.len() && !self.ended {
            if let Some(before) = self.before.take() {
                buffer[written] = before;
                written += 1;
            }
            let length = self.row.len().min(buffer.len() - written);
            buffer[written..written + length].copy_from_slice(&self.row[..length]);
            written += length;
            self.row = &self.row[length..];
            if self.row.is_empty() {
                self.before = Some(b'\n');
                match self.rows.next() {
                    Some(row) => self.row = row,
                    None => self.ended = true,
                }
            }
        }
        Ok(written)
    }
}

/// The section of a part that count files do not have.
const EDGES: &str = "edges";

/// The words at the ends of a part, as files say it.
#[derive(Serialize, Deserialize)]
struct SavedEdges {
    first: Vec<String>,
    last: Vec<String>,
}

/// A part as bytes: a count file with one more section.
pub fn part_to_bytes(part: &CountedPart) -> Result<Vec<u8>, Error> {
    let mut writer = ContainerWriter::new(&clusters::counts_metadata(&part.counted));
    clusters::save_counts(&part.counted, &mut writer);
    let Edges { first, last } = part.edges.clone();
    writer.json(EDGES, &SavedEdges { first, last });
    let mut bytes = Vec::new();
    writer
        .write_to(&mut bytes)
        .map_err(|error| Error::Data(format!("cannot turn counts into bytes: {error}")))?;
    Ok(bytes)
}

/// The part that [`part_to_bytes`] wrote.
pub fn part_from_bytes(bytes: Vec<u8>) -> Result<CountedPart, Error> {
    let refused = |error| Error::Data(format!("cannot load counts from bytes: {error}"));
    let container = Container::from_bytes(bytes).map_err(refused)?;
    let counted = clusters::load_counts(&container).map_err(refused)?;
    let SavedEdges { first, last } = container.json(EDGES).map_err(refused)?;
    let most = counted.counts.pairs.len();
    if first.len() > most || last.len() > most {
        return Err(Error::Data(format!("cannot load counts from bytes: edges of more than {most} words")));
    }
    Ok(CountedPart { counted, edges: Edges { first, last } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use corpus::cooccurrence::{Boundaries, CountError};
    use models::learn::Silent;

    fn counter(boundaries: Boundaries) -> PartCounter {
        PartCounter::new(&CountConfig { boundaries, distance: 2, ..CountConfig::default() }).unwrap()
    }

    #[test]
    fn rows_and_files_are_counted_alike_and_survive_as_bytes() {
        let rows = ["the dog", "", "sees\nthe cat", "\u{feff}ein \u{e9}"];
        for boundaries in [Boundaries::Lines, Boundaries::None] {
            let mut of_rows = counter(boundaries);
            of_rows.add_rows(rows[..1].iter().map(|row| row.as_bytes()), "rows", &mut Silent).unwrap();
            of_rows.add_rows([].into_iter(), "rows", &mut Silent).unwrap();
            of_rows.add_rows(rows[1..].iter().map(|row| row.as_bytes()), "rows", &mut Silent).unwrap();
            let mut of_file = counter(boundaries);
            of_file.add_file(rows.join("\n").as_bytes(), "file", &mut Silent).unwrap();
            let part = of_rows.finish().unwrap();
            assert_eq!(part, of_file.finish().unwrap());
            assert_eq!(part.counted.counts.tokens(), 7);
            assert!(part.counted.word("\u{feff}ein").is_some());
            assert_eq!(part_from_bytes(part_to_bytes(&part).unwrap()).unwrap(), part);
        }
    }

    #[test]
    fn damage_is_refused_and_bad_bytes_are_placed() {
        let mut one = counter(Boundaries::None);
        one.add_rows([&b"a b"[..]].into_iter(), "rows", &mut Silent).unwrap();
        let bytes = part_to_bytes(&one.finish().unwrap()).unwrap();
        for at in (0..bytes.len()).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x41;
            assert!(part_from_bytes(damaged).is_err(), "{at}");
        }
        let rows = [&b"good"[..], b"b\xff d"];
        let error = counter(Boundaries::Lines).add_rows(rows.into_iter(), "rows", &mut Silent).unwrap_err();
        assert!(matches!(error, Error::Read(_) | Error::Count(CountError::Read(_))));
        assert!(error.to_string().contains("rows:2:2"), "{error}");
    }
}
