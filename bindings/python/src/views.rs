//! Read-only numpy views of numbers that a model owns.

use eigentree::models::persist::{Element as Number, Kind, Section};
use numpy::ndarray::{ArrayViewD, IxDyn};
use numpy::{Element, PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;

use crate::exception::Exception;
use crate::model::Model;

/// Whether a section holds numbers.
pub(crate) fn is_numeric(section: &Section) -> bool {
    !matches!(section.kind(), Kind::Text | Kind::Json)
}

/// The numbers of a section of a model's file.
pub(crate) fn section<'py>(model: &Bound<'py, Model>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = model.py();
    let container = model.get().loaded.container();
    let Ok(section) = container.section(name) else {
        let advice = format!("the model has no array `{name}`; arrays() lists them");
        return Err(Exception::Data.with(py, advice));
    };
    match section.kind() {
        Kind::U8 => numbers::<u8>(model, section),
        Kind::U16 => numbers::<u16>(model, section),
        Kind::U32 => numbers::<u32>(model, section),
        Kind::U64 => numbers::<u64>(model, section),
        Kind::I16 => numbers::<i16>(model, section),
        Kind::I32 => numbers::<i32>(model, section),
        Kind::F32 => numbers::<f32>(model, section),
        Kind::F64 => numbers::<f64>(model, section),
        Kind::Text | Kind::Json => {
            Err(Exception::Data
                .with(py, format!("`{name}` is text, not an array; arrays() lists the arrays")))
        }
    }
}

fn numbers<'py, T: Number + Element>(
    model: &Bound<'py, Model>,
    section: &Section,
) -> PyResult<Bound<'py, PyAny>> {
    let container = model.get().loaded.container();
    let storage =
        container.array::<T>(section.name()).map_err(|error| Exception::Model.with(model.py(), error))?;
    view(&storage, section.shape(), model.as_any())
}

/// A view of numbers that live as long as `owner` and never change.
pub(crate) fn view<'py, T: Element>(
    numbers: &[T],
    shape: &[usize],
    owner: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let view = ArrayViewD::from_shape(IxDyn(shape), numbers)
        .map_err(|error| Exception::Model.with(owner.py(), error))?;
    // SAFETY: the callers pass numbers inside the immutable model that `owner` keeps alive (sections of its file, fields
    // of its model, tables of counts), and numpy keeps `owner` alive as the base of the array. The flag below forbids writing.
    let array = unsafe { PyArrayDyn::borrow_from_array(&view, owner.clone()) };
    drop(array.readwrite().make_nonwriteable());
    Ok(array.into_any())
}
