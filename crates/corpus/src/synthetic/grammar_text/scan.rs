//! Tokens with their positions.

use crate::error::Position;
use crate::synthetic::error::{GrammarError, GrammarProblem};

/// A run of characters between spaces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) position: Position,
}

impl Token<'_> {
    /// An error at this token.
    pub(super) fn unexpected(self, expected: &str) -> GrammarError {
        let problem = GrammarProblem::Syntax { expected: expected.into(), found: format!("`{}`", self.text) };
        problem.at(Some(self.position))
    }
}

/// The tokens of each statement: a line that starts in the first column and the indented lines after it. No statement
/// is empty.
pub(super) fn scan(text: &str) -> Result<Vec<Vec<Token<'_>>>, GrammarError> {
    let mut statements: Vec<Vec<Token<'_>>> = Vec::new();
    for (line, number) in text.lines().zip(1u64..) {
        let indented = line.starts_with(char::is_whitespace);
        let mut tokens = Vec::new();
        let (mut start, mut start_column) = (None, 0);
        for ((at, c), column) in line.char_indices().chain([(line.len(), ' ')]).zip(1u64..) {
            match (c.is_whitespace(), start) {
                (true, Some(from)) => {
                    let position = Position { line: number, column: Some(start_column) };
                    tokens.push(Token { text: &line[from..at], position });
                    start = None;
                }
                (false, None) if c == '#' => break,
                (false, None) => {
                    start = Some(at);
                    start_column = column;
                }
                _ => {}
            }
        }
        let Some(&first) = tokens.first() else { continue };
        match (indented, statements.last_mut()) {
            (false, _) => statements.push(tokens),
            (true, Some(statement)) => statement.extend(tokens),
            (true, None) => return Err(first.unexpected("a statement in the first column")),
        }
    }
    Ok(statements)
}
