//! What can go wrong between files and models, in words for the user.

use corpus::cooccurrence::CountError;
use corpus::error::{ReadError, SyntaxError};
use eval::error::EvalError;
use models::learn::LearnError;

use crate::files::FileError;
use crate::reading::Format;

/// Why the work could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be opened, read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A corpus does not follow its format.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Nothing was learnt.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// A text could not be counted, or counts not be added up.
    #[error(transparent)]
    Count(CountError),
    /// Two annotations could not be compared.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// Two files could not be compared.
    #[error("{gold} and {predicted}: {error}")]
    Comparison {
        /// The file of the gold annotation.
        gold: String,
        /// The file of the prediction.
        predicted: String,
        /// Why not. Boxed, as it is large.
        error: Box<EvalError>,
    },
    /// A file of another format than is needed.
    #[error("cannot {purpose} from {name}: it is in the format {found}, but {wanted} is needed")]
    Format {
        /// The file.
        name: String,
        /// Its format, as its name tells it.
        found: Format,
        /// What would do.
        wanted: Format,
        /// What for.
        purpose: &'static str,
    },
    /// A conversion that has no meaning.
    #[error("cannot convert {from} to {to}: {reason}")]
    Conversion {
        /// The format at hand.
        from: Format,
        /// The format that was asked for.
        to: &'static str,
        /// Why not, and what to do.
        reason: String,
    },
    /// A file without contents.
    #[error("{name} is empty: expected {wanted}")]
    Empty {
        /// The file.
        name: String,
        /// What it should hold.
        wanted: &'static str,
    },
    /// A corpus of which nothing could be read.
    #[error(
        "nothing could be read: all {} sentences are malformed{}",
        skipped.len(),
        skipped.first().map_or_else(String::new, |first| format!("; the first is {first}"))
    )]
    NothingReadable {
        /// The places.
        skipped: Vec<SyntaxError>,
    },
    /// Something else about the data, in a whole sentence.
    #[error("{0}")]
    Data(String),
    /// Someone asked for an end.
    #[error("the work was cancelled")]
    Cancelled,
}

impl From<CountError> for Error {
    fn from(error: CountError) -> Self {
        match error {
            CountError::Cancelled => Error::Cancelled,
            error => Error::Count(error),
        }
    }
}

impl Error {
    /// Whether the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        match self {
            Error::Cancelled => true,
            Error::Learn(error) => error.is_cancelled(),
            _ => false,
        }
    }

    /// Whether the reader of our output went away, as `head` does.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::File(error) if error.is_broken_pipe())
    }

    /// The place of a corpus that does not follow its format, if that is the reason. Such places can be left out.
    pub fn syntax(&self) -> Option<&SyntaxError> {
        match self {
            Error::Read(error)
            | Error::Eval(EvalError::Read(error))
            | Error::Count(CountError::Read(error)) => error.as_syntax(),
            _ => None,
        }
    }
}
