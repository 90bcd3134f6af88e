//! Reading of sentences.

use std::io::Read;

use super::Sentence;
use super::plus::PlusColumns;
use super::rows::LineFault;
use crate::error::ReadError;
use crate::format::lines::{LineEnding, LineReader, column_of};

/// A stream of sentences.
///
/// As an iterator, it continues after a sentence with a syntax error: the next item is the sentence after the next
/// blank line. After a failure of the source there are no more items.
///
/// ```
/// use eigentree_corpus::format::conllu::ConlluReader;
/// let input = "1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_\n\n1\tbad\n\n1\tYes\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
/// let sentences: Vec<_> = ConlluReader::new(input.as_bytes(), "in.conllu").collect();
/// assert_eq!(sentences.len(), 3);
/// assert!(sentences[0].is_ok() && sentences[2].is_ok());
/// let error = sentences[1].as_ref().unwrap_err();
/// assert_eq!(error.to_string(), "in.conllu:3:6: expected ten columns separated by TAB, found 2 columns");
/// ```
#[derive(Debug)]
pub struct ConlluReader<R> {
    inner: SentenceReader<R>,
}

impl<R: Read> ConlluReader<R> {
    /// Reads from `source`. Errors refer to it as `source_name`.
    pub fn new(source: R, source_name: impl Into<String>) -> Self {
        Self { inner: SentenceReader::new(source, source_name, Dialect::U) }
    }

    /// Number of the last line read.
    pub fn line_number(&self) -> u64 {
        self.inner.lines.line_number()
    }

    /// Reads the next sentence into `sentence`, reusing its memory. After an error the contents of `sentence` are
    /// unspecified.
    pub fn read_into(&mut self, sentence: &mut Sentence) -> Result<ReadOutcome, ReadError> {
        self.inner.read_into(sentence)
    }
}

impl<R: Read> Iterator for ConlluReader<R> {
    type Item = Result<Sentence, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.inner.next_sentence()
    }
}

impl<R: Read> std::iter::FusedIterator for ConlluReader<R> {}

/// Whether a sentence was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadOutcome {
    /// A sentence was read.
    Sentence,
    /// The input has ended.
    End,
}

/// The formats with ten columns that share a reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::format) enum Dialect {
    /// CoNLL-U.
    U,
    /// CoNLL-X.
    X,
}

/// The common part of both readers.
#[derive(Debug)]
pub(in crate::format) struct SentenceReader<R> {
    pub(in crate::format) lines: LineReader<R>,
    state: State,
    dialect: Dialect,
    /// The columns of a file in CoNLL-U Plus, once its first line has told them.
    plus: Option<PlusColumns>,
    /// Sentences are built here and returned as copies of the exact size, so that a treebank in memory does not pay for
    /// the spare capacity of growing vectors.
    scratch: Sentence,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    BetweenSentences,
    /// There was an error in a sentence, whose rest must be skipped.
    InBadSentence,
    Ended,
}

impl<R: Read> SentenceReader<R> {
    pub(in crate::format) fn new(source: R, source_name: impl Into<String>, dialect: Dialect) -> Self {
        Self {
            lines: LineReader::new(source, source_name),
            state: State::BetweenSentences,
            dialect,
            plus: None,
            scratch: Sentence::new(),
        }
    }

    pub(in crate::format) fn next_sentence(&mut self) -> Option<Result<Sentence, ReadError>> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let result = self.read_into(&mut scratch);
        self.scratch = scratch;
        match result {
            Ok(ReadOutcome::Sentence) => Some(Ok(self.scratch.clone())),
            Ok(ReadOutcome::End) => None,
            Err(error) => Some(Err(error)),
        }
    }

    pub(in crate::format) fn read_into(&mut self, sentence: &mut Sentence) -> Result<ReadOutcome, ReadError> {
        sentence.clear();
        if self.state == State::Ended {
            return Ok(ReadOutcome::End);
        }
        let result = self.resynchronise().and_then(|()| self.read_lines(sentence));
        match &result {
            Ok(ReadOutcome::End) | Err(ReadError::Io { .. }) => self.state = State::Ended,
            Ok(ReadOutcome::Sentence) | Err(ReadError::Syntax(_)) => {}
        }
        result
    }

    fn resynchronise(&mut self) -> Result<(), ReadError> {
        if self.state == State::InBadSentence {
            self.lines.skip_to_blank_line()?;
        }
        self.state = State::BetweenSentences;
        Ok(())
    }

    fn read_lines(&mut self, sentence: &mut Sentence) -> Result<ReadOutcome, ReadError> {
        let mut first_line = 0;
        let mut first_ending = LineEnding::Lf;
        loop {
            // Set in advance, so that an error of the line source is covered too.
            self.state = State::InBadSentence;
            let Some(line) = self.lines.next_line()? else { break };
            if line.text.is_empty() {
                self.state = State::BetweenSentences;
                if first_line == 0 {
                    continue;
                }
                break;
            }
            if line.number == 1
                && self.dialect == Dialect::U
                && let Some(columns) = PlusColumns::of_line(line.text)
            {
                self.plus = Some(columns);
                continue;
            }
            if first_line == 0 {
                (first_line, first_ending) = (line.number, line.ending);
                sentence.begin(line.number, line.ending);
            } else if line.ending != first_ending && line.ending != LineEnding::Missing {
                let column = line.text.chars().count() as u64 + 1;
                let (expected, found) = (ending_name(first_ending), ending_name(line.ending));
                let (number, expected) = (line.number, format!("{expected}, as on the line before"));
                return Err(self.lines.error_at(number, Some(column), expected, found));
            }
            let result = match self.dialect {
                Dialect::U if line.text.starts_with('#') => sentence.read_comment(line.text),
                Dialect::U => match &self.plus {
                    None => sentence.read_token(line.text),
                    Some(columns) => sentence.read_token(&columns.rearranged(line.text, sentence.len())),
                },
                Dialect::X => sentence.read_conllx_token(line.text),
            };
            if let Err(fault) = result {
                let (number, column) = (line.number, column_of(line.text, fault.offset));
                if line.text.bytes().all(|byte| byte.is_ascii_whitespace()) {
                    // Such a line ends a sentence when resynchronising, so that is already done.
                    self.state = State::BetweenSentences;
                }
                return Err(self.fault(number, column, fault));
            }
        }
        self.state = State::BetweenSentences;
        if first_line == 0 {
            return Ok(ReadOutcome::End);
        }
        if sentence.is_empty() {
            let expected = "at least one word before the sentence ends";
            return Err(self.lines.error_at(self.lines.line_number(), None, expected, "none"));
        }
        sentence.finish().map_err(|(row, fault)| {
            let comments = sentence.comments().len();
            let line = first_line + (comments + row) as u64;
            self.fault(line, column_of(sentence.line_text(row), fault.offset), fault)
        })?;
        Ok(ReadOutcome::Sentence)
    }

    fn fault(&self, line: u64, column: u64, fault: LineFault) -> ReadError {
        self.lines.error_at(line, Some(column), fault.expected, fault.found)
    }
}

fn ending_name(ending: LineEnding) -> &'static str {
    match ending {
        LineEnding::Lf => "a line ended by LF",
        LineEnding::CrLf => "a line ended by CRLF",
        LineEnding::Missing => "a line without ending",
    }
}
