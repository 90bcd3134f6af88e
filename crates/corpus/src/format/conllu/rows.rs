//! Parsing of the lines of a sentence, with their checks.

use std::io;

use super::sentence::{Row, Span};
use super::token::parse_number;
use super::{Column, Sentence, TokenId};
use crate::dependency::Head;
use crate::format::conllx;
use crate::format::lines::{LineEnding, quote};

impl Sentence {
    pub(super) fn begin(&mut self, first_line: u64, ending: LineEnding) {
        self.first_line = first_line;
        self.set_line_ending(ending);
    }

    /// Adds a comment that is known to be one line beginning with `#`.
    pub(super) fn read_comment(&mut self, line: &str) -> Result<(), LineFault> {
        if !self.rows.is_empty() {
            return Err(LineFault::new(0, "comments before the first token only", "a comment"));
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
                        format!("a value in column {}, or `_` if there is none", Column::ALL[count]);
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
            return Err(LineFault::new(id_at, expected, quote(id_text)));
        };
        let (head_at, head_text) = field(Column::Head);
        let head = if head_text == "_" {
            None
        } else {
            let head = parse_number(head_text).and_then(|number| Head::from_number(number as usize));
            let Some(head) = head.filter(|_| matches!(id, TokenId::Word(_))) else {
                let expected = match id {
                    TokenId::Word(_) => "the number of a head, 0 or `_`",
                    TokenId::Range { .. } | TokenId::Empty { .. } => {
                        "the head `_`, since only words have heads"
                    }
                };
                return Err(LineFault::new(head_at, expected, quote(head_text)));
            };
            Some(head)
        };
        self.push_row(Row { id, head, columns })
            .map_err(|expected| LineFault::new(id_at, expected, format!("the id {id}")))
    }

    /// Adds a token line of CoNLL-X, whose last two columns become attributes of MISC.
    pub(super) fn read_conllx_token(&mut self, line: &str) -> Result<(), LineFault> {
        if line.starts_with('#') {
            return Err(LineFault::new(0, "a token, since CoNLL-X has no comments", "`#`"));
        }
        self.read_token(line)?;
        let Some(row) = self.rows.last() else { return Ok(()) };
        if !matches!(row.id, TokenId::Word(_)) {
            let expected = "the number of a word, since CoNLL-X has neither ranges nor empty nodes";
            return Err(LineFault::new(0, expected, format!("the id {}", row.id)));
        }
        let token = self.token(self.rows.len() - 1);
        let (phead, pdeprel) = (token.deps(), token.misc());
        if phead != "_" && parse_number(phead).is_none() {
            let at = self.offset_in_line(row, Column::Deps);
            let found = quote(phead);
            return Err(LineFault::new(at, "the number of a projective head (PHEAD), 0 or `_`", found));
        }
        if phead == "_" && pdeprel == "_" {
            return Ok(());
        }
        let misc = conllx::misc_of(phead, pdeprel);
        let columns = [
            self.append("_").map_err(|_| LineFault::too_long())?,
            self.append(&misc).map_err(|_| LineFault::too_long())?,
        ];
        if let Some(row) = self.rows.last_mut() {
            row.columns[Column::Deps as usize..].copy_from_slice(&columns);
        }
        Ok(())
    }

    /// Checks what can be known only at the end: that heads and ranges refer to words of the sentence. Returns the row
    /// at fault.
    pub(super) fn finish(&self) -> Result<(), (usize, LineFault)> {
        let words = self.sequence.words();
        // Heads are checked in one pass without data-dependent branches. The culprit is searched for only if there is
        // one.
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
                if let TokenId::Range { last, .. } = row.id
                    && last > words
                {
                    let expected =
                        format!("a range up to word {words} at most, the last word of the sentence");
                    return Err((index, LineFault::new(0, expected, format!("the range {}", row.id))));
                }
            }
        }
        Ok(())
    }

    /// The requirement of the writers: the sentence can be read back.
    pub(in crate::format) fn check_complete(&self) -> io::Result<()> {
        let invalid = |message: String| io::Error::new(io::ErrorKind::InvalidInput, message);
        if self.is_empty() {
            return Err(invalid("a sentence needs at least one word".to_owned()));
        }
        self.finish()
            .map_err(|(_, fault)| invalid(format!("expected {}, found {}", fault.expected, fault.found)))
    }

    /// The text of the line from which `row` was read, for columns in error messages.
    pub(super) fn line_text(&self, row: usize) -> &str {
        let columns = &self.rows[row].columns;
        &self.text[columns[0].range().start..columns[Column::COUNT - 1].range().end]
    }

    fn offset_in_line(&self, row: &Row, column: Column) -> usize {
        row.columns[column as usize].range().start - row.columns[0].range().start
    }
}

/// An error within one line, at a byte offset.
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
        let hint = if count == 1 && line.contains(' ') { " (spaces do not separate columns)" } else { "" };
        let offset = if count > Column::COUNT {
            memchr::memchr_iter(b'\t', line.as_bytes()).nth(Column::COUNT - 1).unwrap_or(0)
        } else {
            line.len()
        };
        Self::new(offset, "ten columns separated by TAB", format!("{count} {plural}{hint}"))
    }
}
