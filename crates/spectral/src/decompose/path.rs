//! Choice of the cheapest representation of a cross moment.

use linalg::{CsrMatrix, Scalar};

use super::config::{DecomposeConfig, Path, PathChoice};

/// Cost of one scattered addition of a feature product, in multiply–adds of a panel product.
const SCATTER: f64 = 4.0;

/// The path for two views, given the rank that will be computed.
pub(super) fn choose_for_views<T: Scalar>(
    left: &CsrMatrix<T>,
    right: &CsrMatrix<T>,
    config: &DecomposeConfig,
    rank: usize,
) -> Path {
    match config.path {
        PathChoice::Given(path) => path,
        PathChoice::Cheapest if is_small(left.ncols(), right.ncols(), config) => Path::Dense,
        PathChoice::Cheapest => {
            // The Krylov space usually needs two to three times as many vectors as the rank; each is multiplied on both
            // sides.
            let products = 6.0 * rank as f64 + 64.0;
            let formed = distinct_pairs(left, right);
            let forming = SCATTER * feature_pairs(left, right);
            let free = (left.nnz() + right.nnz()) as f64;
            if forming + products * formed <= products * free { Path::Sparse } else { Path::MatrixFree }
        }
    }
}

/// The path for counts, which are already sparse.
pub(super) fn choose_for_counts(nrows: usize, ncols: usize, config: &DecomposeConfig) -> Path {
    match config.path {
        PathChoice::Given(Path::Dense) => Path::Dense,
        PathChoice::Cheapest if is_small(nrows, ncols, config) => Path::Dense,
        _ => Path::Sparse,
    }
}

fn is_small(nrows: usize, ncols: usize, config: &DecomposeConfig) -> bool {
    let (short, long) = (nrows.min(ncols) as f64, nrows.max(ncols) as f64);
    short * short * long <= config.dense_cost
}

/// Number of products of a left and a right feature over all sites.
fn feature_pairs<T: Scalar>(left: &CsrMatrix<T>, right: &CsrMatrix<T>) -> f64 {
    left.indptr()
        .windows(2)
        .zip(right.indptr().windows(2))
        .map(|(left, right)| (left[1] - left[0]) as f64 * (right[1] - right[0]) as f64)
        .sum()
}

/// An upper bound on the nonzeros of the cross moment: a left feature meets at most as many right features as its sites
/// have, and at most as many as exist; and vice versa.
fn distinct_pairs<T: Scalar>(left: &CsrMatrix<T>, right: &CsrMatrix<T>) -> f64 {
    let one_way = |from: &CsrMatrix<T>, to: &CsrMatrix<T>| -> f64 {
        let mut met = vec![0_usize; from.ncols()];
        for site in 0..from.nrows() {
            let features = to.indptr()[site + 1] - to.indptr()[site];
            for &feature in &from.indices()[from.indptr()[site]..from.indptr()[site + 1]] {
                met[feature as usize] += features;
            }
        }
        met.into_iter().map(|met| met.min(to.ncols()) as f64).sum()
    };
    one_way(left, right).min(one_way(right, left))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::{Rank, RankConfig};

    /// `sites` rows with `per_site` features each, out of `dim`.
    fn view(sites: usize, per_site: usize, dim: usize, step: usize) -> CsrMatrix<f32> {
        let entries =
            (0..sites).flat_map(|s| (0..per_site).map(move |f| (s, (s * step + f * 131) % dim, 1.0)));
        CsrMatrix::from_triplets(sites, dim, entries).unwrap()
    }

    #[test]
    fn each_path_has_its_case() {
        let config = DecomposeConfig::new(RankConfig::fixed(Rank::new(16).unwrap()));
        let choose =
            |left: &CsrMatrix<f32>, right: &CsrMatrix<f32>| choose_for_views(left, right, &config, 17);
        assert_eq!(choose(&view(50, 2, 40, 1), &view(50, 2, 90, 3)), Path::Dense);
        // Many sites over few feature pairs: forming the matrix pays.
        assert_eq!(choose(&view(40_000, 1, 170, 1), &view(40_000, 1, 170, 7)), Path::Sparse);
        // Many features per site, most pairs distinct: forming the matrix does not pay.
        assert_eq!(choose(&view(3000, 12, 20_011, 17), &view(3000, 12, 20_021, 29)), Path::MatrixFree);
        let given = DecomposeConfig { path: PathChoice::Given(Path::Sparse), ..config.clone() };
        assert_eq!(choose_for_views(&view(5, 1, 4, 1), &view(5, 1, 4, 1), &given, 4), Path::Sparse);
    }
}
