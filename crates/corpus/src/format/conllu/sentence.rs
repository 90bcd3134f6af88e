//! A sentence: one text buffer, and the ranges of its ten columns for each line.
//!
//! A sentence needs three allocations, whatever its length, and none per token, which makes reading fast. A changed
//! column is appended to the buffer and its range redirected, so every other column keeps its bytes.

use std::ops::Range;

use super::sequence::IdSequence;
use super::{Column, Columns, Token, TokenId};
use crate::dependency::Head;
use crate::format::lines::LineEnding;

/// A range of the text buffer. Half the size of a `Range<usize>`; there are ten per row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Span {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Span {
    #[inline]
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One token line. `columns[c]` is the range of column `c` in the text of the sentence.
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
    /// An invalid column value.
    #[error(
        "cannot put {value:?} into {column}: a column must have at least one character and no tab, CR or LF; use `_` for an empty column"
    )]
    Field {
        /// The column.
        column: Column,
        /// The invalid value.
        value: String,
    },
    /// An invalid comment.
    #[error(
        "cannot add the comment {value:?}: a comment must begin with `#`, contain no CR or LF, and precede all tokens"
    )]
    Comment {
        /// The invalid comment.
        value: String,
    },
    /// The id does not follow the previous ids.
    #[error("cannot add the token {id}: expected {expected}")]
    Id {
        /// The invalid id.
        id: TokenId,
        /// What would be valid.
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
        /// The invalid head.
        head: Head,
        /// Number of words in the sentence.
        words: usize,
    },
    /// The word does not exist.
    #[error("there is no word at index {index} in a sentence of {words} words")]
    NoSuchWord {
        /// The index, counted from 0.
        index: usize,
        /// Number of words in the sentence.
        words: usize,
    },
    /// The text of a sentence exceeds 4 GiB.
    #[error("a sentence cannot have more than 4 GiB of text")]
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
    pub(super) text: String,
    pub(super) comments: Vec<Span>,
    pub(super) rows: Vec<Row>,
    /// `word_rows[i]` is the row of the word at index `i`.
    word_rows: Vec<u32>,
    pub(super) sequence: IdSequence,
    pub(super) ending: LineEnding,
    pub(super) first_line: u64,
}

impl Sentence {
    /// Creates an empty sentence.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of words, not counting ranges and empty nodes.
    #[inline]
    pub fn len(&self) -> usize {
        self.word_rows.len()
    }

    /// Whether there are no words.
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

    /// Number of the first line in the input, including comments; 0 if the sentence was not read from a file.
    pub fn first_line(&self) -> u64 {
        self.first_line
    }

    /// Line ending used when the sentence is written.
    pub fn line_ending(&self) -> LineEnding {
        self.ending
    }

    /// Sets the line ending used when the sentence is written; a missing one counts as LF.
    pub fn set_line_ending(&mut self, ending: LineEnding) {
        self.ending = match ending {
            LineEnding::CrLf => LineEnding::CrLf,
            LineEnding::Lf | LineEnding::Missing => LineEnding::Lf,
        };
    }

    /// Adds a comment, which must begin with `#`, after the existing comments.
    pub fn push_comment(&mut self, comment: &str) -> Result<(), SentenceError> {
        if !is_comment(comment) || !self.rows.is_empty() {
            return Err(SentenceError::Comment { value: comment.to_owned() });
        }
        let span = self.append(comment)?;
        self.comments.push(span);
        Ok(())
    }

    /// Inserts a comment before the one at `at`, or after all if there are fewer.
    pub fn insert_comment(&mut self, at: usize, comment: &str) -> Result<(), SentenceError> {
        if !is_comment(comment) {
            return Err(SentenceError::Comment { value: comment.to_owned() });
        }
        let span = self.append(comment)?;
        self.comments.insert(at.min(self.comments.len()), span);
        Ok(())
    }

    /// Removes the comments for which `keep` is false.
    pub fn retain_comments(&mut self, mut keep: impl FnMut(&str) -> bool) {
        let Self { text, comments, .. } = self;
        comments.retain(|span| keep(&text[span.range()]));
    }

    /// Removes the enhanced graph: empty nodes, and DEPS of all tokens. A sentence without one stays as it is.
    pub fn remove_enhanced(&mut self) -> Result<(), SentenceError> {
        let has_graph = |row: &Row| {
            matches!(row.id, TokenId::Empty { .. })
                || &self.text[row.columns[Column::Deps as usize].range()] != "_"
        };
        if !self.rows.iter().any(has_graph) {
            return Ok(());
        }
        let none = self.append("_")?;
        self.rows.retain(|row| !matches!(row.id, TokenId::Empty { .. }));
        self.rows.iter_mut().for_each(|row| row.columns[Column::Deps as usize] = none);
        let is_word = |(at, row): (u32, &Row)| matches!(row.id, TokenId::Word(_)).then_some(at);
        self.word_rows = (0..).zip(&self.rows).filter_map(is_word).collect();
        Ok(())
    }

    /// Adds a word with the next number. Its head may be a later word; whether that exists is checked when the sentence
    /// is written.
    pub fn push_word(&mut self, columns: Columns<'_>) -> Result<(), SentenceError> {
        self.push_token(TokenId::Word(self.sequence.words() + 1), columns)
    }

    /// Adds a token, whose id must follow the existing ids.
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

    /// Sets DEPS of the word at `index`. A parser that changes heads should set it to `_`.
    pub fn set_deps(&mut self, index: usize, deps: &str) -> Result<(), SentenceError> {
        self.replace(index, Column::Deps, deps)
    }

    /// Sets MISC of the word at `index`.
    pub fn set_misc(&mut self, index: usize, misc: &str) -> Result<(), SentenceError> {
        self.replace(index, Column::Misc, misc)
    }

    /// Sets any column of the word at `index` except ID, which follows from its position, and HEAD, for which there is
    /// [`set_head`](Self::set_head).
    pub fn set_column(&mut self, index: usize, column: Column, value: &str) -> Result<(), SentenceError> {
        match column {
            Column::Id | Column::Head => Err(SentenceError::Field { column, value: value.to_owned() }),
            _ => self.replace(index, column, value),
        }
    }

    /// Adds attributes `key=value` to MISC of the word at `index`, after the existing ones.
    pub fn add_misc(&mut self, index: usize, attributes: &str) -> Result<(), SentenceError> {
        let given = self.word(index).map_or("_", |word| word.misc());
        let joined = if given == "_" { attributes.to_owned() } else { format!("{given}|{attributes}") };
        self.replace(index, Column::Misc, &joined)
    }

    /// Sets `key=value` in MISC of the word at `index`: in the place of the attribute of that name, or after the others.
    pub fn set_misc_value(&mut self, index: usize, key: &str, value: &str) -> Result<(), SentenceError> {
        let given = self.word(index).map_or("_", |word| word.misc());
        let own = format!("{key}={value}");
        let same = |part: &str| part.split('=').next() == Some(key);
        if !given.split('|').any(same) {
            return self.add_misc(index, &own);
        }
        let parts: Vec<&str> =
            given.split('|').map(|part| if same(part) { own.as_str() } else { part }).collect();
        let joined = parts.join("|");
        self.replace(index, Column::Misc, &joined)
    }

    /// Removes the attribute of that name from MISC of the word at `index`, if it has one.
    pub fn remove_misc_value(&mut self, index: usize, key: &str) -> Result<(), SentenceError> {
        let Some(word) = self.word(index).filter(|word| word.misc_value(key).is_some()) else {
            return Ok(());
        };
        let others: Vec<&str> =
            word.misc().split('|').filter(|part| part.split('=').next() != Some(key)).collect();
        let joined = if others.is_empty() { "_".to_owned() } else { others.join("|") };
        self.replace(index, Column::Misc, &joined)
    }

    /// Empties the sentence, keeping its memory for the next one.
    pub fn clear(&mut self) {
        self.text.clear();
        self.comments.clear();
        self.rows.clear();
        self.word_rows.clear();
        self.sequence = IdSequence::default();
        self.ending = LineEnding::Lf;
        self.first_line = 0;
    }

    pub(super) fn token(&self, row: usize) -> Token<'_> {
        Token { text: &self.text, row: &self.rows[row] }
    }

    fn replace(&mut self, index: usize, column: Column, value: &str) -> Result<(), SentenceError> {
        let Some(&row) = self.word_rows.get(index) else {
            return Err(SentenceError::NoSuchWord { index, words: self.len() });
        };
        check_field(column, value)?;
        let old = self.rows[row as usize].columns[column as usize];
        if old.range().len() == value.len() {
            // Repeated edits of equal length, such as heads, do not make the buffer grow.
            self.text.replace_range(old.range(), value);
        } else {
            self.rows[row as usize].columns[column as usize] = self.append(value)?;
        }
        Ok(())
    }

    pub(super) fn append(&mut self, value: &str) -> Result<Span, SentenceError> {
        let (start, end) = (self.text.len(), self.text.len() + value.len());
        let end = u32::try_from(end).map_err(|_| SentenceError::TooLong)?;
        self.text.push_str(value);
        // `start <= end`, so it fits as well.
        Ok(Span { start: start as u32, end })
    }

    pub(super) fn push_row(&mut self, row: Row) -> Result<(), String> {
        self.sequence.admit(row.id)?;
        if matches!(row.id, TokenId::Word(_)) {
            // Each row has at least ten bytes of a text below 4 GiB.
            self.word_rows.push(self.rows.len() as u32);
        }
        self.rows.push(row);
        Ok(())
    }
}

/// Sentences are equal if they would be written alike.
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

fn is_comment(text: &str) -> bool {
    text.starts_with('#') && memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none()
}

fn check_field(column: Column, value: &str) -> Result<(), SentenceError> {
    if value.is_empty() || memchr::memchr3(b'\t', b'\n', b'\r', value.as_bytes()).is_some() {
        return Err(SentenceError::Field { column, value: value.to_owned() });
    }
    Ok(())
}
