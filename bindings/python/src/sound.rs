//! Text from Python. A Python string may have lone surrogates, which are no characters: they are refused in words of our own.

use pyo3::exceptions::PyUnicodeEncodeError;
use pyo3::prelude::*;

use crate::exception::Exception;

/// An argument, strings, paths or lists of them, whose text can be encoded.
pub(crate) struct Sound<T>(pub(crate) T);

impl<'a, 'py, T: FromPyObject<'a, 'py>> FromPyObject<'a, 'py> for Sound<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        object.extract().map(Self).map_err(|error: T::Error| {
            let error: PyErr = error.into();
            let py = object.py();
            if error.is_instance_of::<PyUnicodeEncodeError>(py) { surrogates(py) } else { error }
        })
    }
}

/// The error about lone surrogates.
pub(crate) fn surrogates(py: Python<'_>) -> PyErr {
    let advice = "the text has lone surrogates, which are no characters; replace them first, for example with \
                  text.encode('utf-8', 'replace').decode()";
    Exception::Data.with(py, advice)
}
