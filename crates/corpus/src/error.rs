//! Errors of reading: where, what was expected, what stood there.

use std::fmt;
use std::io;

/// A place in a text file, both numbers from 1. Columns count characters, as editors do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// Line number.
    pub line: u64,
    /// Character column, where the format knows it.
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

/// Input that does not follow its format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{source_name}:{position}: expected {expected}, found {found}")]
pub struct SyntaxError {
    /// Name of the input, as the caller gave it (a file name, or `-`).
    pub source_name: String,
    /// Where it went wrong.
    pub position: Position,
    /// What the format wants there.
    pub expected: String,
    /// What stood there instead.
    pub found: String,
}

/// Why a corpus could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The bytes did not come.
    #[error("cannot read {source_name}{}: {error}", near(*.line))]
    Io {
        /// Name of the input.
        source_name: String,
        /// Lines read so far.
        line: u64,
        /// The cause.
        #[source]
        error: io::Error,
    },
    /// The bytes are not in the format.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
}

/// Where reading stopped, if it had begun.
fn near(line: u64) -> String {
    if line == 0 { String::new() } else { format!(" near line {line}") }
}

impl ReadError {
    /// The syntax error, if it is one: a reader can go on with the next item after it.
    pub fn as_syntax(&self) -> Option<&SyntaxError> {
        match self {
            ReadError::Syntax(error) => Some(error),
            ReadError::Io { .. } => None,
        }
    }
}
