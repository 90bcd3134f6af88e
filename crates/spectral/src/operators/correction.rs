//! Correction of operators by `E[Y Zᵀ]`.
//!
//! Let `C = E[Y Zᵀ]` over all sites of a symbol, `G = E[Y|h]` and `K = E[Z|h]`, so that `C = G diag(P(h)) Kᵀ`. For an
//! event with probability `q_h` in state h,
//!
//! ```text
//!     E[Z; event]ᵀ = qᵀ diag(P(h)) Kᵀ = qᵀ G⁻¹ C,
//! ```
//!
//! and inference needs `qᵀ G⁻¹`: the average times `C⁻¹` (equations 14 and 15 of Cohen et al. 2012, where C is called
//! Σ). If Y and Z come from an exact SVD of the very moments that are averaged here, `C = UᵀΩVΣ⁻¹ = I` and no
//! correction is needed. With an approximate SVD, or projections learnt on other data, ignoring C biases the estimate.

use faer::{Mat, MatRef};
use linalg::pseudo_inverse;

use super::moment::{FirstMoment, Moment, SecondMoment, ThirdMoment};
use super::tensor3::{Mode, Tensor3};
use crate::error::{SpectralError, check_finite};

/// How `E[Y Zᵀ]` enters the operators.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Correction {
    /// Assume that it is the identity.
    AssumeIdentity,
    /// Compute it and solve with it.
    Solve {
        /// Singular values up to this fraction of the largest count as zero, which makes the matrix singular and the
        /// correction fail; in [0, 1).
        cutoff: f64,
    },
}

impl Default for Correction {
    fn default() -> Self {
        Correction::Solve { cutoff: 1e-10 }
    }
}

/// Turns sums over the sites of an event into operators.
#[derive(Clone, Debug)]
pub struct OperatorEstimator {
    /// The weight of all sites of the symbol.
    total: f64,
    /// `(E[Y Zᵀ]⁻¹)ᵀ`, which corrects Z from the left; `None` for the identity.
    corrector: Option<Mat<f64>>,
    condition: f64,
}

impl OperatorEstimator {
    /// Creates an estimator for a symbol from `Σ w y zᵀ` over all of its sites.
    pub fn new(cross: &SecondMoment, correction: Correction) -> Result<Self, SpectralError> {
        let total = cross.weight();
        let mean = cross.over(total)?;
        let estimator = OperatorEstimator { total, corrector: None, condition: 1.0 };
        match correction {
            Correction::AssumeIdentity => Ok(estimator),
            Correction::Solve { cutoff } => {
                let attempt = "correct operators by E[Y Zᵀ]";
                let size = mean.nrows();
                if mean.ncols() != size {
                    let (what, found) = ("the projected right view", mean.ncols());
                    return Err(SpectralError::SizeMismatch { attempt, what, expected: size, found });
                }
                let inverse = pseudo_inverse(mean.as_ref(), cutoff)?;
                let condition = inverse.condition;
                if inverse.rank < size {
                    return Err(SpectralError::Singular { attempt, size, rank: inverse.rank, condition });
                }
                Ok(OperatorEstimator {
                    corrector: Some(inverse.matrix.transpose().to_owned()),
                    condition,
                    ..estimator
                })
            }
        }
    }

    /// Weight of all sites of the symbol, by which sums are divided.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// Condition number of `E[Y Zᵀ]`; 1 if it is assumed to be the identity.
    pub fn condition(&self) -> f64 {
        self.condition
    }

    /// The matrix by which every z must be multiplied, if any.
    ///
    /// A family can fold it into its right projection (`Projection::transform`) and then estimate without correction;
    /// the result is the same.
    pub fn corrector(&self) -> Option<MatRef<'_, f64>> {
        self.corrector.as_ref().map(Mat::as_ref)
    }

    /// `E[Z; event]`.
    pub fn arity0(&self, event: &FirstMoment) -> Result<Vec<f64>, SpectralError> {
        let mean = event.over(self.total)?;
        let Some(corrector) = self.corrector() else { return Ok(mean) };
        check_mode(corrector, mean.len())?;
        let corrected: Vec<f64> = (0..mean.len())
            .map(|i| mean.iter().enumerate().map(|(l, mean)| corrector[(i, l)] * mean).sum())
            .collect();
        check_finite("correct an operator", "entry", corrected.iter().copied())?;
        Ok(corrected)
    }

    /// `E[Z ⊗ Y′; event]`, with a row for each dimension of Z.
    pub fn arity1(&self, event: &SecondMoment) -> Result<Mat<f64>, SpectralError> {
        let mean = event.over(self.total)?;
        let Some(corrector) = self.corrector() else { return Ok(mean) };
        check_mode(corrector, mean.nrows())?;
        Ok(corrector * mean)
    }

    /// `E[Z ⊗ Y′ ⊗ Y″; event]`, with Z in the first mode.
    pub fn arity2(&self, event: ThirdMoment) -> Result<Tensor3, SpectralError> {
        let mean = event.into_over(self.total)?;
        let Some(corrector) = self.corrector() else { return Ok(mean) };
        check_mode(corrector, mean.dims()[0])?;
        Ok(mean.multiply_mode(Mode::First, corrector))
    }
}

fn check_mode(corrector: MatRef<'_, f64>, found: usize) -> Result<(), SpectralError> {
    if corrector.ncols() == found {
        return Ok(());
    }
    let (attempt, what) = ("correct an operator", "the mode of Z");
    Err(SpectralError::SizeMismatch { attempt, what, expected: corrector.ncols(), found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solving_undoes_any_linear_change_of_z() {
        // Views with E[Y Zᵀ] = I by construction: y and z run over the axes, with weights 2.
        let mut exact = (SecondMoment::new([2, 2]), FirstMoment::new(2), ThirdMoment::new([2; 3]));
        let mut changed = exact.clone();
        for (axis, weight) in [(0, 3.0), (1, 1.0)] {
            let y = [0, 1].map(|i| f64::from(i == axis));
            let z = y.map(|y| y * 4.0 / weight);
            let mixed = [2.0 * z[0] + z[1], z[0] - 3.0 * z[1]];
            for (moments, z) in [(&mut exact, z), (&mut changed, mixed)] {
                moments.0.add(weight, &y, &z);
                moments.1.add(0.25 * weight, &z);
                moments.2.add(weight, &z, &y, &y);
            }
        }
        let plain = OperatorEstimator::new(&exact.0, Correction::AssumeIdentity).unwrap();
        let solved = OperatorEstimator::new(&changed.0, Correction::default()).unwrap();
        for (left, right) in plain.arity0(&exact.1).unwrap().iter().zip(solved.arity0(&changed.1).unwrap()) {
            assert!((left - right).abs() < 1e-14);
        }
        let (left, right) = (plain.arity2(exact.2).unwrap(), solved.arity2(changed.2).unwrap());
        assert!(left.as_slice().iter().zip(right.as_slice()).all(|(a, b)| (a - b).abs() < 1e-14));
        assert!(solved.condition() > 1.0);
    }

    #[test]
    fn a_singular_moment_is_an_error() {
        let mut cross = SecondMoment::new([2, 2]);
        cross.add(1.0, &[1.0, 1.0], &[1.0, 2.0]);
        assert!(matches!(
            OperatorEstimator::new(&cross, Correction::default()),
            Err(SpectralError::Singular { size: 2, rank: 1, .. })
        ));
        assert!(matches!(
            OperatorEstimator::new(&SecondMoment::new([2, 2]), Correction::default()),
            Err(SpectralError::Empty { .. })
        ));
    }
}
