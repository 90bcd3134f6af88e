//! Sequences of numbered symbols, in the format of the competitions PAutomaC (2012) and SPiCe (2016).
//!
//! The first line has the number of sequences and the number of symbols. Each further line has the length of a sequence
//! and its symbols, numbered from 0:
//!
//! ```text
//! 2 4
//! 3 0 3 1
//! 0
//! ```

use std::io::{self, Read, Write};

use super::lines::{LineReader, column_of, quote};
use crate::error::ReadError;

/// An alphabet may have this many symbols more than the sequences have places: a short file may announce symbols that it does
/// not use, but not so many that a line of 30 bytes fills the memory of a learner.
const FREE_SYMBOLS: usize = 1 << 16;

/// All sequences of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NumberedSequences {
    /// Number of symbols.
    pub alphabet: usize,
    /// The sequences.
    pub sequences: Vec<Vec<u32>>,
}

impl NumberedSequences {
    /// Reads from `source`. Errors refer to it as `source_name`.
    ///
    /// ```
    /// use eigentree_corpus::format::numbered_sequences::NumberedSequences;
    /// let read = NumberedSequences::read("2 4\n3 0 3 1\n0\n".as_bytes(), "-")?;
    /// assert_eq!((read.alphabet, read.sequences), (4, vec![vec![0, 3, 1], vec![]]));
    /// # Ok::<(), eigentree_corpus::error::ReadError>(())
    /// ```
    pub fn read(source: impl Read, source_name: impl Into<String>) -> Result<Self, ReadError> {
        let mut lines = LineReader::new(source, source_name);
        let mut header: Option<[usize; 2]> = None;
        let mut sequences = Vec::new();
        let mut last = 0;
        loop {
            let parsed = match lines.next_line()? {
                None => break,
                Some(line) if line.text.trim().is_empty() => continue,
                Some(line) => {
                    last = line.number;
                    let parsed = match header {
                        None => parse_header(line.text).map(|counts| header = Some(counts)),
                        Some([_, alphabet]) => {
                            parse_sequence(line.text, alphabet).map(|sequence| sequences.push(sequence))
                        }
                    };
                    parsed.map_err(|error| (column_of(line.text, error.offset), error))
                }
            };
            if let Err((column, error)) = parsed {
                return Err(lines.error_at(last, Some(column), error.expected, error.found));
            }
        }
        let Some([count, alphabet]) = header else {
            let expected = "the numbers of sequences and of symbols";
            return Err(lines.error_at(1, None, expected, "the end of the file"));
        };
        if count != sequences.len() {
            let expected = format!("{count} sequences, as given in the first line");
            return Err(lines.error_at(last, None, expected, sequences.len().to_string()));
        }
        let symbols: usize = sequences.iter().map(Vec::len).sum();
        if alphabet > symbols.saturating_add(FREE_SYMBOLS) {
            let expected = format!(
                "an alphabet of at most {} symbols for {symbols} of them in the sequences",
                symbols.saturating_add(FREE_SYMBOLS)
            );
            return Err(lines.error_at(1, None, expected, alphabet.to_string()));
        }
        Ok(Self { alphabet, sequences })
    }

    /// Writes the file.
    pub fn write_to(&self, mut sink: impl Write) -> io::Result<()> {
        writeln!(sink, "{} {}", self.sequences.len(), self.alphabet)?;
        for sequence in &self.sequences {
            write!(sink, "{}", sequence.len())?;
            for symbol in sequence {
                write!(sink, " {symbol}")?;
            }
            writeln!(sink)?;
        }
        Ok(())
    }

    /// Whether text begins like such a file: two numbers, then a line whose first number is the number of those that
    /// follow.
    pub fn looks_like(text: &str) -> bool {
        let mut lines = text.lines();
        let Some(header) = lines.next() else { return false };
        parse_header(header).is_ok_and(|[_, alphabet]| {
            lines.next().is_none_or(|line| line.trim().is_empty() || parse_sequence(line, alphabet).is_ok())
        })
    }
}

/// Byte offset and description of an error in a line.
struct Mistake {
    offset: usize,
    expected: String,
    found: String,
}

/// The numbers of a line with their byte offsets.
fn numbers(line: &str) -> impl Iterator<Item = Result<(usize, u32), Mistake>> {
    line.split_ascii_whitespace().map(move |token| {
        let offset = token.as_ptr() as usize - line.as_ptr() as usize;
        let mistake = || Mistake { offset, expected: "a number".to_owned(), found: quote(token) };
        token.parse().map(|number| (offset, number)).map_err(|_| mistake())
    })
}

fn parse_header(line: &str) -> Result<[usize; 2], Mistake> {
    let found: Vec<(usize, u32)> = numbers(line).collect::<Result<_, _>>()?;
    match found[..] {
        [(_, count), (_, alphabet)] => Ok([count as usize, alphabet as usize]),
        _ => Err(Mistake {
            offset: 0,
            expected: "the numbers of sequences and of symbols".to_owned(),
            found: format!("{} numbers", found.len()),
        }),
    }
}

fn parse_sequence(line: &str, alphabet: usize) -> Result<Vec<u32>, Mistake> {
    let mut found = numbers(line);
    let length = found.next().transpose()?.map_or(0, |(_, length)| length as usize);
    let mut sequence = Vec::new();
    for number in found {
        let (offset, symbol) = number?;
        if symbol as usize >= alphabet {
            let expected = format!("a symbol below {alphabet}");
            return Err(Mistake { offset, expected, found: symbol.to_string() });
        }
        sequence.push(symbol);
    }
    if sequence.len() != length {
        let expected = format!("{length} symbols, as given at the start of the line");
        return Err(Mistake { offset: line.len(), expected, found: sequence.len().to_string() });
    }
    Ok(sequence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let all = NumberedSequences { alphabet: 5, sequences: vec![vec![4, 0], vec![], vec![1]] };
        let mut text = Vec::new();
        all.write_to(&mut text).unwrap();
        assert_eq!(NumberedSequences::read(&text[..], "-").unwrap(), all);
        assert!(NumberedSequences::looks_like(std::str::from_utf8(&text).unwrap()));
        assert!(!NumberedSequences::looks_like("the dog\nbarks"));
        assert!(!NumberedSequences::looks_like("2 4\n7 1 1"));
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        let told = |text: &str| NumberedSequences::read(text.as_bytes(), "f").unwrap_err().to_string();
        assert_eq!(
            told(""),
            "f:1: expected the numbers of sequences and of symbols, found the end of the file"
        );
        assert_eq!(told("1 4\n2 0 4\n"), "f:2:5: expected a symbol below 4, found 4");
        assert_eq!(
            told("1 4\n3 0 1\n"),
            "f:2:6: expected 3 symbols, as given at the start of the line, found 2"
        );
        assert!(told("1 4\n1 x\n").starts_with("f:2:3: expected a number"));
        assert_eq!(
            told("1 4294967295\n2 0 1\n"),
            "f:1: expected an alphabet of at most 65538 symbols for 2 of them in the sequences, found 4294967295"
        );
        assert_eq!(told("2 4\n1 0\n"), "f:2: expected 2 sequences, as given in the first line, found 1");
    }
}
