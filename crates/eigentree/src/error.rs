//! Errors between files and models, with messages for users.

use corpus::cooccurrence::CountError;
use corpus::error::{ReadError, SyntaxError};
use eval::error::EvalError;
use models::learn::LearnError;

use crate::files::{FileError, STANDARD_STREAM};
use crate::inspection::InspectionError;
use crate::reading::Format;

/// Reason why an operation failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be opened, read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A corpus does not follow its format.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A table of words, such as clusters or vectors, does not follow its format. Nothing in it can be skipped.
    #[error(transparent)]
    Table(ReadError),
    /// Learning failed.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// A text could not be counted, or counts could not be added up.
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
        /// The reason. Boxed, as it is large.
        error: Box<EvalError>,
    },
    /// A file has a different format than required.
    #[error("cannot {purpose} from {name}: its format is {found}, but {wanted} is needed")]
    Format {
        /// The file.
        name: String,
        /// Its format.
        found: Format,
        /// The required format.
        wanted: Format,
        /// The purpose.
        purpose: &'static str,
    },
    /// A conversion that is not defined.
    #[error("cannot convert {from} to {to}: {reason}")]
    Conversion {
        /// The source format.
        from: Format,
        /// The requested format.
        to: &'static str,
        /// The reason, and what to do.
        reason: String,
    },
    /// A file without content.
    #[error("{} is empty: expected {wanted}", shown(name))]
    Empty {
        /// The file.
        name: String,
        /// The expected content.
        wanted: &'static str,
    },
    /// A treebank where plain text is due.
    #[error(
        "{name} is a treebank in the format {found}, whose markup would be learnt as words; write its words first: \
         `eigentree convert {name} --to words -o words.txt`"
    )]
    Treebank {
        /// The file.
        name: String,
        /// Its format.
        found: Format,
    },
    /// A corpus in which every sentence is malformed.
    #[error(
        "nothing could be read: all {} sentences are malformed{}",
        skipped.len(),
        skipped.first().map_or_else(String::new, |first| format!("; the first is {first}"))
    )]
    NothingReadable {
        /// The errors.
        skipped: Vec<SyntaxError>,
    },
    /// A model of another kind than is needed.
    #[error("the model is {found} and has no {wanted}; {advice}")]
    WrongModel {
        /// What the model is, with an article.
        found: &'static str,
        /// What was asked for.
        wanted: &'static str,
        /// What would serve.
        advice: &'static str,
    },
    /// A model cannot show what was asked for.
    #[error(transparent)]
    Inspection(#[from] InspectionError),
    /// A model file that is sound as a file but holds no model that this version can use, as a complete message.
    #[error("{0}")]
    Load(String),
    /// Another problem with the data, as a complete message.
    #[error("{0}")]
    Data(String),
    /// The operation was cancelled.
    #[error("the work was cancelled")]
    Cancelled,
}

/// The name of a file in a message.
fn shown(name: &str) -> &str {
    if name == STANDARD_STREAM { "standard input" } else { name }
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
    /// Whether the operation was cancelled.
    pub fn is_cancelled(&self) -> bool {
        match self {
            Error::Cancelled => true,
            Error::Learn(error) => error.is_cancelled(),
            _ => false,
        }
    }

    /// Whether the reader of our output closed it, as `head` does.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::File(error) if error.is_broken_pipe())
    }

    /// The syntax error, if the corpus does not follow its format. Such sentences can be skipped.
    pub fn syntax(&self) -> Option<&SyntaxError> {
        match self {
            Error::Read(error)
            | Error::Eval(EvalError::Read(error))
            | Error::Count(CountError::Read(error)) => error.as_syntax(),
            _ => None,
        }
    }
}
