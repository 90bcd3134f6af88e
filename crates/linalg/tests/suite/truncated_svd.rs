//! The truncated SVD against faer's dense SVD and against matrices whose spectrum is known.

use faer::Mat;
use linalg::{
    CrossProduct, CsrMatrix, DenseOperator, LinearOperator, Panel, RankPolicy, Scalar, SparseOperator, Svd,
    SvdConfig, SvdError, truncated_svd,
};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn random_sparse(nrows: usize, ncols: usize, density: f64, seed: u64) -> CsrMatrix<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut triplets = Vec::new();
    for row in 0..nrows {
        for column in 0..ncols {
            if rng.random_bool(density) {
                triplets.push((row, column, rng.random_range(-1.0..1.0)));
            }
        }
    }
    triplets.push((0, 0, 1.0));
    CsrMatrix::from_triplets(nrows, ncols, triplets).expect("entries lie within the shape")
}

fn orthonormal(nrows: usize, ncols: usize, seed: u64) -> Mat<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Mat::from_fn(nrows, ncols, |_, _| rng.random_range(-1.0..1.0)).qr().compute_thin_Q()
}

/// A dense matrix with the given singular values.
fn with_spectrum(nrows: usize, ncols: usize, values: &[f64], seed: u64) -> Mat<f64> {
    let left = orthonormal(nrows, values.len(), seed);
    let right = orthonormal(ncols, values.len(), seed + 1);
    let scaled = Mat::from_fn(nrows, values.len(), |i, j| left[(i, j)] * values[j]);
    scaled * right.transpose()
}

fn to_dense<T: Scalar>(operator: &impl LinearOperator<T>) -> Mat<f64> {
    let identity = Panel::from_fn(operator.ncols(), operator.ncols(), |i, j| T::from_f64(f64::from(i == j)));
    let mut product = Panel::zeros(0, 0);
    operator.apply(&identity, &mut product);
    widen(product.to_mat())
}

fn widen<T: Scalar>(matrix: Mat<T>) -> Mat<f64> {
    Mat::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)].to_f64())
}

fn dense_values(matrix: &Mat<f64>) -> Vec<f64> {
    matrix.singular_values().expect("the dense oracle converges")
}

/// Orthonormality, both residuals, descending values and the sign convention, all against the dense matrix.
fn assert_triplets<T: Scalar>(matrix: &Mat<f64>, svd: &Svd<T>, tolerance: f64) {
    let (u, v) = (widen(svd.u.clone()), widen(svd.v.clone()));
    let s: Vec<f64> = svd.s.iter().map(|value| value.to_f64()).collect();
    let rank = s.len();
    let orthogonality = 2e3 * T::EPSILON;
    assert!((u.transpose() * &u - Mat::<f64>::identity(rank, rank)).norm_max() < orthogonality);
    assert!((v.transpose() * &v - Mat::<f64>::identity(rank, rank)).norm_max() < orthogonality);
    assert!(s.windows(2).all(|pair| pair[0] >= pair[1]));
    let forward = matrix * &v - Mat::from_fn(u.nrows(), rank, |i, j| u[(i, j)] * s[j]);
    let backward = matrix.transpose() * &u - Mat::from_fn(v.nrows(), rank, |i, j| v[(i, j)] * s[j]);
    for j in 0..rank {
        let larger = forward.col(j).norm_l2().max(backward.col(j).norm_l2()) / s[0];
        assert!(larger <= tolerance, "residual {larger:e} of triplet {j}");
        assert!((larger - svd.residuals[j]).abs() <= 0.1 * larger + 100.0 * T::EPSILON, "reported residual");
        let mut leading = 0.0_f64;
        for i in 0..u.nrows() {
            if u[(i, j)].abs() > leading.abs() {
                leading = u[(i, j)];
            }
        }
        assert!(leading > 0.0, "sign of triplet {j}");
    }
}

fn assert_values(found: &[f64], expected: &[f64], relative: f64) {
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= relative * b.abs().max(1e-300), "σ[{i}]: {a} against {b}");
    }
}

fn precise(rank: usize) -> SvdConfig {
    SvdConfig { tolerance: 1e-9, max_restarts: 200, ..SvdConfig::with_rank(rank) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn prop_agrees_with_dense_svd(
        nrows in 1_usize..160,
        ncols in 1_usize..160,
        density in 0.05_f64..0.6,
        share in 0.0_f64..1.0,
        block in 1_usize..12,
        seed in 0_u64..1000,
    ) {
        let matrix = random_sparse(nrows, ncols, density, seed);
        let operator = SparseOperator::new(matrix);
        let dense = to_dense(&operator);
        let expected = dense_values(&dense);
        let numerical = expected.iter().filter(|&&value| value > 1e-6 * expected[0]).count();
        let rank = ((numerical as f64 * share / 3.0) as usize).clamp(1, numerical);
        let config = SvdConfig { block: Some(block), seed, ..precise(rank) };
        let svd = truncated_svd(&operator, &config).unwrap();
        prop_assert!(svd.converged);
        assert_triplets(&dense, &svd, 1e-8);
        assert_values(&svd.s, &expected, 1e-9);
    }
}

#[test]
fn large_sparse_matrices_in_both_precisions() {
    for (nrows, ncols) in [(400, 1500), (1500, 400), (700, 700)] {
        let matrix = random_sparse(nrows, ncols, 0.03, 5);
        let dense = to_dense(&SparseOperator::new(matrix.clone()));
        let expected = dense_values(&dense);
        let double = truncated_svd(&SparseOperator::new(matrix.clone()), &precise(60)).unwrap();
        assert!(double.converged);
        assert_triplets(&dense, &double, 1e-8);
        assert_values(&double.s, &expected, 1e-12);

        let single = SparseOperator::new(matrix.cast::<f32>().unwrap());
        let svd = truncated_svd(&single, &SvdConfig { tolerance: 1e-4, ..precise(60) }).unwrap();
        assert!(svd.converged);
        assert_triplets(&dense, &svd, 2e-4);
        let values: Vec<f64> = svd.s.iter().map(|value| value.to_f64()).collect();
        assert_values(&values, &expected, 2e-6);
    }
}

#[test]
fn default_tolerance_gives_values_to_four_digits() {
    let matrix = random_sparse(800, 2000, 0.02, 9);
    let expected = dense_values(&to_dense(&SparseOperator::new(matrix.clone())));
    let operator = SparseOperator::new(matrix.cast::<f32>().unwrap());
    let svd = truncated_svd(&operator, &SvdConfig::with_rank(80)).unwrap();
    assert!(svd.converged);
    let values: Vec<f64> = svd.s.iter().map(|value| value.to_f64()).collect();
    assert_values(&values, &expected, 1e-4);
}

#[test]
fn spectra_of_every_kind() {
    let flat: Vec<f64> = (0..200).map(|i| 1.0 - 1e-3 * i as f64).collect();
    let clustered: Vec<f64> = (0..200).map(|i| 1.0 / (1 + i / 10) as f64 + 1e-9 * (200 - i) as f64).collect();
    let repeated: Vec<f64> = (0..200).map(|i| 1.0 / (1 + i / 30) as f64).collect();
    let steep: Vec<f64> = (0..200).map(|i| 0.8_f64.powi(i)).collect();
    for (name, values) in [("flat", flat), ("clustered", clustered), ("repeated", repeated), ("steep", steep)]
    {
        for (nrows, ncols) in [(200, 300), (320, 200)] {
            let matrix = with_spectrum(nrows, ncols, &values, 3);
            let svd = truncated_svd(&DenseOperator::new(matrix.clone()), &precise(40)).unwrap();
            assert!(svd.converged, "{name}");
            assert_triplets(&matrix, &svd, 1e-8);
            assert_values(&svd.s, &values, 1e-8);
        }
    }
}

/// A Krylov space of block size 8 shows at most 8 of the 30 copies.
#[test]
fn more_equal_values_than_the_block_is_wide() {
    let size = 600;
    let value = |i: usize| if i < 30 { 2.0 } else { 1.0 / (1.0 + i as f64) };
    let matrix = CsrMatrix::from_triplets(size, size, (0..size).map(|i| (i, i, value(i)))).unwrap();
    let svd = truncated_svd(&SparseOperator::new(matrix), &precise(40)).unwrap();
    let expected: Vec<f64> = (0..40).map(value).collect();
    assert!(svd.converged);
    assert_values(&svd.s, &expected, 1e-10);
}

#[test]
fn identity_has_any_orthonormal_basis() {
    let matrix = CsrMatrix::from_triplets(500, 500, (0..500).map(|i| (i, i, 1.0_f32))).unwrap();
    let operator = SparseOperator::new(matrix);
    let svd = truncated_svd(&operator, &SvdConfig::with_rank(30)).unwrap();
    assert!(svd.converged);
    assert_triplets(&Mat::identity(500, 500), &svd, 1e-5);
    assert_values(&svd.s.iter().map(|value| value.to_f64()).collect::<Vec<_>>(), &[1.0; 30], 1e-6);
}

#[test]
fn one_row_and_one_column() {
    let row = CsrMatrix::from_triplets(1, 2000, (0..2000).map(|j| (0, j, 1.0_f64))).unwrap();
    let svd = truncated_svd(&SparseOperator::new(row.clone()), &SvdConfig::with_rank(1)).unwrap();
    assert!((svd.s[0] - 2000_f64.sqrt()).abs() < 1e-10);
    assert_eq!(svd.u[(0, 0)], 1.0);
    let column = SparseOperator::new(row.transpose());
    let svd = truncated_svd(&column, &SvdConfig::with_rank(1)).unwrap();
    assert!((svd.s[0] - 2000_f64.sqrt()).abs() < 1e-10);
    assert_eq!((svd.v[(0, 0)], svd.u[(0, 0)] > 0.0), (1.0, true));
}

#[test]
fn numerical_rank_is_found_and_reported() {
    for (nrows, ncols, rank) in [(500, 700, 57), (60, 900, 13), (900, 40, 2)] {
        let values: Vec<f64> = (0..rank).map(|i| 1.0 / (1.0 + i as f64)).collect();
        let matrix = with_spectrum(nrows, ncols, &values, 11);
        let wanted = rank + 20;
        let error =
            truncated_svd(&DenseOperator::new(matrix.clone()), &SvdConfig::with_rank(wanted)).unwrap_err();
        assert_eq!(error, SvdError::RankDeficient { requested: wanted, found: rank });
        assert!(error.to_string().contains(&format!("lower the rank to {rank}")));

        let narrow = Mat::from_fn(nrows, ncols, |i, j| matrix[(i, j)] as f32);
        let config = SvdConfig { rank_policy: RankPolicy::AtMost, ..SvdConfig::with_rank(wanted) };
        let svd = truncated_svd(&DenseOperator::new(narrow), &config).unwrap();
        assert_eq!(svd.s.len(), rank, "{:?}", svd.s);
        assert_triplets(&matrix, &svd, 1e-3);
    }
}

#[test]
fn scale_of_the_entries_does_not_matter() {
    let matrix = random_sparse(300, 500, 0.1, 2);
    let config = SvdConfig { tolerance: 1e-4, ..SvdConfig::with_rank(20) };
    let expected = dense_values(&to_dense(&SparseOperator::new(matrix.clone())));
    for factor in [1e-30_f64, 1e-15, 1e15, 1e30] {
        let mut scaled = matrix.clone();
        scaled.scale_rows(&vec![factor; 300]).unwrap();
        let svd = truncated_svd(&SparseOperator::new(scaled.cast::<f32>().unwrap()), &config).unwrap();
        assert!(svd.converged);
        let values: Vec<f64> = svd.s.iter().map(|value| value.to_f64() / factor).collect();
        assert_values(&values, &expected, 1e-5);
    }
}

#[test]
fn bad_operators_are_refused() {
    let zero = SparseOperator::new(CsrMatrix::<f64>::from_triplets(80, 90, []).unwrap());
    let config = SvdConfig::with_rank(2);
    assert_eq!(truncated_svd(&zero, &config).unwrap_err(), SvdError::ZeroMatrix { nrows: 80, ncols: 90 });
    let empty = SparseOperator::new(CsrMatrix::<f32>::from_triplets(0, 90, []).unwrap());
    assert_eq!(truncated_svd(&empty, &config).unwrap_err(), SvdError::Empty { nrows: 0, ncols: 90 });
    for poison in [f64::NAN, f64::INFINITY] {
        for size in [3, 80] {
            let mut matrix = Mat::<f64>::identity(size, size);
            matrix[(1, 2)] = poison;
            let error = truncated_svd(&DenseOperator::new(matrix), &config).unwrap_err();
            assert_eq!(error, SvdError::NonFinite { nrows: size, ncols: size });
        }
    }
    let small = SparseOperator::new(random_sparse(4, 9, 0.5, 1));
    let error = truncated_svd(&small, &SvdConfig::with_rank(5)).unwrap_err();
    assert_eq!(error, SvdError::RankTooLarge { rank: 5, nrows: 4, ncols: 9 });
}

#[test]
fn too_few_restarts_are_admitted() {
    let values: Vec<f64> = (0..1000).map(|i| 1.0 - 1e-4 * i as f64).collect();
    let matrix = with_spectrum(1000, 1000, &values, 1);
    let config = SvdConfig { max_restarts: 0, tolerance: 1e-12, ..SvdConfig::with_rank(20) };
    let svd = truncated_svd(&DenseOperator::new(matrix), &config).unwrap();
    assert!(!svd.converged);
    assert!(svd.residuals.iter().any(|&residual| residual > 1e-12));
}

#[test]
fn restarts_reach_the_tolerance_in_little_memory() {
    let matrix = random_sparse(600, 900, 0.05, 4);
    let operator = SparseOperator::new(matrix);
    let dense = to_dense(&operator);
    let config = SvdConfig { max_dimension: Some(1), ..precise(30) };
    let svd = truncated_svd(&operator, &config).unwrap();
    assert!(svd.converged && svd.restarts > 0);
    assert_triplets(&dense, &svd, 1e-8);
    assert_values(&svd.s, &dense_values(&dense), 1e-12);
}

fn bits<T: Scalar>(svd: &Svd<T>) -> Vec<u64> {
    let entries = |matrix: &Mat<T>| widen(matrix.clone());
    let (u, v) = (entries(&svd.u), entries(&svd.v));
    let all = |matrix: &Mat<f64>| {
        (0..matrix.ncols())
            .flat_map(|j| (0..matrix.nrows()).map(move |i| (i, j)))
            .map(|at| matrix[at].to_bits())
            .collect::<Vec<_>>()
    };
    [all(&u), svd.s.iter().map(|value| value.to_f64().to_bits()).collect(), all(&v)].concat()
}

/// Rows of very different lengths and several chunks, so that threads really share the work.
#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut triplets = Vec::new();
    for row in 0..4000_usize {
        for _ in 0..(40_000 / (row + 1)).clamp(3, 3000) {
            triplets.push((row, rng.random_range(0..5000), rng.random_range(0.0..1.0_f32)));
        }
    }
    let matrix = CsrMatrix::from_triplets(4000, 5000, triplets).unwrap();
    let operator = SparseOperator::new(matrix);
    let config = SvdConfig { max_dimension: Some(120), ..SvdConfig::with_rank(24) };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| truncated_svd(&operator, &config).unwrap())
    };
    let one = run(1);
    assert_eq!(bits(&one), bits(&run(2)));
    assert_eq!(bits(&one), bits(&run(4)));
    let other = truncated_svd(&operator, &SvdConfig { seed: 1, ..config.clone() }).unwrap();
    assert_ne!(bits(&one), bits(&other), "the seed must reach the random block");
}

#[test]
fn cross_product_equals_the_explicit_product() {
    let (left, right) = (random_sparse(900, 120, 0.05, 6), random_sparse(900, 150, 0.05, 7));
    let operator = CrossProduct::new(left.clone(), right.clone()).unwrap();
    let explicit = to_dense(&SparseOperator::new(left)).transpose() * to_dense(&SparseOperator::new(right));
    assert!((to_dense(&operator) - &explicit).norm_max() < 1e-12);
    let svd = truncated_svd(&operator, &precise(12)).unwrap();
    assert_triplets(&explicit, &svd, 1e-8);
    assert_values(&svd.s, &dense_values(&explicit), 1e-11);
}
