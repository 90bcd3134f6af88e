//! Indices and slices of Python sequences.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice};
use pyo3::{IntoPyObjectExt, PyClass};

/// The item at an index, counted from the end if negative, or the list of items of a slice.
pub(crate) fn at<'py, T: PyClass + Into<PyClassInitializer<T>>>(
    py: Python<'py>,
    index: &Bound<'py, PyAny>,
    length: usize,
    what: &str,
    item: impl Fn(usize) -> T,
) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(slice) = index.cast::<PySlice>() {
        let range = slice.indices(isize::try_from(length)?)?;
        let places = (0..range.slicelength).map(|step| range.start + step as isize * range.step);
        let items = places.map(|place| Bound::new(py, item(place as usize))).collect::<PyResult<Vec<_>>>()?;
        return PyList::new(py, items)?.into_bound_py_any(py);
    }
    let given: isize = index.extract()?;
    let place = if given < 0 { given + isize::try_from(length)? } else { given };
    match usize::try_from(place).ok().filter(|&place| place < length) {
        Some(place) => Ok(Bound::new(py, item(place))?.into_any()),
        None => Err(PyIndexError::new_err(format!("there is no {what} {given}; there are {length}"))),
    }
}
