//! Numbered lines of text from any [`Read`].
//!
//! A line ends in LF or CRLF. The ending is reported separately from the text, so that a format which must be written
//! back byte for byte can keep it. A CR anywhere else is text. A byte order mark at the start of the input is dropped.
//! A line has at most [`LONGEST_LINE`] bytes, unless the caller reads it in [parts](LineReader::next_part): devices and
//! decompressed files may go on for ever.
//! Text in UTF-16 is recognised and named, since it looks like damaged or empty text otherwise.
//!
//! The text of a line is borrowed from the read buffer: nothing is copied unless a line spans two reads.

use std::io::{self, Read};

use crate::error::{Position, ReadError, SyntaxError};

/// Large enough to make the cost of a read negligible, small enough to stay in the second-level cache.
const BUFFER_BYTES: usize = 128 * 1024;

/// Most bytes of a line, and of a token of a text that is counted.
pub const LONGEST_LINE: usize = if cfg!(test) { 1 << 24 } else { 1 << 28 };

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Line ending.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LineEnding {
    /// `\n`, the default for writing.
    #[default]
    Lf,
    /// `\r\n`.
    CrLf,
    /// The input ended before the line did.
    Missing,
}

impl LineEnding {
    /// The characters of this ending.
    pub fn as_str(self) -> &'static str {
        match self {
            LineEnding::Lf => "\n",
            LineEnding::CrLf => "\r\n",
            LineEnding::Missing => "",
        }
    }
}

/// One line, without its ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line<'a> {
    /// Line number, counted from 1.
    pub number: u64,
    /// Text.
    pub text: &'a str,
    /// Line ending.
    pub ending: LineEnding,
}

/// A source of lines.
///
/// ```
/// use eigentree_corpus::format::lines::LineReader;
/// let mut lines = LineReader::new("one\r\ntwo".as_bytes(), "-");
/// assert_eq!(lines.next_line()?.map(|line| line.text), Some("one"));
/// assert_eq!(lines.next_line()?.map(|line| line.number), Some(2));
/// assert_eq!(lines.next_line()?, None);
/// # Ok::<(), eigentree_corpus::error::ReadError>(())
/// ```
#[derive(Debug)]
pub struct LineReader<R> {
    source: R,
    source_name: String,
    /// `buffer[start..end]` has been read but not returned yet.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Number of the last line returned.
    line: u64,
    state: State,
    /// Whether the last part returned is not the last one of its line.
    within: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Reading,
    /// The source has no more bytes; the buffer may have some.
    Exhausted,
    /// The source failed: there is no sensible way to continue.
    Failed,
}

/// A line as a range of the buffer, not yet checked to be text.
struct RawLine {
    start: usize,
    end: usize,
    ending: LineEnding,
}

impl<R: Read> LineReader<R> {
    /// Reads from `source`. Errors refer to it as `source_name`.
    pub fn new(source: R, source_name: impl Into<String>) -> Self {
        Self {
            source,
            source_name: source_name.into(),
            buffer: Vec::new(),
            start: 0,
            end: 0,
            line: 0,
            state: State::Reading,
            within: false,
        }
    }

    /// Name of the source.
    pub fn source_name(&self) -> &str {
        &self.source_name
    }

    /// Number of the last line returned; 0 before the first.
    pub fn line_number(&self) -> u64 {
        self.line
    }

    /// The next line, or `None` at the end of the input.
    ///
    /// A line that is not valid UTF-8 is an error and is skipped: the next call returns the line after it. After an
    /// error of the source itself there are no more lines.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, ReadError> {
        let Some(raw) = self.next_raw_line()? else { return Ok(None) };
        let bytes = &self.buffer[raw.start..raw.end];
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Some(Line { number: self.line, text, ending: raw.ending })),
            Err(error) => {
                let valid = error.valid_up_to();
                let prefix = String::from_utf8_lossy(&bytes[..valid]);
                let found = format!("the byte 0x{:02x}, which is not valid UTF-8", bytes[valid]);
                let column = prefix.chars().count() as u64 + 1;
                Err(self.error_at(self.line, Some(column), "text in UTF-8", found))
            }
        }
    }

    /// The next line, or the next part of it: a line of more than `limit` bytes comes in parts of at least one and at most
    /// `limit` bytes, cut after white space if there is any, else between characters. All parts but the last have the ending
    /// [`LineEnding::Missing`], and so has the last line of the input; [`is_within_line`](Self::is_within_line) tells them
    /// apart.
    pub fn next_part(&mut self, limit: usize) -> Result<Option<Line<'_>>, ReadError> {
        // A character has at most four bytes.
        let limit = limit.max(4);
        while self.state == State::Reading && self.end - self.start <= limit && !self.has_feed() {
            self.fill()?;
        }
        let longest = self.start + limit.min(self.end - self.start);
        if memchr::memchr(b'\n', &self.buffer[self.start..longest]).is_some() || longest == self.end {
            self.within = false;
            return self.next_line();
        }
        let bytes = &self.buffer[self.start..longest];
        let valid = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            // The last character may go on behind the limit.
            Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => {
                std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => {
                self.within = false;
                return self.next_line();
            }
        };
        let blank = valid.char_indices().rev().find(|(_, c)| c.is_whitespace());
        let length = blank.map_or(valid.len(), |(at, c)| at + c.len_utf8());
        let start = self.start;
        self.start += length;
        self.within = true;
        // The number of the line that it is a part of.
        let number = self.line + 1;
        let text = std::str::from_utf8(&self.buffer[start..start + length]).unwrap_or_default();
        Ok(Some(Line { number, text, ending: LineEnding::Missing }))
    }

    /// Whether the last part returned is not the last one of its line.
    pub fn is_within_line(&self) -> bool {
        self.within
    }

    fn has_feed(&self) -> bool {
        memchr::memchr(b'\n', &self.buffer[self.start..self.end]).is_some()
    }

    /// Skips lines until one is empty or all white space, or the input ends. Invalid UTF-8 is ignored here.
    pub fn skip_to_blank_line(&mut self) -> Result<(), ReadError> {
        while let Some(raw) = self.next_raw_line()? {
            if self.buffer[raw.start..raw.end].iter().all(u8::is_ascii_whitespace) {
                break;
            }
        }
        Ok(())
    }

    /// A syntax error in this source.
    pub fn error_at(
        &self,
        line: u64,
        column: Option<u64>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> ReadError {
        ReadError::Syntax(SyntaxError {
            source_name: self.source_name.clone(),
            position: Position { line, column },
            expected: expected.into(),
            found: found.into(),
        })
    }

    fn next_raw_line(&mut self) -> Result<Option<RawLine>, ReadError> {
        // Bytes before this position are known to contain no line feed.
        let mut searched = self.start;
        loop {
            if let Some(offset) = memchr::memchr(b'\n', &self.buffer[searched..self.end]) {
                let feed = searched + offset;
                let start = std::mem::replace(&mut self.start, feed + 1);
                self.line += 1;
                return Ok(Some(if feed > start && self.buffer[feed - 1] == b'\r' {
                    RawLine { start, end: feed - 1, ending: LineEnding::CrLf }
                } else {
                    RawLine { start, end: feed, ending: LineEnding::Lf }
                }));
            }
            match self.state {
                State::Reading => {
                    let pending = self.end - self.start;
                    self.fill()?;
                    // Filling moves the pending bytes to the front of the buffer.
                    searched = self.start + pending.min(self.end - self.start);
                }
                State::Exhausted if self.start < self.end => {
                    let start = std::mem::replace(&mut self.start, self.end);
                    self.line += 1;
                    // A carriage return at the very end is half an ending: written again, a line feed would follow it.
                    let text = self.buffer[start..self.end].iter().rposition(|&byte| byte != b'\r');
                    let end = text.map_or(start, |last| start + last + 1);
                    return Ok(Some(RawLine { start, end, ending: LineEnding::Missing }));
                }
                State::Exhausted | State::Failed => return Ok(None),
            }
        }
    }

    /// Reads more bytes after the pending ones, making room first.
    fn fill(&mut self) -> Result<(), ReadError> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            if self.buffer.len() >= LONGEST_LINE {
                return Err(self.fail(too_long("line")));
            }
            // Doubling keeps the cost linear in the length of a very long line.
            let length = (self.buffer.len() * 2).max(BUFFER_BYTES);
            self.buffer.resize(length, 0);
        }
        let at_the_very_start = self.line == 0 && !self.within && self.end < BYTE_ORDER_MARK.len();
        loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.state = State::Exhausted,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.state = State::Failed;
                    self.start = self.end;
                    let source_name = self.source_name.clone();
                    return Err(ReadError::Io { source_name, line: self.line, error });
                }
            }
            // The mark may arrive in pieces: read on until it can be distinguished from text.
            let undecided = at_the_very_start
                && self.state == State::Reading
                && self.end < BYTE_ORDER_MARK.len()
                && BYTE_ORDER_MARK.starts_with(&self.buffer[..self.end]);
            if !undecided {
                break;
            }
        }
        if at_the_very_start && self.buffer[..self.end].starts_with(BYTE_ORDER_MARK) {
            self.start = BYTE_ORDER_MARK.len();
        }
        if at_the_very_start && is_utf16(&self.buffer[..self.end]) {
            return Err(self.fail(io::Error::new(io::ErrorKind::InvalidData, UTF16_MESSAGE)));
        }
        Ok(())
    }

    /// What makes no sense to read on from.
    fn fail(&mut self, error: io::Error) -> ReadError {
        self.state = State::Failed;
        self.start = self.end;
        ReadError::Io { source_name: self.source_name.clone(), line: self.line, error }
    }
}

/// The error of a line, or a token, of more than [`LONGEST_LINE`] bytes.
pub(crate) fn too_long(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("a {what} has more than {LONGEST_LINE} bytes"))
}

const UTF16_MESSAGE: &str =
    "the text is in UTF-16, but UTF-8 is needed; convert it first: `iconv -f UTF-16 -t UTF-8 FILE`";

/// Whether a text begins like UTF-16: with its byte order mark, or with every second byte zero, as text in Latin letters
/// has it.
fn is_utf16(start: &[u8]) -> bool {
    const LOOKED_AT: usize = 64;
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        return true;
    }
    let start = &start[..start.len().min(LOOKED_AT) / 2 * 2];
    let zeros = |offset: usize| start.iter().skip(offset).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd, half) = (zeros(0), zeros(1), start.len() / 2);
    half >= 4 && even.max(odd) * 4 >= half * 3 && even.min(odd) == 0
}

/// The character column, counted from 1, of byte `offset` of `text`.
pub(crate) fn column_of(text: &str, offset: usize) -> u64 {
    text.char_indices().take_while(|&(at, _)| at < offset).count() as u64 + 1
}

/// `text` in quotes for an error message, truncated to stay readable.
pub(crate) fn quote(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text.chars().take(LONGEST).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("{shown:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_lines_end() {
        let mut lines = LineReader::new(b"ab\n".chain(io::repeat(b'x')), "f");
        assert_eq!(lines.next_line().unwrap().unwrap().text, "ab");
        let told = lines.next_line().unwrap_err().to_string();
        assert_eq!(told, format!("cannot read f near line 1: a line has more than {LONGEST_LINE} bytes"));
        assert!(lines.next_line().unwrap().is_none());
        // A line may be nearly as long, and in parts there is no limit.
        let long = "y".repeat(LONGEST_LINE - 2) + "\nz";
        let mut lines = LineReader::new(long.as_bytes(), "f");
        assert_eq!(lines.next_line().unwrap().unwrap().text.len(), LONGEST_LINE - 2);
        let mut parts = LineReader::new(io::repeat(b'x').take(2 * LONGEST_LINE as u64), "f");
        let mut bytes = 0;
        while let Some(part) = parts.next_part(10_000).unwrap() {
            bytes += part.text.len();
        }
        assert_eq!(bytes, 2 * LONGEST_LINE);
    }

    /// Returns its bytes in pieces of a fixed size, as a pipe may.
    struct Drip<'a>(&'a [u8], usize);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn all_lines(bytes: &[u8], piece: usize) -> Vec<(u64, String, LineEnding)> {
        let mut lines = LineReader::new(Drip(bytes, piece), "test");
        let mut result = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            result.push((line.number, line.text.to_owned(), line.ending));
        }
        result
    }

    #[test]
    fn half_an_ending_at_the_end_of_the_input_is_no_text() {
        assert_eq!(all_lines(b"a\nb\r", 1)[1], (2, "b".to_owned(), LineEnding::Missing));
        assert_eq!(all_lines(b"a\nb\r\r", 2)[1], (2, "b".to_owned(), LineEnding::Missing));
        assert_eq!(all_lines(b"\r", 1), [(1, String::new(), LineEnding::Missing)]);
    }

    #[test]
    fn endings_and_numbers_do_not_depend_on_the_reads() {
        let long = "x".repeat(3 * BUFFER_BYTES + 17);
        let input = format!("\u{feff}ä\r\n\n{long}\nb\rc\n\r\nlast");
        let expected = [
            (1, "ä", LineEnding::CrLf),
            (2, "", LineEnding::Lf),
            (3, long.as_str(), LineEnding::Lf),
            (4, "b\rc", LineEnding::Lf),
            (5, "", LineEnding::CrLf),
            (6, "last", LineEnding::Missing),
        ];
        for piece in [1, 2, 3, 7, 4096, usize::MAX] {
            let lines = all_lines(input.as_bytes(), piece);
            assert_eq!(lines.len(), expected.len());
            for (line, (number, text, ending)) in lines.iter().zip(expected) {
                assert_eq!((line.0, line.1.as_str(), line.2), (number, text, ending));
            }
        }
    }

    #[test]
    fn a_byte_order_mark_alone_is_an_empty_input() {
        assert!(all_lines("\u{feff}".as_bytes(), 1).is_empty());
        assert!(all_lines(b"", 1).is_empty());
        assert_eq!(all_lines(b"\n", 1).len(), 1);
        // A byte order mark that is not at the start is text.
        assert_eq!(all_lines("a\n\u{feff}b".as_bytes(), 1)[1].1, "\u{feff}b");
    }

    #[test]
    fn bad_bytes_are_placed_and_passed_over() {
        let mut lines = LineReader::new(&b"good\n\xc3\xa4b\xff c\nnext\n"[..], "in.txt");
        assert_eq!(lines.next_line().unwrap().unwrap().text, "good");
        let error = lines.next_line().unwrap_err();
        assert_eq!(
            error.to_string(),
            "in.txt:2:3: expected text in UTF-8, found the byte 0xff, which is not valid UTF-8"
        );
        assert_eq!(lines.next_line().unwrap().unwrap().text, "next");
    }

    #[test]
    fn utf16_is_named() {
        let utf16 =
            |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        for text in [
            utf16("\u{feff}Ein Satz.\n", u16::to_le_bytes),
            utf16("\u{feff}Ein Satz.\n", u16::to_be_bytes),
            utf16("Ein Satz, und noch einer.\n", u16::to_le_bytes),
            utf16("Ein Satz, und noch einer.\n", u16::to_be_bytes),
        ] {
            let error = LineReader::new(Drip(&text, usize::MAX), "in.txt").next_line().unwrap_err();
            assert!(error.to_string().contains("UTF-16"), "{error}");
        }
        assert_eq!(all_lines(b"a\0b\n", 1)[0].1, "a\0b", "a stray zero byte is no UTF-16");
    }

    #[test]
    fn parts_are_the_lines() {
        let long = "wörter und mehr ".repeat(9_000);
        let solid = "あ".repeat(50_000);
        let input = format!("{long}\r\nshort\n\n{solid}\n{long}");
        for piece in [7, 4096, usize::MAX] {
            for limit in [16, 1000, 1 << 16] {
                let mut lines = LineReader::new(Drip(input.as_bytes(), piece), "test");
                let mut text = String::new();
                while let Some(part) = lines.next_part(limit).unwrap() {
                    assert!(part.text.len() <= limit);
                    text.push_str(part.text);
                    text.push_str(part.ending.as_str());
                    assert!(part.number <= 5);
                }
                assert_eq!(text, input);
                assert!(lines.buffer.len() <= 4 * BUFFER_BYTES.max(limit));
            }
        }
    }

    #[test]
    fn a_failing_source_ends_the_lines() {
        struct Failing(u8);
        impl Read for Failing {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                match self.0 {
                    1 => Err(io::ErrorKind::Interrupted.into()),
                    2 => {
                        buffer[..4].copy_from_slice(b"a\nbc");
                        Ok(4)
                    }
                    _ => Err(io::ErrorKind::BrokenPipe.into()),
                }
            }
        }
        let mut lines = LineReader::new(Failing(0), "pipe");
        assert_eq!(lines.next_line().unwrap().unwrap().text, "a");
        assert!(matches!(lines.next_line(), Err(ReadError::Io { line: 1, .. })));
        assert!(lines.next_line().unwrap().is_none());
    }
}
