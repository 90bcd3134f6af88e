//! Errors of the library as Python exceptions.
//!
//! The classes are defined in Python (`eigentree/exceptions.py`), since most of them have two bases: the package's and
//! the usual one of Python, such as `ValueError`.

use eigentree::Error;
use eigentree::files::FileError;
use eigentree_cli::calls::CallError;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// The exceptions of the package.
#[derive(Clone, Copy)]
pub(crate) enum Exception {
    /// Anything else.
    Eigentree,
    /// A file that does not exist.
    MissingFile,
    /// A file that cannot be read or written.
    File,
    /// A file that is no model, a damaged model, or a model of another family.
    Model,
    /// Data that does not follow its format, or cannot be learnt from.
    Data,
    /// Options that make no sense.
    Option,
}

impl Exception {
    fn class(self, py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
        let name = match self {
            Exception::Eigentree => "EigentreeError",
            Exception::MissingFile => "MissingFileError",
            Exception::File => "FileError",
            Exception::Model => "ModelError",
            Exception::Data => "DataError",
            Exception::Option => "OptionError",
        };
        let module = MODULE.get_or_try_init(py, || py.import("eigentree.exceptions").map(Bound::unbind))?;
        Ok(module.bind(py).getattr(name)?.cast_into::<PyType>()?)
    }

    /// The exception with a message.
    pub(crate) fn with(self, py: Python<'_>, message: impl ToString) -> PyErr {
        match self.class(py) {
            Ok(class) => PyErr::from_type(class, (message.to_string(),)),
            Err(error) => error,
        }
    }
}

/// An error of a file.
pub(crate) fn of_file(py: Python<'_>, error: &FileError) -> PyErr {
    let class = match error.load_error() {
        Some(_) => Exception::Model,
        None if error.is_not_found() => Exception::MissingFile,
        None => Exception::File,
    };
    class.with(py, error)
}

/// An error of the facade.
pub(crate) fn of(py: Python<'_>, error: &Error) -> PyErr {
    match error {
        _ if error.is_cancelled() => PyKeyboardInterrupt::new_err(()),
        Error::File(error) => of_file(py, error),
        Error::WrongModel { .. } | Error::Load(_) => Exception::Model.with(py, error),
        Error::Learn(learn) if learn.is_bad_config() => Exception::Option.with(py, error),
        Error::Learn(learn) if learn.failed_stage().is_some() => Exception::Eigentree.with(py, error),
        _ => Exception::Data.with(py, error),
    }
}

/// An error of a command.
pub(crate) fn of_call(py: Python<'_>, error: &CallError) -> PyErr {
    match error {
        CallError::Usage(message) => Exception::Option.with(py, keywords(message)),
        CallError::Job(error) => of(py, error),
        CallError::Other(message) => Exception::Eigentree.with(py, keywords(message)),
    }
}

/// The message with options as Python spells them: `--em-steps` becomes `em_steps`.
fn keywords(message: &str) -> String {
    let mut parts = message.split("--");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(part.len());
        text.push_str(&part[..end].replace('-', "_"));
        text.push_str(&part[end..]);
    }
    text
}
