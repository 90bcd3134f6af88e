//! Models of sequences.

use eigentree::models::sequence::SequenceModel as Facade;
use pyo3::prelude::*;

use crate::exception::{self, Exception};
use crate::model::Model;
use crate::sound::Sound;

/// Automata and n-grams over sequences of symbols.
#[pyclass(frozen, extends = Model, module = "eigentree")]
pub(crate) struct SequenceModel {}

#[pymethods]
impl SequenceModel {
    /// Number of symbols, without the end of a sequence.
    #[getter]
    fn n_symbols(slf: PyRef<'_, Self>) -> PyResult<usize> {
        Ok(model(&slf)?.symbols())
    }

    /// The natural logarithm of the probability of a sequence, including its end.
    fn log_probability(slf: PyRef<'_, Self>, sequence: Sound<Vec<String>>) -> PyResult<f64> {
        let model = model(&slf)?;
        let symbols = symbols(slf.py(), model, &sequence.0)?;
        Ok(model.log_probability(&symbols))
    }

    /// The most probable next symbols after a prefix with their probabilities; None is the end of the sequence.
    #[pyo3(signature = (prefix, n=5))]
    fn predict(
        slf: PyRef<'_, Self>,
        prefix: Sound<Vec<String>>,
        n: usize,
    ) -> PyResult<Vec<(Option<String>, f64)>> {
        let model = model(&slf)?;
        let symbols = symbols(slf.py(), model, &prefix.0)?;
        let named = |(symbol, probability): (Option<u32>, f64)| {
            (symbol.map(|symbol| model.alphabet().text(symbol)), probability)
        };
        Ok(model.predict(&symbols, n).into_iter().map(named).collect())
    }
}

fn model<'a>(slf: &'a PyRef<'_, SequenceModel>) -> PyResult<&'a Facade> {
    slf.as_super().get_model().sequences().map_err(|error| exception::of(slf.py(), &error))
}

fn symbols(py: Python<'_>, model: &Facade, sequence: &[String]) -> PyResult<Vec<u32>> {
    let symbol = |text: &String| {
        let advice = || {
            format!("`{text}` is no symbol of the model; its symbols are numbers below {}", model.symbols())
        };
        model.alphabet().symbol(text).ok_or_else(|| Exception::Data.with(py, advice()))
    };
    sequence.iter().map(symbol).collect()
}
