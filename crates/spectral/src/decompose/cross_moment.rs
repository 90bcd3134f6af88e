//! The scaled cross moment of two views, formed or ready to be applied.

use linalg::{CrossProduct, CsrMatrix, Scalar};
use rayon::prelude::*;

use crate::error::SpectralError;
use crate::view::ViewPair;

/// Rows of the cross moment that one task forms.
const ROWS_PER_TASK: usize = 512;

/// `Ω_ij = s_i s′_j Σ_s w_s φ_i(s) ψ_j(s) / M` as a sparse matrix.
///
/// Each row i visits the sites of feature i in order and adds their right features to a dense row. Sums are in double
/// precision; threads share the rows.
pub(super) fn form<T: Scalar, S: Scalar>(
    views: &ViewPair<T>,
    left_factors: &[f64],
    right_factors: &[f64],
) -> Result<CsrMatrix<S>, SpectralError> {
    let by_feature = views.left().transpose();
    let (right, total) = (views.right(), views.weights().total());
    let ncols = right.ncols();
    let tasks = by_feature.nrows().div_ceil(ROWS_PER_TASK);
    let parts: Vec<(Vec<usize>, Vec<u32>, Vec<S>)> = (0..tasks)
        .into_par_iter()
        .map(|task| {
            let rows = task * ROWS_PER_TASK..((task + 1) * ROWS_PER_TASK).min(by_feature.nrows());
            let mut sums = vec![0.0_f64; ncols];
            let mut seen = vec![false; ncols];
            let mut touched: Vec<u32> = Vec::new();
            let mut part = (Vec::with_capacity(rows.len()), Vec::new(), Vec::new());
            for row in rows {
                for (site, value) in by_feature.row(row) {
                    let factor = views.weights().weight(site) * value.to_f64();
                    let range = right.indptr()[site]..right.indptr()[site + 1];
                    for (&column, value) in right.indices()[range.clone()].iter().zip(&right.values()[range])
                    {
                        sums[column as usize] += factor * value.to_f64();
                        if !seen[column as usize] {
                            seen[column as usize] = true;
                            touched.push(column);
                        }
                    }
                }
                touched.sort_unstable();
                part.0.push(touched.len());
                for &column in &touched {
                    let scale = left_factors[row] * right_factors[column as usize] / total;
                    part.1.push(column);
                    part.2.push(S::from_f64(scale * std::mem::take(&mut sums[column as usize])));
                    seen[column as usize] = false;
                }
                touched.clear();
            }
            part
        })
        .collect();
    let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for (lengths, part_indices, part_values) in parts {
        for length in lengths {
            indptr.push(indptr[indptr.len() - 1] + length);
        }
        indices.extend(part_indices);
        values.extend(part_values);
    }
    Ok(CsrMatrix::from_raw_parts(by_feature.nrows(), ncols, indptr, indices, values)?)
}

/// Ω as a product of the scaled views, which is never formed.
pub(super) fn apply<T: Scalar>(
    views: &ViewPair<T>,
    left_factors: &[f64],
    right_factors: &[f64],
) -> Result<CrossProduct<T>, SpectralError> {
    // Half of 1/M goes to each side, which keeps the entries near 1 in single precision.
    let root = views.weights().total().sqrt();
    let scaled = |view: &CsrMatrix<T>, factors: &[f64]| -> Result<CsrMatrix<T>, SpectralError> {
        let mut view = view.clone();
        let factors: Vec<T> = factors.iter().map(|factor| T::from_f64(factor / root)).collect();
        view.scale_columns(&factors)?;
        Ok(view)
    };
    let mut left = scaled(views.left(), left_factors)?;
    if let crate::view::SiteWeights::PerSite(weights) = views.weights() {
        let weights: Vec<T> = weights.iter().map(|&weight| T::from_f64(weight)).collect();
        left.scale_rows(&weights)?;
    }
    Ok(CrossProduct::new(left, scaled(views.right(), right_factors)?)?)
}
