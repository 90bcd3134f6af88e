//! Reading and writing of tagged sentences.

use std::io::{self, Read, Write};

use super::BioSentence;
use super::scheme::Tag;
use crate::error::ReadError;
use crate::format::lines::{LineEnding, LineReader, column_of, quote};

/// A stream of tagged sentences. After a syntax error it continues after the next blank line.
///
/// ```
/// use eigentree_corpus::format::bio::BioReader;
/// let sentence = BioReader::new("New York\tB-LOC\nsleeps\tO\n\n".as_bytes(), "-").next().unwrap()?;
/// assert_eq!(sentence.tokens().collect::<Vec<_>>(), ["New York", "sleeps"]);
/// # Ok::<(), eigentree_corpus::error::ReadError>(())
/// ```
#[derive(Debug)]
pub struct BioReader<R> {
    lines: LineReader<R>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    BetweenSentences,
    InBadSentence,
    Ended,
}

impl<R: Read> BioReader<R> {
    /// Reads from `source`. Errors refer to it as `source_name`.
    pub fn new(source: R, source_name: impl Into<String>) -> Self {
        Self { lines: LineReader::new(source, source_name), state: State::BetweenSentences }
    }

    /// Number of the last line read.
    pub fn line_number(&self) -> u64 {
        self.lines.line_number()
    }

    fn read_sentence(&mut self) -> Result<BioSentence, ReadError> {
        if self.state == State::InBadSentence {
            self.lines.skip_to_blank_line()?;
        }
        let mut sentence = BioSentence::new();
        let mut first_ending = LineEnding::Lf;
        loop {
            // Set in advance, so that every early return below skips the rest of the sentence.
            self.state = State::InBadSentence;
            let Some(line) = self.lines.next_line()? else { break };
            if line.text.is_empty() {
                if sentence.is_empty() {
                    continue;
                }
                break;
            }
            if sentence.is_empty() && begins_document(line.text) {
                continue;
            }
            if sentence.is_empty() {
                first_ending = line.ending;
                sentence.begin(line.number, line.ending);
            } else if line.ending != first_ending && line.ending != LineEnding::Missing {
                let (number, column) = (line.number, line.text.chars().count() as u64 + 1);
                let expected = "the same line ending as on the line before";
                return Err(self.lines.error_at(
                    number,
                    Some(column),
                    expected,
                    "LF and CRLF in one sentence",
                ));
            }
            if let Err((offset, expected, found)) = read_row(line.text, &mut sentence) {
                let (number, column) = (line.number, column_of(line.text, offset));
                if line.text.bytes().all(|byte| byte.is_ascii_whitespace()) {
                    // Such a line ends a sentence when resynchronising, so that is already done.
                    self.state = State::BetweenSentences;
                }
                return Err(self.lines.error_at(number, Some(column), expected, found));
            }
        }
        self.state = State::BetweenSentences;
        Ok(sentence)
    }
}

/// The word of the line that begins a document in CoNLL-2003.
const DOCUMENT: &str = "-DOCSTART-";

/// Whether the line begins a document and is no token.
fn begins_document(line: &str) -> bool {
    line.strip_prefix(DOCUMENT).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

fn read_row(line: &str, sentence: &mut BioSentence) -> Result<(), (usize, &'static str, String)> {
    const COLUMNS: &str = "a token and a tag, separated by one TAB";
    let (token, tag_at) = match other_columns(line) {
        Some(columns) => columns,
        None => {
            let Some((token, tag)) = line.split_once('\t') else {
                return Err((line.len(), COLUMNS, format!("no TAB in {}", quote(line))));
            };
            if let Some(second) = tag.find('\t') {
                return Err((token.len() + 1 + second, COLUMNS, "a second TAB".to_owned()));
            }
            (token, token.len() + 1)
        }
    };
    let tag = &line[tag_at..];
    if token.is_empty() {
        return Err((0, "a token before the TAB", "nothing".to_owned()));
    }
    if Tag::parse(tag).is_none() {
        return Err((tag_at, "a tag: `O`, or `B`, `I`, `E` or `S` with `-` and a class", quote(tag)));
    }
    sentence.push_unchecked(token, tag);
    Ok(())
}

/// The token and the place of the tag in a line of CoNLL-2003: word, part of speech, chunk and entity, separated by spaces
/// or TABs; or in one with spaces instead of TABs and two columns, or three as in CoNLL-2002. Tokens of the two-column
/// format may contain spaces, but then there is a TAB before the tag.
fn other_columns(line: &str) -> Option<(&str, usize)> {
    let has_tab = line.contains('\t');
    let columns: Vec<&str> = line.split(if has_tab { '\t' } else { ' ' }).collect();
    let (token, tag) = match columns[..] {
        [token, _, _, tag] => (token, tag),
        [token, tag] | [token, _, tag] if !has_tab && Tag::parse(tag).is_some() => (token, tag),
        _ => return None,
    };
    columns.iter().all(|column| !column.is_empty()).then(|| (token, line.len() - tag.len()))
}

impl<R: Read> Iterator for BioReader<R> {
    type Item = Result<BioSentence, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state == State::Ended {
            return None;
        }
        match self.read_sentence() {
            Ok(sentence) if sentence.is_empty() => {
                self.state = State::Ended;
                None
            }
            Ok(sentence) => Some(Ok(sentence)),
            Err(error) => {
                if let ReadError::Io { .. } = error {
                    self.state = State::Ended;
                }
                Some(Err(error))
            }
        }
    }
}

impl<R: Read> std::iter::FusedIterator for BioReader<R> {}

/// Writes tagged sentences to `W`, each followed by a blank line.
#[derive(Debug)]
pub struct BioWriter<W> {
    sink: W,
    buffer: Vec<u8>,
}

impl<W: Write> BioWriter<W> {
    /// Writes to `sink`.
    pub fn new(sink: W) -> Self {
        Self { sink, buffer: Vec::new() }
    }

    /// Writes one sentence. A sentence without tokens is an error: [`io::ErrorKind::InvalidInput`].
    pub fn write(&mut self, sentence: &BioSentence) -> io::Result<()> {
        if sentence.is_empty() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a sentence needs at least one token"));
        }
        self.buffer.clear();
        let ending = sentence.line_ending().as_str().as_bytes();
        for (token, tag) in sentence.tokens().zip(sentence.tags()) {
            self.buffer.extend_from_slice(token.as_bytes());
            self.buffer.push(b'\t');
            self.buffer.extend_from_slice(tag.as_bytes());
            self.buffer.extend_from_slice(ending);
        }
        self.buffer.extend_from_slice(ending);
        self.sink.write_all(&self.buffer)
    }

    /// Flushes and returns the sink.
    pub fn into_inner(mut self) -> io::Result<W> {
        self.sink.flush()?;
        Ok(self.sink)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_columns_of_conll_2003_are_read() {
        let input =
            "-DOCSTART- -X- O O\n\nEU NNP I-NP I-ORG\nrejects VBZ I-VP O\n\nPeter\tNNP\tI-NP\tI-PER\n\n";
        let sentences: Vec<BioSentence> =
            BioReader::new(input.as_bytes(), "f").collect::<Result<_, _>>().unwrap();
        assert_eq!(sentences.len(), 2);
        assert_eq!(sentences[0].tokens().collect::<Vec<_>>(), ["EU", "rejects"]);
        assert_eq!(sentences[0].tags().collect::<Vec<_>>(), ["I-ORG", "O"]);
        assert_eq!(sentences[1].tags().collect::<Vec<_>>(), ["I-PER"]);
        assert!(BioReader::new(&b"a b c Q\n"[..], "f").next().unwrap().is_err());
    }

    #[test]
    fn columns_may_be_separated_by_spaces() {
        for input in ["Ann B-PER\nlives O\n\n", "Ann NP B-PER\nlives V O\n\n"] {
            let sentence = BioReader::new(input.as_bytes(), "f").next().unwrap().unwrap();
            assert_eq!(sentence.tokens().collect::<Vec<_>>(), ["Ann", "lives"]);
            assert_eq!(sentence.tags().collect::<Vec<_>>(), ["B-PER", "O"]);
        }
        for wrong in ["Ann PER\n", "Ann  O\n", " O\n", "a b c d O\n"] {
            assert!(BioReader::new(wrong.as_bytes(), "f").next().unwrap().is_err(), "{wrong}");
        }
    }

    #[test]
    fn errors_have_places_and_the_reader_goes_on() {
        let input = "ä\tO\nb Q\nc\tO\n\nd\tQ-X\n\n\tO\n\ne\tO\tO\n\n\n\nf\tB-X\n";
        let items: Vec<_> = BioReader::new(input.as_bytes(), "f").collect();
        let messages: Vec<String> =
            items.iter().filter_map(|item| item.as_ref().err()).map(ToString::to_string).collect();
        assert_eq!(
            messages,
            [
                "f:2:4: expected a token and a tag, separated by one TAB, found no TAB in \"b Q\"",
                "f:5:3: expected a tag: `O`, or `B`, `I`, `E` or `S` with `-` and a class, found \"Q-X\"",
                "f:7:1: expected a token before the TAB, found nothing",
                "f:9:4: expected a token and a tag, separated by one TAB, found a second TAB",
            ]
        );
        assert_eq!(items.len(), 5);
        let last = items[4].as_ref().unwrap();
        assert_eq!((last.first_line(), last.tags().next()), (13, Some("B-X")));
    }

    #[test]
    fn crlf_is_kept() {
        let input = "a\tO\r\nb\tO\r\n\r\n";
        let mut writer = BioWriter::new(Vec::new());
        for sentence in BioReader::new(input.as_bytes(), "f") {
            writer.write(&sentence.unwrap()).unwrap();
        }
        assert_eq!(writer.into_inner().unwrap(), input.as_bytes());
        assert!(BioReader::new("a\tO\r\nb\tO\n\n".as_bytes(), "f").next().unwrap().is_err());
    }
}
