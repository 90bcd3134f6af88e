//! Brown clusters as `paths`: one word per line, `bits<TAB>word<TAB>count`.
//!
//! The bits are the path from the root of the cluster hierarchy to the cluster of the word; their prefixes are coarser
//! clusters. The format is that of Liang's brown-cluster, which most taggers and parsers with cluster features read.

use std::io::{self, Read, Write};

use super::lines::{LineReader, column_of, quote};
use crate::error::ReadError;

/// A word with its position in the hierarchy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrownPath {
    /// `0`s and `1`s from the root; empty if there is only one cluster.
    pub bits: String,
    /// The word.
    pub word: String,
    /// Number of occurrences.
    pub count: u64,
}

impl BrownPath {
    /// Writes the line. Fails if the word is empty or contains a tab or a line feed.
    pub fn write_to(&self, mut sink: impl Write) -> io::Result<()> {
        if self.word.is_empty() || self.word.contains(['\t', '\n']) {
            let told = format!(
                "cannot write the word {}: it must not be empty or contain a tab or a line feed",
                quote(&self.word)
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, told));
        }
        writeln!(sink, "{}\t{}\t{}", self.bits, self.word, self.count)
    }
}

/// A stream of words with their paths. A line that cannot be read is an error, after which the next line follows.
///
/// ```
/// use eigentree_corpus::format::brown_paths::BrownPathsReader;
/// let mut reader = BrownPathsReader::new("0110\tdog\t27\n".as_bytes(), "-");
/// let path = reader.next().unwrap()?;
/// assert_eq!((path.bits.as_str(), path.word.as_str(), path.count), ("0110", "dog", 27));
/// # Ok::<(), eigentree_corpus::error::ReadError>(())
/// ```
#[derive(Debug)]
pub struct BrownPathsReader<R> {
    lines: LineReader<R>,
}

impl<R: Read> BrownPathsReader<R> {
    /// Reads from `source`. Errors refer to it as `source_name`.
    pub fn new(source: R, source_name: impl Into<String>) -> Self {
        Self { lines: LineReader::new(source, source_name) }
    }
}

impl<R: Read> Iterator for BrownPathsReader<R> {
    type Item = Result<BrownPath, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (number, result) = match self.lines.next_line() {
            Ok(Some(line)) => {
                let result = parse(line.text)
                    .map_err(|(offset, expected, found)| (column_of(line.text, offset), expected, found));
                (line.number, result)
            }
            Ok(None) => return None,
            Err(error) => return Some(Err(error)),
        };
        Some(
            result.map_err(|(column, expected, found)| {
                self.lines.error_at(number, Some(column), expected, found)
            }),
        )
    }
}

/// Parses a line. On error, returns the byte offset with what was expected and found there.
fn parse(line: &str) -> Result<BrownPath, (usize, &'static str, String)> {
    let end = |offset: usize| {
        (offset, "a TAB and the next of `bits<TAB>word<TAB>count`", "the end of the line".to_owned())
    };
    let (bits, rest) = line.split_once('\t').ok_or_else(|| end(line.len()))?;
    if let Some(offset) = bits.find(|bit| bit != '0' && bit != '1') {
        return Err((offset, "bits, `0` or `1`", quote(&bits[offset..])));
    }
    let (word, count) = rest.split_once('\t').ok_or_else(|| end(line.len()))?;
    if word.is_empty() {
        return Err((bits.len() + 1, "a word", "nothing".to_owned()));
    }
    let offset = bits.len() + word.len() + 2;
    let digits = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
    let number = count.parse().ok().filter(|_| digits);
    let number = number.ok_or_else(|| (offset, "a count", quote(count)))?;
    Ok(BrownPath { bits: bits.to_owned(), word: word.to_owned(), count: number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let paths = [("0", "a", 3), ("", "ß\u{a0}x", 0), ("1101", "\"", u64::MAX)]
            .map(|(bits, word, count)| BrownPath { bits: bits.to_owned(), word: word.to_owned(), count });
        let mut text = Vec::new();
        for path in &paths {
            path.write_to(&mut text).unwrap();
        }
        assert!(text.starts_with(b"0\ta\t3\n"));
        let read: Vec<BrownPath> = BrownPathsReader::new(&text[..], "-").collect::<Result<_, _>>().unwrap();
        assert_eq!(read, paths);
        for word in ["", "a\tb", "a\n"] {
            let path = BrownPath { bits: String::new(), word: word.to_owned(), count: 1 };
            assert_eq!(path.write_to(io::sink()).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        }
    }

    #[test]
    fn errors_are_placed_and_the_next_line_follows() {
        let text = "012\ta\t1\n0\tä\t1\n01\n0\tä\t-1\n0\tä\t1\t2\n0\t\t1\n0\ta\t99999999999999999999\n";
        let told: Vec<String> = BrownPathsReader::new(text.as_bytes(), "p")
            .map(|path| path.map_or_else(|error| error.to_string(), |path| path.word))
            .collect();
        let starts = [
            "p:1:3: expected bits",
            "ä",
            "p:3:3: expected a TAB",
            "p:4:5: expected a count",
            "p:5:5",
            "p:6:3: expected a word",
            "p:7:5",
        ];
        assert_eq!(told.len(), starts.len());
        for (told, start) in told.iter().zip(starts) {
            assert!(told.starts_with(start), "{told}");
        }
    }
}
