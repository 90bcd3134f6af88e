//! Running text in pieces that can be processed independently: paragraphs, and parts of long ones.
//!
//! An empty line ends a paragraph. A paragraph longer than [`LONGEST`] bytes is split where a sentence seems to end; where
//! none does, at a line end, at white space in a line of that length, or else between characters. So memory does not grow with the
//! text, even if it is one endless line. The pieces, together with the white space between them, are exactly the input.

use std::io::Read;

use super::lines::LineReader;
use crate::error::ReadError;

/// A piece of more bytes than this is divided; with what is left of the one before, a piece has less than twice as many.
pub const LONGEST: usize = 1 << 16;

/// How far back the end of a sentence is looked for, in bytes.
const LOOK_BACK: usize = LONGEST / 4;

/// A piece of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Piece {
    /// Text, including line ends.
    pub text: String,
    /// Number of characters of the input before this piece.
    pub first_char: u64,
    /// Whether the piece begins a paragraph.
    pub opening: Opening,
}

/// Whether a piece is the first of its paragraph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Opening {
    /// The piece begins a paragraph.
    #[default]
    Paragraph,
    /// The piece continues a paragraph that is too long.
    Rest,
}

/// A stream of pieces. A line that is not valid UTF-8 is an error between the pieces before and after it; its
/// characters do not count.
///
/// ```
/// use eigentree_corpus::format::raw_text::RawTextReader;
/// let pieces: Vec<_> = RawTextReader::new("One\ntwo.\n\n\nThree.".as_bytes(), "-").collect::<Result<_, _>>()?;
/// assert_eq!(pieces[0].text, "One\ntwo.\n");
/// assert_eq!((pieces[1].text.as_str(), pieces[1].first_char), ("Three.", 11));
/// # Ok::<(), eigentree_corpus::error::ReadError>(())
/// ```
#[derive(Debug)]
pub struct RawTextReader<R> {
    lines: LineReader<R>,
    /// Number of characters before the next piece.
    chars: u64,
    opening: Opening,
    /// The beginning of the next piece: what follows the last end of a sentence in a piece that was too long.
    rest: String,
    /// An error to report after the preceding text.
    pending: Option<ReadError>,
}

impl<R: Read> RawTextReader<R> {
    /// Reads from `source`. Errors refer to it as `source_name`.
    pub fn new(source: R, source_name: impl Into<String>) -> Self {
        Self {
            lines: LineReader::new(source, source_name),
            chars: 0,
            opening: Opening::Paragraph,
            rest: String::new(),
            pending: None,
        }
    }

    fn piece(&mut self, text: String) -> Piece {
        let piece = Piece { first_char: self.chars, opening: self.opening, text };
        self.chars += piece.text.chars().count() as u64;
        piece
    }
}

impl<R: Read> Iterator for RawTextReader<R> {
    type Item = Result<Piece, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.pending.take() {
            return Some(Err(error));
        }
        let mut text = std::mem::take(&mut self.rest);
        loop {
            let continues = self.lines.is_within_line();
            let part = match self.lines.next_part(LONGEST) {
                Ok(part) => part,
                Err(error) if text.is_empty() => return Some(Err(error)),
                Err(error) => {
                    self.pending = Some(error);
                    return Some(Ok(self.piece(text)));
                }
            };
            let Some(part) = part else {
                return (!text.is_empty()).then(|| Ok(self.piece(text)));
            };
            let (before, ending) = (text.len(), part.ending.as_str());
            let blank = part.text.trim().is_empty().then(|| part.text.chars().count() + ending.len());
            text.push_str(part.text);
            text.push_str(ending);
            if let Some(chars) = blank.filter(|_| !continues && !self.lines.is_within_line()) {
                text.truncate(before);
                let ended = (!text.is_empty()).then(|| self.piece(std::mem::take(&mut text)));
                self.chars += chars as u64;
                self.opening = Opening::Paragraph;
                match ended {
                    Some(piece) => return Some(Ok(piece)),
                    None => continue,
                }
            }
            if text.len() >= LONGEST || self.lines.is_within_line() {
                if let Some(end) = sentence_end(&text) {
                    self.rest = text.split_off(end);
                }
                let piece = self.piece(text);
                self.opening = Opening::Rest;
                return Some(Ok(piece));
            }
        }
    }
}

/// Where a sentence seems to end in the last part of a text: the start of what follows a stop, closing marks and white space.
/// Small letters do not begin a sentence, and a full stop ends one only after a word of small letters (or letters without
/// case): a tokenizer decides the rest, but not across pieces.
fn sentence_end(text: &str) -> Option<usize> {
    let mut first = text.len().saturating_sub(LOOK_BACK);
    while !text.is_char_boundary(first) {
        first += 1;
    }
    let mut follows: Option<(usize, char)> = None;
    for (at, c) in text[first..].char_indices().rev().map(|(at, c)| (first + at, c)) {
        let end = at + c.len_utf8();
        match (c, follows) {
            ('。' | '！' | '？' | '｡', Some((start, next))) if start == end && !is_closing(next) => {
                return Some(end);
            }
            (c, Some((start, next)))
                if c.is_whitespace()
                    && start == end
                    && !next.is_lowercase()
                    && ends_with_stop(text[first..at].trim_end()) =>
            {
                return Some(start);
            }
            _ => {}
        }
        if !c.is_whitespace() {
            follows = Some((at, c));
        }
    }
    None
}

fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | ']' | '」' | '』' | '）')
}

fn ends_with_stop(text: &str) -> bool {
    let mut letters = text.trim_end_matches(is_closing).chars().rev();
    match letters.next() {
        Some('!' | '?' | '…' | '؟' | '۔' | '।' | '॥' | '։' | '።' | '。' | '！' | '？') => true,
        Some('.') => letters.take(2).filter(|c| c.is_alphabetic() && !c.is_uppercase()).count() == 2,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reconstructs the input from pieces and their positions.
    fn check(input: &str) -> Vec<Piece> {
        let pieces: Vec<Piece> = RawTextReader::new(input.as_bytes(), "-").collect::<Result<_, _>>().unwrap();
        let all: Vec<char> = input.chars().collect();
        let mut end = 0;
        for piece in &pieces {
            let first = piece.first_char as usize;
            let length = piece.text.chars().count();
            assert!(all[end..first].iter().all(|c| c.is_whitespace()));
            assert_eq!(all[first..first + length].iter().collect::<String>(), piece.text);
            assert!(piece.text.len() <= 2 * LONGEST);
            end = first + length;
        }
        assert!(all[end..].iter().all(|c| c.is_whitespace()));
        pieces
    }

    #[test]
    fn pieces_are_the_text() {
        check("");
        check("\n\n \n");
        assert_eq!(check("a\r\nb\r\n\r\n\u{3000}\nč d").len(), 2);
        let long = "wörd ".repeat(50_000);
        let pieces = check(&format!("x\n{long}\ny\n\nz"));
        assert!(pieces.len() > 3);
        assert_eq!(pieces.iter().filter(|piece| piece.opening == Opening::Paragraph).count(), 2);
        // A line of ten million bytes without white space.
        assert!(check(&"あ".repeat(3_400_000)).len() > 100);
        assert!(check(&"short lines\n".repeat(20_000)).len() > 2);
        assert_eq!(check("a\n \nb\n  ").len(), 2);
        assert_eq!(check(&format!("{}\n\nb", " ".repeat(3 * LONGEST))).last().unwrap().text, "b");
    }

    #[test]
    fn long_paragraphs_are_divided_between_sentences() {
        let sentences = [
            "This is a sentence, e.g. of Dr. No in 9. Month (of \"words.\")  ",
            "Kim geldi? Dokuz. yüzyılda geldi! ",
            "彼は来た。「はい。」と言った",
        ];
        for sentence in sentences {
            for between in ["", "\n"] {
                let text = format!("{sentence}{between}").repeat(5 * LONGEST / sentence.len());
                let pieces = check(&text);
                assert!(pieces.len() > 4, "{sentence}");
                for piece in &pieces[1..] {
                    let before = &text[..offset(&text, piece.first_char)];
                    let end = before.trim_end();
                    let ends = ["\")", "?", "!", "。"].iter().any(|mark| end.ends_with(mark));
                    assert!(ends, "{sentence}: {}", piece.first_char);
                }
            }
        }
        // Nothing that looks like the end of a sentence.
        for text in ["words, e.g. no end Mr. X. ", "v. 3. "] {
            let pieces = check(&text.repeat(3 * LONGEST / text.len()));
            assert!(pieces[..2].iter().all(|piece| piece.text.len() > LONGEST - 16), "{text}");
        }
    }

    /// The byte at which a character begins.
    fn offset(text: &str, chars: u64) -> usize {
        text.char_indices().nth(chars as usize).map_or(text.len(), |(at, _)| at)
    }

    /// Gives the same words for ever.
    struct Endless;

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            buffer.iter_mut().zip(b"words and ".iter().cycle()).for_each(|(to, from)| *to = *from);
            Ok(buffer.len() / 10 * 10)
        }
    }

    #[test]
    fn an_endless_line_comes_in_pieces() {
        for piece in RawTextReader::new(Endless, "-").take(5_000) {
            let piece = piece.unwrap();
            assert!(piece.text.len() <= LONGEST && piece.text.ends_with(' '), "{}", piece.text.len());
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_told() {
        let mut reader = RawTextReader::new(&b"good\nb\xffd\n\nfine\n"[..], "in.txt");
        assert_eq!(reader.next().unwrap().unwrap().text, "good\n");
        let error = reader.next().unwrap().unwrap_err();
        assert!(error.to_string().starts_with("in.txt:2"), "{error}");
        assert_eq!(reader.next().unwrap().unwrap().text, "fine\n");
    }
}
