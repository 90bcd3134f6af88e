//! Commands of the program, called with their options.

use std::ffi::{OsStr, OsString};

use eigentree_cli::calls;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;

use crate::exception;
use crate::json::{object, to_python};
use crate::sound::Sound;
use crate::watch::watched;

/// Runs a command of the program and returns its summary.
///
/// `arguments` are those of the command line after `eigentree`. `progress` is called with the name of a stage, the units
/// done, their total or None, and a note or None.
#[pyfunction]
#[pyo3(signature = (arguments, *, threads=1, progress=None))]
pub(crate) fn call<'py>(
    py: Python<'py>,
    arguments: Sound<Vec<OsString>>,
    threads: usize,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let called = watched(py, threads, progress, |observer| {
        let arguments: Vec<&OsStr> = arguments.0.iter().map(OsString::as_os_str).collect();
        calls::call(&arguments, Box::new(observer))
    })?;
    object(py, &called.map_err(|error| exception::of_call(py, &error))?)
}

/// The description and the options of a command, such as `["train", "lpcfg"]`; None if there is no such command.
#[pyfunction]
pub(crate) fn definition<'py>(py: Python<'py>, path: Vec<String>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let found = calls::definition(&path);
    found.map(|(about, options)| to_python(py, &json!({ "about": about, "options": options }))).transpose()
}
