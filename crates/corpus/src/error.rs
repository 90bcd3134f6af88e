//! Read errors: position, what was expected, what was found.

use std::fmt;
use std::io;

/// A position in a text file, counted from 1. Columns count characters, as editors do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// Line number.
    pub line: u64,
    /// Character column, if known.
    pub column: Option<u64>,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "{}:{}", self.line, column),
            None => write!(f, "{}", self.line),
        }
    }
}

/// Input that violates its format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{source_name}:{position}: expected {expected}, found {found}")]
pub struct SyntaxError {
    /// Name of the input, as the caller gave it (a file name, or `-`).
    pub source_name: String,
    /// Where the error is.
    pub position: Position,
    /// What the format requires there.
    pub expected: String,
    /// What was found instead.
    pub found: String,
}

/// Why a corpus could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The source failed.
    #[error("cannot read {source_name}{}: {error}", near(*.line))]
    Io {
        /// Name of the input.
        source_name: String,
        /// Number of lines read so far.
        line: u64,
        /// The cause.
        #[source]
        error: io::Error,
    },
    /// The input is not in the expected format.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
}

/// Where reading stopped, if it had started.
fn near(line: u64) -> String {
    if line == 0 { String::new() } else { format!(" near line {line}") }
}

impl ReadError {
    /// The syntax error, if it is one. A reader can continue with the next item after it.
    pub fn as_syntax(&self) -> Option<&SyntaxError> {
        match self {
            ReadError::Syntax(error) => Some(error),
            ReadError::Io { .. } => None,
        }
    }
}
