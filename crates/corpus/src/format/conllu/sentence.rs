//! A sentence in memory: one text buffer, and for each line the places of its ten columns in it.
//!
//! Three allocations per sentence, whatever its length, and none per token, are what makes reading fast. A changed column
//! is appended to the buffer and its place redirected, so every other column keeps its bytes.

use std::ops::Range;

use super::sequence::IdSequence;
use super::token::parse_number;
use super::{Column, Columns, Token, TokenId};
use crate::dependency::Head;
use crate::format::lines::LineEnding;

/// A range of the text buffer. Half the size of a `Range<usize>`: there are ten in each row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    #[inline]
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One token line. `columns[c]` is the place of column `c` in the sentence's text.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) id: TokenId,
    /// The HEAD column as a number; `None` for `_`.
    pub(super) head: Option<Head>,
    pub(super) columns: [Span; Column::COUNT],
}

/// Why a sentence could not be built or changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SentenceError {
    /// A column may not hold this.
    #[error(
        "cannot put {value:?} into {column}: a column holds at least one character and no TAB, CR or LF; use `_` for nothing"
    )]
    Field {
        /// The column.
        column: Column,
        /// The value refused.
        value: String,
    },
    /// A comment may not hold this.
    #[error(
        "cannot add the comment {value:?}: a comment begins with `#`, holds no CR or LF, and stands before all tokens"
    )]
    Comment {
        /// The comment refused.
        value: String,
    },
    /// The id does not follow the ids so far.
    #[error("cannot add the token {id}: expected {expected}")]
    Id {
        /// The id refused.
        id: TokenId,
        /// What might have come.
        expected: String,
    },
    /// Only words have heads.
    #[error("cannot give the token {id} a head: only words have one")]
    HeadOfNoWord {
        /// The range or empty node.
        id: TokenId,
    },
    /// The head is not a word of the sentence.
    #[error("cannot make word {head} a head in a sentence of {words} words")]
    HeadOutOfRange {
        /// The head refused.
        head: Head,
        /// Words in the sentence.
        words: usize,
    },
    /// There is no such word.
    #[error("there is no word at index {index} in a sentence of {words} words")]
    NoSuchWord {
        /// The index asked for, from 0.
        index: usize,
        /// Words in the sentence.
        words: usize,
    },
    /// The text of one sentence has outgrown its 32-bit places.
    #[error("a sentence cannot hold more than 4 GiB of text")]
    TooLong,
}

/// A sentence of CoNLL-U.
///
/// ```
/// use eigentree_corpus::{dependency::Head, format::conllu::{Columns, Sentence}};
/// let mut sentence = Sentence::new();
/// sentence.push_comment("# sent_id = 1")?;
/// sentence.push_word(Columns { form: "Dogs", ..Columns::default() })?;
/// sentence.push_word(Columns { form: "bark", ..Columns::default() })?;
/// sentence.set_head(0, Head::word(1))?;
/// sentence.set_head(1, Some(Head::ROOT))?;
/// assert_eq!(sentence.sent_id(), Some("1"));
/// let heads: Vec<_> = sentence.words().map(|word| word.head()).collect();
/// assert_eq!(heads, [Head::word(1), Some(Head::ROOT)]);
/// # Ok::<(), eigentree_corpus::format::conllu::SentenceError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sentence {
    text: String,
    comments: Vec<Span>,
    rows: Vec<Row>,
    /// `word_rows[i]` is the row of the word at index `i`.
    word_rows: Vec<u32>,
    sequence: IdSequence,
    ending: LineEnding,
    first_line: u64,
}

impl Sentence {
    /// A sentence with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of words: ranges and empty nodes do not count.
    #[inline]
    pub fn len(&self) -> usize {
        self.word_rows.len()
    }

    /// Whether it has no words.
    pub fn is_empty(&self) -> bool {
        self.word_rows.is_empty()
    }

    /// The syntactic words, in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = Token<'_>> + DoubleEndedIterator + Clone {
        self.word_rows.iter().map(|&row| self.token(row as usize))
    }

    /// The word at `index`, from 0.
    pub fn word(&self, index: usize) -> Option<Token<'_>> {
        self.word_rows.get(index).map(|&row| self.token(row as usize))
    }

    /// All lines: words, ranges and empty nodes, in the order of the file.
    pub fn tokens(&self) -> impl ExactSizeIterator<Item = Token<'_>> + DoubleEndedIterator + Clone {
        (0..self.rows.len()).map(|row| self.token(row))
    }

    /// The comments with their `#`, in order.
    pub fn comments(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.comments.iter().map(|span| &self.text[span.range()])
    }

    /// The value of the first comment `# key = value`.
    pub fn comment_value(&self, key: &str) -> Option<&str> {
        self.comments().find_map(|comment| {
            let (name, value) = comment.strip_prefix('#')?.split_once('=')?;
            (name.trim() == key).then(|| value.trim())
        })
    }

    /// The value of `# sent_id`.
    pub fn sent_id(&self) -> Option<&str> {
        self.comment_value("sent_id")
    }

    /// The value of `# text`.
    pub fn text_comment(&self) -> Option<&str> {
        self.comment_value("text")
    }

    /// Number of its first line in the input, comments included; 0 if it was not read.
    pub fn first_line(&self) -> u64 {
        self.first_line
    }

    /// How its lines end when it is written.
    pub fn line_ending(&self) -> LineEnding {
        self.ending
    }

    /// Adds a comment, which must begin with `#`, after the comments so far.
    pub fn push_comment(&mut self, comment: &str) -> Result<(), SentenceError> {
        if !comment.starts_with('#')
            || memchr::memchr2(b'\n', b'\r', comment.as_bytes()).is_some()
            || !self.rows.is_empty()
        {
            return Err(SentenceError::Comment { value: comment.to_owned() });
        }
        let span = self.append(comment)?;
        self.comments.push(span);
        Ok(())
    }

    /// Adds a word with the next number. Its head may be a word still to come; that it has come by then is checked when
    /// the sentence is written.
    pub fn push_word(&mut self, columns: Columns<'_>) -> Result<(), SentenceError> {
        self.push_token(TokenId::Word(self.sequence.words() + 1), columns)
    }

    /// Adds a token, whose id must follow the ids so far.
    pub fn push_token(&mut self, id: TokenId, columns: Columns<'_>) -> Result<(), SentenceError> {
        if columns.head.is_some() && !matches!(id, TokenId::Word(_)) {
            return Err(SentenceError::HeadOfNoWord { id });
        }
        let id_text = id.to_string();
        let head_text = columns.head.map_or_else(|| "_".to_owned(), |head| head.to_string());
        let Columns { form, lemma, upos, xpos, feats, head, deprel, deps, misc } = columns;
        let fields = [&id_text, form, lemma, upos, xpos, feats, &head_text, deprel, deps, misc];
        for (column, value) in Column::ALL.into_iter().zip(fields) {
            check_field(column, value)?;
        }
        let rollback = self.text.len();
        let mut spans = [Span::default(); Column::COUNT];
        for (span, value) in spans.iter_mut().zip(fields) {
            *span = self.append(value)?;
        }
        self.push_row(Row { id, head, columns: spans }).map_err(|expected| {
            self.text.truncate(rollback);
            SentenceError::Id { id, expected }
        })
    }

    /// Sets or removes the head of the word at `index`.
    pub fn set_head(&mut self, index: usize, head: Option<Head>) -> Result<(), SentenceError> {
        if let Some(head) = head.filter(|head| head.number() > self.len()) {
            return Err(SentenceError::HeadOutOfRange { head, words: self.len() });
        }
        let text = head.map_or_else(|| "_".to_owned(), |head| head.to_string());
        self.replace(index, Column::Head, &text)?;
        let row = self.word_rows[index] as usize;
        self.rows[row].head = head;
        Ok(())
    }

    /// Sets UPOS of the word at `index`.
    pub fn set_upos(&mut self, index: usize, upos: &str) -> Result<(), SentenceError> {
        self.replace(index, Column::Upos, upos)
    }

    /// Sets XPOS of the word at `index`.
    pub fn set_xpos(&mut self, index: usize, xpos: &str) -> Result<(), SentenceError> {
        self.replace(index, Column::Xpos, xpos)
    }

    /// Sets DEPREL of the word at `index`.
    pub fn set_deprel(&mut self, index: usize, deprel: &str) -> Result<(), SentenceError> {
        self.replace(index, Column::Deprel, deprel)
    }

    /// Sets DEPS of the word at `index`: a parser that changes heads will want to blank it.
    pub fn set_deps(&mut self, index: usize, deps: &str) -> Result<(), SentenceError> {
        self.replace(index, Column::Deps, deps)
    }

    /// Sets MISC of the word at `index`.
    pub fn set_misc(&mut self, index: usize, misc: &str) -> Result<(), SentenceError> {
        self.replace(index, Column::Misc, misc)
    }

    /// Makes it empty, and keeps its memory for the next one.
    pub fn clear(&mut self) {
        self.text.clear();
        self.comments.clear();
        self.rows.clear();
        self.word_rows.clear();
        self.sequence = IdSequence::default();
        self.ending = LineEnding::Lf;
        self.first_line = 0;
    }

    fn token(&self, row: usize) -> Token<'_> {
        Token { text: &self.text, row: &self.rows[row] }
    }

    fn replace(&mut self, index: usize, column: Column, value: &str) -> Result<(), SentenceError> {
        let Some(&row) = self.word_rows.get(index) else {
            return Err(SentenceError::NoSuchWord { index, words: self.len() });
        };
        check_field(column, value)?;
        let old = self.rows[row as usize].columns[column as usize];
        if old.range().len() == value.len() {
            // Repeated edits of equal length, such as heads, then do not make the buffer grow.
            self.text.replace_range(old.range(), value);
        } else {
            self.rows[row as usize].columns[column as usize] = self.append(value)?;
        }
        Ok(())
    }

    fn append(&mut self, value: &str) -> Result<Span, SentenceError> {
        let (start, end) = (self.text.len(), self.text.len() + value.len());
        let end = u32::try_from(end).map_err(|_| SentenceError::TooLong)?;
        self.text.push_str(value);
        // `start <= end`, so it fits as well.
        Ok(Span { start: start as u32, end })
    }

    fn push_row(&mut self, row: Row) -> Result<(), String> {
        self.sequence.admit(row.id)?;
        if matches!(row.id, TokenId::Word(_)) {
            // Each row owns at least ten bytes of a text below 4 GiB.
            self.word_rows.push(self.rows.len() as u32);
        }
        self.rows.push(row);
        Ok(())
    }
}

/// What the reader needs beyond the public interface.
impl Sentence {
    pub(super) fn begin(&mut self, first_line: u64, ending: LineEnding) {
        self.first_line = first_line;
        self.ending = match ending {
            LineEnding::CrLf => LineEnding::CrLf,
            LineEnding::Lf | LineEnding::Missing => LineEnding::Lf,
        };
    }

    /// Adds a comment that is known to be one line beginning with `#`.
    pub(super) fn read_comment(&mut self, line: &str) -> Result<(), LineFault> {
        if !self.rows.is_empty() {
            return Err(LineFault::new(0, "comments only before the first token", "a comment"));
        }
        let span = self.append(line).map_err(|_| LineFault::too_long())?;
        self.comments.push(span);
        Ok(())
    }

    /// Adds a token line.
    pub(super) fn read_token(&mut self, line: &str) -> Result<(), LineFault> {
        let base = self.append(line).map_err(|_| LineFault::too_long())?.start;
        let mut columns = [Span::default(); Column::COUNT];
        let mut start = 0;
        let mut count = 0;
        for end in memchr::memchr_iter(b'\t', line.as_bytes()).chain([line.len()]) {
            if let Some(column) = columns.get_mut(count) {
                *column = Span { start: base + start as u32, end: base + end as u32 };
                if start == end {
                    let expected =
                        format!("something in column {}, `_` if nothing is given", Column::ALL[count]);
                    return Err(LineFault::new(start, expected, "an empty column"));
                }
            }
            count += 1;
            start = end + 1;
        }
        if count != Column::COUNT {
            return Err(LineFault::column_count(line, count));
        }
        let field = |column: Column| {
            let span = columns[column as usize];
            let range = (span.start - base) as usize..(span.end - base) as usize;
            (range.start, &line[range])
        };
        let (id_at, id_text) = field(Column::Id);
        let Some(id) = TokenId::parse(id_text) else {
            let expected = "an id such as `7`, `7-8` or `7.1`";
            return Err(LineFault::new(id_at, expected, crate::format::lines::quote(id_text)));
        };
        let (head_at, head_text) = field(Column::Head);
        let head = if head_text == "_" {
            None
        } else {
            let head = parse_number(head_text).and_then(|number| Head::from_number(number as usize));
            let Some(head) = head.filter(|_| matches!(id, TokenId::Word(_))) else {
                let expected = match id {
                    TokenId::Word(_) => "the number of a head, 0 or `_`",
                    TokenId::Range { .. } | TokenId::Empty { .. } => "the head `_`, as only words have heads",
                };
                return Err(LineFault::new(head_at, expected, crate::format::lines::quote(head_text)));
            };
            Some(head)
        };
        self.push_row(Row { id, head, columns })
            .map_err(|expected| LineFault::new(id_at, expected, format!("the id {id}")))
    }

    /// Checks what can be known only at the end: that heads and ranges stay within the words. Gives the row at fault.
    pub(super) fn finish(&self) -> Result<(), (usize, LineFault)> {
        let words = self.sequence.words();
        // Heads are checked in one pass without branches that depend on the data; the culprit is sought only if there is one.
        let largest = self.rows.iter().filter_map(|row| row.head).max();
        if largest.is_some_and(|head| head.number() > words as usize) {
            for (index, row) in self.rows.iter().enumerate() {
                if let Some(head) = row.head.filter(|head| head.number() > words as usize) {
                    let at = self.offset_in_line(row, Column::Head);
                    let expected = format!("a head from 0 to {words}, the last word of the sentence");
                    return Err((index, LineFault::new(at, expected, format!("the head {head}"))));
                }
            }
        }
        if self.sequence.range_end() > words {
            for (index, row) in self.rows.iter().enumerate() {
                if let TokenId::Range { last, .. } = row.id {
                    if last > words {
                        let expected =
                            format!("a range up to word {words} at most, the last of the sentence");
                        return Err((index, LineFault::new(0, expected, format!("the range {}", row.id))));
                    }
                }
            }
        }
        Ok(())
    }

    /// The text of the line that `row` was read from, for columns in error messages.
    pub(super) fn line_text(&self, row: usize) -> &str {
        let columns = &self.rows[row].columns;
        &self.text[columns[0].range().start..columns[Column::COUNT - 1].range().end]
    }

    pub(super) fn row_count(&self) -> usize {
        self.rows.len()
    }

    fn offset_in_line(&self, row: &Row, column: Column) -> usize {
        row.columns[column as usize].range().start - row.columns[0].range().start
    }
}

/// Equal if they would be written alike.
impl PartialEq for Sentence {
    fn eq(&self, other: &Self) -> bool {
        self.ending == other.ending
            && self.rows.len() == other.rows.len()
            && self.comments().eq(other.comments())
            && self.tokens().zip(other.tokens()).all(|(left, right)| {
                Column::ALL.iter().all(|&column| left.column(column) == right.column(column))
            })
    }
}

impl Eq for Sentence {}

/// A fault within one line, at a byte offset of it.
#[derive(Debug)]
pub(super) struct LineFault {
    pub(super) offset: usize,
    pub(super) expected: String,
    pub(super) found: String,
}

impl LineFault {
    fn new(offset: usize, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { offset, expected: expected.into(), found: found.into() }
    }

    fn too_long() -> Self {
        Self::new(0, "a sentence of less than 4 GiB, ended by a blank line", "a longer one")
    }

    fn column_count(line: &str, count: usize) -> Self {
        if line.bytes().all(|byte| byte.is_ascii_whitespace()) {
            return Self::new(0, "an empty line or ten columns", "a line of white space");
        }
        let plural = if count == 1 { "column" } else { "columns" };
        let hint = if count == 1 && line.contains(' ') { " (blanks do not separate columns)" } else { "" };
        let offset = if count > Column::COUNT {
            memchr::memchr_iter(b'\t', line.as_bytes()).nth(Column::COUNT - 1).unwrap_or(0)
        } else {
            line.len()
        };
        Self::new(offset, "ten columns separated by TAB", format!("{count} {plural}{hint}"))
    }
}

fn check_field(column: Column, value: &str) -> Result<(), SentenceError> {
    if value.is_empty() || memchr::memchr3(b'\t', b'\n', b'\r', value.as_bytes()).is_some() {
        return Err(SentenceError::Field { column, value: value.to_owned() });
    }
    Ok(())
}
