//! Sparse matrices compared with dense ones, and the checks of their parts.

use faer::Mat;
use linalg::{
    CscMatrix, CsrMatrix, DenseOperator, LinearOperator, Panel, ScaledOperator, SparseError, SparseOperator,
};
use proptest::prelude::*;

type Triplets = Vec<(usize, usize, f64)>;

fn triplets() -> impl Strategy<Value = (usize, usize, Triplets)> {
    (1_usize..30, 1_usize..30).prop_flat_map(|(nrows, ncols)| {
        let entry = (0..nrows, 0..ncols, -4_i32..5).prop_map(|(i, j, value)| (i, j, f64::from(value)));
        (Just(nrows), Just(ncols), prop::collection::vec(entry, 0..200))
    })
}

fn dense(nrows: usize, ncols: usize, triplets: &Triplets) -> Mat<f64> {
    let mut matrix = Mat::zeros(nrows, ncols);
    for &(i, j, value) in triplets {
        matrix[(i, j)] += value;
    }
    matrix
}

fn panel(nrows: usize, width: usize) -> Panel<f64> {
    Panel::from_fn(nrows, width, |i, j| ((3 * i + 7 * j) % 11) as f64 - 5.0)
}

proptest! {
    #[test]
    fn prop_products_equal_dense_products((nrows, ncols, triplets) in triplets(), width in 0_usize..70) {
        let expected = dense(nrows, ncols, &triplets);
        let operator = SparseOperator::new(CsrMatrix::from_triplets(nrows, ncols, triplets).unwrap());
        let full = DenseOperator::new(expected);
        let (mut y, mut z) = (Panel::zeros(0, 0), Panel::zeros(0, 0));
        // Small integers: every order of summation and every instruction set gives the same result.
        operator.apply(&panel(ncols, width), &mut y);
        full.apply(&panel(ncols, width), &mut z);
        prop_assert_eq!(&y, &z);
        operator.apply_transpose(&panel(nrows, width), &mut y);
        full.apply_transpose(&panel(nrows, width), &mut z);
        prop_assert_eq!(&y, &z);
    }

    #[test]
    fn prop_transposition_and_raw_parts_round_trip((nrows, ncols, triplets) in triplets()) {
        let matrix = CsrMatrix::from_triplets(nrows, ncols, triplets.clone()).unwrap();
        let expected = dense(nrows, ncols, &triplets);
        prop_assert!(matrix.iter().all(|(i, j, value)| expected[(i, j)] == value));
        prop_assert!((matrix.frobenius_norm() - expected.norm_l2()).abs() < 1e-9);
        prop_assert_eq!(&matrix.transpose().transpose(), &matrix);
        let columns = CscMatrix::from_csr(&matrix);
        prop_assert_eq!(&columns.to_csr(), &matrix);
        for j in 0..ncols {
            prop_assert!(columns.column(j).all(|(i, value)| expected[(i, j)] == value));
        }
        let parts = (matrix.indptr().to_vec(), matrix.indices().to_vec(), matrix.values().to_vec());
        let rebuilt = CsrMatrix::from_raw_parts(nrows, ncols, parts.0, parts.1, parts.2).unwrap();
        prop_assert_eq!(rebuilt, matrix);
    }

    #[test]
    fn prop_scaled_operator_equals_scaled_values((nrows, ncols, triplets) in triplets()) {
        let matrix = CsrMatrix::from_triplets(nrows, ncols, triplets).unwrap();
        let left: Vec<f64> = (0..nrows).map(|i| 1.0 + i as f64).collect();
        let right: Vec<f64> = (0..ncols).map(|j| 2.0 - j as f64).collect();
        let lazy = ScaledOperator::new(SparseOperator::new(matrix.clone()), left.clone(), right.clone()).unwrap();
        let mut eager = matrix;
        eager.scale_rows(&left).unwrap();
        eager.scale_columns(&right).unwrap();
        let eager = SparseOperator::new(eager);
        let (mut y, mut z) = (Panel::zeros(0, 0), Panel::zeros(0, 0));
        lazy.apply(&panel(ncols, 3), &mut y);
        eager.apply(&panel(ncols, 3), &mut z);
        prop_assert_eq!(&y, &z);
        lazy.apply_transpose(&panel(nrows, 3), &mut y);
        eager.apply_transpose(&panel(nrows, 3), &mut z);
        prop_assert_eq!(&y, &z);
    }
}

/// Wide and dense enough to be multiplied in several bands of columns, with a row longer than a segment of the sum.
#[test]
fn bands_of_columns_do_not_change_the_product() {
    let (nrows, ncols) = (3, 200_000);
    let triplets: Triplets = (0..ncols)
        .step_by(7)
        .flat_map(|j| (0..nrows).map(move |i| (i, j, ((i + j) % 5) as f64 - 2.0)))
        .collect();
    let operator = SparseOperator::new(CsrMatrix::from_triplets(nrows, ncols, triplets).unwrap());
    let x = panel(ncols, 19);
    let (mut banded, mut whole) = (Panel::zeros(0, 0), Panel::zeros(0, 0));
    operator.apply(&x, &mut banded);
    operator.matrix().multiply(&x, &mut whole);
    assert_eq!(banded, whole);
    let expected: f64 = operator.matrix().row(1).map(|(j, value)| value * x.row(j)[18]).sum();
    assert_eq!(banded.row(1)[18], expected);
}

#[test]
fn malformed_parts_are_refused() {
    let build = |indptr: &[usize], indices: &[u32], values: &[f32]| {
        CsrMatrix::from_raw_parts(2, 3, indptr.to_vec(), indices.to_vec(), values.to_vec()).unwrap_err()
    };
    assert!(matches!(build(&[0, 1], &[0], &[1.0]), SparseError::RowPointers { position: 2, .. }));
    assert!(matches!(build(&[1, 1, 1], &[0], &[1.0]), SparseError::RowPointers { position: 0, .. }));
    assert!(matches!(build(&[0, 2, 1], &[0], &[1.0]), SparseError::RowPointers { position: 2, .. }));
    assert!(matches!(build(&[0, 1, 2], &[0], &[1.0]), SparseError::RowPointers { position: 2, .. }));
    assert_eq!(build(&[0, 1, 1], &[0], &[]), SparseError::LengthMismatch { indices: 1, values: 0 });
    let outside = SparseError::OutOfBounds { row: 1, column: 3, nrows: 2, ncols: 3 };
    assert_eq!(build(&[0, 0, 1], &[3], &[1.0]), outside);
    assert_eq!(build(&[0, 2, 2], &[1, 1], &[1.0, 1.0]), SparseError::Unsorted { row: 0, position: 1 });
    let infinite = SparseError::NonFinite { row: 1, column: 2 };
    assert_eq!(build(&[0, 0, 1], &[2], &[f32::INFINITY]), infinite);
    assert_eq!(CsrMatrix::from_triplets(2, 3, [(1, 2, f64::NAN)]).unwrap_err(), infinite);
    assert_eq!(CsrMatrix::from_triplets(2, 3, [(1, 3, 1.0_f64)]).unwrap_err(), outside);
    let mut matrix = CsrMatrix::from_triplets(2, 3, [(1, 2, 1.0_f64)]).unwrap();
    assert_eq!(matrix.scale_rows(&[1.0]).unwrap_err(), SparseError::FactorCount { factors: 1, size: 2 });
    assert_eq!(matrix.scale_columns(&[1.0, 1.0, f64::MAX * 2.0]).unwrap_err(), infinite);
}
