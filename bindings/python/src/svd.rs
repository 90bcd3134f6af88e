//! The truncated singular value decomposition of sparse matrices.

use std::ops::ControlFlow;

use eigentree::learn::Observer;
use eigentree::linalg::{
    CsrMatrix, RankPolicy, Scalar, SparseOperator, Svd, SvdConfig, SvdError, truncated_svd_watched,
};
use numpy::ndarray::{Array2, ShapeBuilder};
use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::exception::Exception;
use crate::watch::watched;

/// The leading singular triplets of a sparse matrix in compressed rows, as scipy's `csr_matrix` holds them.
///
/// Columns ascend within a row and do not repeat (`sort_indices`, `sum_duplicates`). Returns a dictionary with `u`, `s`,
/// `v` (singular vectors as columns), `residuals`, `products`, `restarts` and `converged`. `exact=False` returns fewer
/// triplets where the matrix has a smaller rank.
#[pyfunction]
#[pyo3(signature = (shape, indptr, indices, data, rank, *, tolerance=None, exact=true, seed=0, max_restarts=None, threads=1))]
#[expect(clippy::too_many_arguments, reason = "keywords of one function in Python")]
pub(crate) fn truncated_svd<'py>(
    py: Python<'py>,
    shape: (usize, usize),
    indptr: PyReadonlyArray1<'py, i64>,
    indices: PyReadonlyArray1<'py, i32>,
    data: &Bound<'py, PyAny>,
    rank: usize,
    tolerance: Option<f64>,
    exact: bool,
    seed: u64,
    max_restarts: Option<usize>,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let usual = SvdConfig::with_rank(rank);
    let config = SvdConfig {
        rank_policy: if exact { RankPolicy::Exact } else { RankPolicy::AtMost },
        tolerance: tolerance.unwrap_or(usual.tolerance),
        max_restarts: max_restarts.unwrap_or(usual.max_restarts),
        seed,
        ..usual
    };
    let pattern = Pattern { shape, indptr: indptr.as_slice()?, indices: indices.as_slice()? };
    if let Ok(single) = data.cast::<PyArray1<f32>>() {
        decompose(py, &pattern, single.readonly().as_slice()?, &config, threads)
    } else {
        let double: PyReadonlyArray1<'py, f64> = data.extract()?;
        decompose(py, &pattern, double.as_slice()?, &config, threads)
    }
}

/// Where the stored entries of a matrix are.
struct Pattern<'a> {
    shape: (usize, usize),
    indptr: &'a [i64],
    indices: &'a [i32],
}

fn decompose<'py, T: Scalar + Element>(
    py: Python<'py>,
    pattern: &Pattern<'_>,
    data: &[T],
    config: &SvdConfig,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let negative =
        || Exception::Data.with(py, "the matrix has a negative index; make it from scipy.sparse.csr_matrix");
    let indptr = pattern.indptr.iter().map(|&start| usize::try_from(start)).collect::<Result<Vec<_>, _>>();
    let indices = pattern.indices.iter().map(|&column| u32::try_from(column)).collect::<Result<Vec<_>, _>>();
    let (indptr, indices) = (indptr.map_err(|_| negative())?, indices.map_err(|_| negative())?);
    let (rows, columns) = pattern.shape;
    let values = data.to_vec();
    let found = watched(py, threads, None, move |observer| {
        let matrix = CsrMatrix::from_raw_parts(rows, columns, indptr, indices, values)
            .map_err(|error| error.to_string())?;
        let mut watch = |_| match observer.cancelled() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        Ok(truncated_svd_watched(&SparseOperator::new(matrix), config, &mut watch))
    })?;
    let found: Result<Svd<T>, SvdError> = found.map_err(|error: String| Exception::Data.with(py, error))?;
    let svd = found.map_err(|error| match error {
        SvdError::Stopped => PyKeyboardInterrupt::new_err(()),
        error @ SvdError::Config { .. } => Exception::Option.with(py, error),
        error => Exception::Data.with(py, error),
    })?;
    let result = PyDict::new(py);
    result.set_item("u", matrix(py, svd.u.nrows(), svd.s.len(), |column| svd.u.col_as_slice(column))?)?;
    result.set_item("v", matrix(py, svd.v.nrows(), svd.s.len(), |column| svd.v.col_as_slice(column))?)?;
    result.set_item("s", PyArray1::from_vec(py, svd.s))?;
    result.set_item("residuals", PyArray1::from_vec(py, svd.residuals))?;
    result.set_item("products", svd.products)?;
    result.set_item("restarts", svd.restarts)?;
    result.set_item("converged", svd.converged)?;
    Ok(result)
}

/// Columns as a matrix in column order.
fn matrix<'py, 'a, T: Scalar + Element>(
    py: Python<'py>,
    rows: usize,
    columns: usize,
    column: impl Fn(usize) -> &'a [T],
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let mut values = Vec::with_capacity(rows * columns);
    (0..columns).for_each(|at| values.extend_from_slice(column(at)));
    let array = Array2::from_shape_vec((rows, columns).f(), values)
        .map_err(|error| Exception::Eigentree.with(py, error))?;
    Ok(array.into_pyarray(py))
}
