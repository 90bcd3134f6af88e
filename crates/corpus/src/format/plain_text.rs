//! Plain text: one sentence per line, tokens separated by spaces; with tags, `word_TAG`.
//!
//! Separators are space, tab, form feed and CR. Other Unicode white space, such as the no-break space or the
//! ideographic space, is part of a token: treebanks have such tokens (`10 000`), and text written from a treebank must
//! be read back with the same tokens.
//!
//! In tagged text the last `_` of a token separates word and tag: `snake_case_NN` is the word `snake_case`. A token
//! that ends in `__` has the tag `_`, which means that no tag is given. A `_` inside a tag is written `\_`. To keep
//! this unambiguous, backslashes directly before a `_` are doubled, in words and tags alike; all other backslashes
//! stand for themselves (`and\/or_CC`).
//!
//! Corpora such as Brown's write `word/TAG` instead: there the last `/` separates, and nothing is escaped.
//!
//! Words written as in Penn brackets, `-LRB-` and its kin, are read as the brackets that they stand for, since models have
//! learnt those.

use std::io::{self, Read, Write};

use super::lines::{LineReader, column_of, quote};
use crate::error::ReadError;

/// Token format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TokenStyle {
    /// A word.
    #[default]
    Words,
    /// `word_TAG`.
    Tagged,
    /// `word/TAG`.
    Slashed,
    /// Any token, brackets of Penn trees included, as it stands: for tags, and for words that are counted.
    Verbatim,
}

/// Treatment of lines without tokens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum BlankLines {
    /// Skip them.
    #[default]
    Skip,
    /// Read them as empty sentences, so that sentences and lines correspond.
    Keep,
}

/// A sentence of words with optional tags.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlainSentence {
    text: String,
    /// `text[start..word_end]` is the word and `text[word_end..tag_end]` its tag, empty if not given.
    tokens: Vec<PlainToken>,
    line: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PlainToken {
    start: usize,
    word_end: usize,
    tag_end: usize,
}

impl PlainSentence {
    /// Number of words.
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The words.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.tokens.iter().map(|token| &self.text[token.start..token.word_end])
    }

    /// The tags of the words, where given.
    pub fn tags(&self) -> impl ExactSizeIterator<Item = Option<&str>> + Clone {
        let tag = |token: &PlainToken| &self.text[token.word_end..token.tag_end];
        self.tokens.iter().map(move |token| Some(tag(token)).filter(|tag| !tag.is_empty()))
    }

    /// Line number in the input.
    pub fn line(&self) -> u64 {
        self.line
    }
}

/// A stream of sentences. A line that cannot be read is an error, after which the next line follows.
///
/// ```
/// use eigentree_corpus::format::plain_text::{PlainTextReader, TokenStyle};
/// let mut reader = PlainTextReader::new("Dogs_NNS bark__\n".as_bytes(), "-", TokenStyle::Tagged);
/// let sentence = reader.next().unwrap()?;
/// assert_eq!(sentence.words().collect::<Vec<_>>(), ["Dogs", "bark"]);
/// assert_eq!(sentence.tags().collect::<Vec<_>>(), [Some("NNS"), None]);
/// # Ok::<(), eigentree_corpus::error::ReadError>(())
/// ```
#[derive(Debug)]
pub struct PlainTextReader<R> {
    lines: LineReader<R>,
    style: TokenStyle,
    blank_lines: BlankLines,
}

impl<R: Read> PlainTextReader<R> {
    /// Reads from `source`. Errors refer to it as `source_name`. Blank lines are skipped.
    pub fn new(source: R, source_name: impl Into<String>, style: TokenStyle) -> Self {
        Self { lines: LineReader::new(source, source_name), style, blank_lines: BlankLines::default() }
    }

    /// Sets the treatment of blank lines.
    pub fn blank_lines(self, blank_lines: BlankLines) -> Self {
        Self { blank_lines, ..self }
    }

    /// Number of the last line read.
    pub fn line_number(&self) -> u64 {
        self.lines.line_number()
    }

    fn read_sentence(&mut self) -> Result<Option<PlainSentence>, ReadError> {
        loop {
            let Some(line) = self.lines.next_line()? else { return Ok(None) };
            let mut sentence = PlainSentence { line: line.number, ..PlainSentence::default() };
            let result = match self.style {
                TokenStyle::Words => {
                    read_words(line.text, &mut sentence, bracket);
                    Ok(())
                }
                TokenStyle::Verbatim => {
                    read_words(line.text, &mut sentence, |_| None);
                    Ok(())
                }
                TokenStyle::Tagged => read_tagged(line.text, &mut sentence),
                TokenStyle::Slashed => read_slashed(line.text, &mut sentence),
            };
            if let Err((offset, expected, found)) = result {
                let (number, column) = (line.number, column_of(line.text, offset));
                return Err(self.lines.error_at(number, Some(column), expected, found));
            }
            if !sentence.is_empty() || self.blank_lines == BlankLines::Keep {
                return Ok(Some(sentence));
            }
        }
    }
}

impl<R: Read> Iterator for PlainTextReader<R> {
    type Item = Result<PlainSentence, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read_sentence().transpose()
    }
}

fn is_blank(character: char) -> bool {
    character.is_ascii_whitespace()
}

/// The tokens of `line` with their byte offsets.
fn split_blanks(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let origin = line.as_ptr() as usize;
    line.split(is_blank)
        .filter(|token| !token.is_empty())
        .map(move |token| (token.as_ptr() as usize - origin, token))
}

/// The bracket that a word of Penn brackets stands for.
fn bracket(word: &str) -> Option<&'static str> {
    let name = word.strip_prefix('-')?.strip_suffix('-')?;
    let names = [("LRB", "("), ("RRB", ")"), ("LSB", "["), ("RSB", "]"), ("LCB", "{"), ("RCB", "}")];
    names.iter().find(|(known, _)| *known == name).map(|&(_, bracket)| bracket)
}

fn read_words(line: &str, sentence: &mut PlainSentence, read_as: fn(&str) -> Option<&'static str>) {
    sentence.text.push_str(line);
    for (start, token) in split_blanks(line) {
        let (start, token) = match read_as(token) {
            None => (start, token),
            Some(bracket) => {
                let start = sentence.text.len();
                sentence.text.push_str(bracket);
                (start, bracket)
            }
        };
        let end = start + token.len();
        sentence.tokens.push(PlainToken { start, word_end: end, tag_end: end });
    }
}

fn read_slashed(line: &str, sentence: &mut PlainSentence) -> Result<(), (usize, &'static str, String)> {
    for (offset, token) in split_blanks(line) {
        let parts = token.rsplit_once('/').filter(|(word, tag)| !word.is_empty() && !tag.is_empty());
        let Some((word, tag)) = parts else {
            return Err((offset, "`word/TAG`, with the tag `_` if none is given", quote(token)));
        };
        let start = sentence.text.len();
        sentence.text.push_str(bracket(word).unwrap_or(word));
        let word_end = sentence.text.len();
        sentence.text.push_str(if tag == "_" { "" } else { tag });
        sentence.tokens.push(PlainToken { start, word_end, tag_end: sentence.text.len() });
    }
    Ok(())
}

fn read_tagged(line: &str, sentence: &mut PlainSentence) -> Result<(), (usize, &'static str, String)> {
    sentence.text.reserve(line.len());
    for (offset, token) in split_blanks(line) {
        let Some((word, tag)) = split_tag(token) else {
            let expected = match token.contains('/') {
                true => {
                    "`word_TAG`, with the tag `_` if none is given; the format of `word/TAG` is `slashed`"
                }
                false => "`word_TAG`, with the tag `_` if none is given",
            };
            return Err((offset, expected, quote(token)));
        };
        let start = sentence.text.len();
        match bracket(word) {
            Some(bracket) => sentence.text.push_str(bracket),
            None => unescape(word, Behind::Separator, &mut sentence.text),
        }
        let word_end = sentence.text.len();
        unescape(tag, Behind::Blank, &mut sentence.text);
        if &sentence.text[word_end..] == "_" {
            sentence.text.truncate(word_end);
        }
        sentence.tokens.push(PlainToken { start, word_end, tag_end: sentence.text.len() });
    }
    Ok(())
}

/// Splits at the separator, leaving escapes unchanged. `None` if the separator, the word or the tag is missing.
fn split_tag(token: &str) -> Option<(&str, &str)> {
    let separates = |at: &usize| backslashes_before(token, *at).is_multiple_of(2);
    if let Some(word) = token.strip_suffix("__").filter(|word| separates(&word.len())) {
        return (!word.is_empty()).then_some((word, "_"));
    }
    let at = memchr::memrchr_iter(b'_', token.as_bytes()).find(separates)?;
    let (word, tag) = (&token[..at], &token[at + 1..]);
    (!word.is_empty() && !tag.is_empty()).then_some((word, tag))
}

fn backslashes_before(text: &str, at: usize) -> usize {
    text.as_bytes()[..at].iter().rev().take_while(|&&byte| byte == b'\\').count()
}

/// What follows a part of a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    /// `_`, after a word.
    Separator,
    /// The end of the token, after a tag.
    Blank,
}

/// Halves the backslashes before each `_`, including the separator. An odd one escapes it.
fn unescape(part: &str, behind: Behind, into: &mut String) {
    let mut rest = part;
    while let Some(at) = rest.find('\\') {
        let run = count_backslashes(&rest[at..]);
        let after = &rest[at + run..];
        let kept = if underscore_follows(after, behind) { run / 2 } else { run };
        into.push_str(&rest[..at]);
        into.extend(std::iter::repeat_n('\\', kept));
        rest = after;
    }
    into.push_str(rest);
}

/// The inverse of [`unescape`]. Underscores are written as `underscore`: in a tag they must not separate.
fn escape(part: &str, behind: Behind, underscore: &str, into: &mut String) {
    let mut rest = part;
    while let Some(at) = rest.find(['\\', '_']) {
        let run = count_backslashes(&rest[at..]);
        let after = &rest[at + run..];
        into.push_str(&rest[..at]);
        into.extend(std::iter::repeat_n('\\', if underscore_follows(after, behind) { 2 * run } else { run }));
        rest = match after.strip_prefix('_') {
            Some(beyond) => {
                into.push_str(underscore);
                beyond
            }
            None => after,
        };
    }
    into.push_str(rest);
}

fn count_backslashes(text: &str) -> usize {
    text.bytes().take_while(|&byte| byte == b'\\').count()
}

fn underscore_follows(after: &str, behind: Behind) -> bool {
    after.starts_with('_') || (after.is_empty() && behind == Behind::Separator)
}

/// Writes sentences to `W`, one per line.
#[derive(Debug)]
pub struct PlainTextWriter<W> {
    sink: W,
    buffer: String,
}

impl<W: Write> PlainTextWriter<W> {
    /// Writes to `sink`.
    pub fn new(sink: W) -> Self {
        Self { sink, buffer: String::new() }
    }

    /// Writes words. A word that is empty or contains white space could not be read back:
    /// [`io::ErrorKind::InvalidInput`].
    pub fn write_words<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) -> io::Result<()> {
        self.buffer.clear();
        for word in words {
            check_token(word)?;
            if !self.buffer.is_empty() {
                self.buffer.push(' ');
            }
            self.buffer.push_str(word);
        }
        self.end_line()
    }

    /// Writes words with tags, in the same way. A tag `_` is read back as missing.
    pub fn write_tagged<'a>(
        &mut self,
        tokens: impl IntoIterator<Item = (&'a str, Option<&'a str>)>,
    ) -> io::Result<()> {
        self.buffer.clear();
        for (word, tag) in tokens {
            check_token(word)?;
            if !self.buffer.is_empty() {
                self.buffer.push(' ');
            }
            escape(word, Behind::Separator, "_", &mut self.buffer);
            self.buffer.push('_');
            match tag.filter(|&tag| tag != "_") {
                Some(tag) => {
                    check_token(tag)?;
                    escape(tag, Behind::Blank, "\\_", &mut self.buffer);
                }
                None => self.buffer.push('_'),
            }
        }
        self.end_line()
    }

    /// Flushes and returns the sink.
    pub fn into_inner(mut self) -> io::Result<W> {
        self.sink.flush()?;
        Ok(self.sink)
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.buffer.push('\n');
        self.sink.write_all(self.buffer.as_bytes())
    }
}

fn check_token(token: &str) -> io::Result<()> {
    if token.is_empty() || token.contains(is_blank) {
        let message = format!(
            "{} is empty or contains white space, which separates tokens in plain text",
            quote(token)
        );
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tagged(line: &str) -> Vec<(String, Option<String>)> {
        let sentence =
            PlainTextReader::new(line.as_bytes(), "-", TokenStyle::Tagged).next().unwrap().unwrap();
        sentence.words().map(str::to_owned).zip(sentence.tags().map(|tag| tag.map(str::to_owned))).collect()
    }

    #[test]
    fn the_last_underscore_separates() {
        let cases = [
            ("dog_NN", "dog", Some("NN")),
            ("snake_case_NN", "snake_case", Some("NN")),
            ("dog__", "dog", None),
            ("___", "_", None),
            ("__NN", "_", Some("NN")),
            ("a__NN", "a_", Some("NN")),
            (r"and\/or_CC", r"and\/or", Some("CC")),
            (r"\\_SYM", r"\", Some("SYM")),
            (r"x_A\_B", "x", Some("A_B")),
            (r"x\\_A\_B", r"x\", Some("A_B")),
            (r"x\\__", r"x\", None),
            (r"x_A\", "x", Some(r"A\")),
            (r"x_\_", "x", None),
        ];
        for (token, word, tag) in cases {
            assert_eq!(tagged(token), [(word.to_owned(), tag.map(str::to_owned))], "{token}");
        }
    }

    #[test]
    fn tokens_without_word_or_tag_are_refused_in_place() {
        let slashed = PlainTextReader::new("dog/NN".as_bytes(), "f", TokenStyle::Tagged).next().unwrap();
        assert!(slashed.unwrap_err().to_string().contains("the format of `word/TAG` is `slashed`"));
        for bad in ["dog", "_NN", "dog_", "_", "__", r"x\_NN", r"x\__"] {
            let input = format!("ä_X {bad}\nok_X\n");
            let mut reader = PlainTextReader::new(input.as_bytes(), "f", TokenStyle::Tagged);
            let message = reader.next().unwrap().unwrap_err().to_string();
            assert!(message.starts_with("f:1:5: expected `word_TAG`"), "{bad}: {message}");
            assert_eq!(reader.next().unwrap().unwrap().line(), 2);
        }
    }

    #[test]
    fn only_ascii_blanks_separate() {
        let input = " a\u{a0}b\tc \u{3000}\r\n\n d\u{c}e";
        let sentences: Vec<_> =
            PlainTextReader::new(input.as_bytes(), "-", TokenStyle::Words).map(Result::unwrap).collect();
        assert_eq!(sentences[0].words().collect::<Vec<_>>(), ["a\u{a0}b", "c", "\u{3000}"]);
        assert_eq!(sentences[1].words().collect::<Vec<_>>(), ["d", "e"]);
        assert_eq!(sentences[1].line(), 3);
        assert!(sentences[0].tags().all(|tag| tag.is_none()));
        let reader =
            PlainTextReader::new(input.as_bytes(), "-", TokenStyle::Words).blank_lines(BlankLines::Keep);
        assert_eq!(reader.map(|sentence| sentence.unwrap().len()).collect::<Vec<_>>(), [3, 0, 2]);
    }

    #[test]
    fn brackets_are_read_but_tags_are_not_changed() {
        let read = |style, text: &str| {
            let sentence = PlainTextReader::new(text.as_bytes(), "-", style).next().unwrap().unwrap();
            let tags = sentence.tags().map(|tag| tag.unwrap_or("-").to_owned());
            sentence
                .words()
                .map(str::to_owned)
                .zip(tags)
                .map(|(word, tag)| format!("{word} {tag}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(read(TokenStyle::Words, "-LRB- a -RCB- -LRB-x"), ["( -", "a -", "} -", "-LRB-x -"]);
        assert_eq!(read(TokenStyle::Verbatim, "-LRB- NN"), ["-LRB- -", "NN -"]);
        assert_eq!(read(TokenStyle::Tagged, "-LRB-_-LRB- a_NN"), ["( -LRB-", "a NN"]);
        assert_eq!(read(TokenStyle::Slashed, "1/2/CD -RRB-/-RRB- a/_"), ["1/2 CD", ") -RRB-", "a -"]);
        for bad in ["a", "/NN", "a/"] {
            let error =
                PlainTextReader::new(bad.as_bytes(), "f", TokenStyle::Slashed).next().unwrap().unwrap_err();
            assert!(error.to_string().contains("`word/TAG`"), "{error}");
        }
    }

    #[test]
    fn what_cannot_be_read_back_is_not_written() {
        let mut writer = PlainTextWriter::new(Vec::new());
        assert!(writer.write_words(["a", "b c"]).is_err());
        assert!(writer.write_words(["a", ""]).is_err());
        assert!(writer.write_tagged([("a", Some("x y"))]).is_err());
        assert!(writer.into_inner().unwrap().is_empty());
    }
}
