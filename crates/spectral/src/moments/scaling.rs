//! Diagonal scalings of the cross moment.
//!
//! Canonical correlation analysis whitens both views before the SVD. The full covariances are neither sparse nor
//! cheap to invert; with their off-diagonal parts dropped, whitening is a factor per feature (Dhillon et al. 2011;
//! Cohen et al. 2013, section 3.1):
//!
//! ```text
//!     s_i = sqrt(M / (count(i) + κ)),      Ω = diag(s) E[φ ψᵀ] diag(s′).
//! ```
//!
//! For indicator features, with `B = E[φ ψᵀ]`, `u = (count + κ)/M` and `v` likewise, the same formula reads
//! `Ω = diag(u)^{-1/2} B diag(v)^{-1/2}` (Stratos et al. 2014, figure 4): one scaling serves both forms.
//!
//! The pseudo-count κ keeps features seen once or twice from dominating; without it they have the largest factors
//! and the noisiest moments.

use crate::error::SpectralError;
use crate::moments::FeatureCounts;

/// Scaling of the features of a view before the decomposition.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Scaling {
    /// No scaling.
    None,
    /// By the inverse square root of the feature's own second moment.
    DiagonalCca {
        /// κ, added to every count; finite and not negative.
        pseudo_count: f64,
    },
}

impl Default for Scaling {
    /// Diagonal CCA with κ = 5, the value of Cohen et al. (2013).
    fn default() -> Self {
        Scaling::DiagonalCca { pseudo_count: 5.0 }
    }
}

/// Transform of counts before scaling.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum CountTransform {
    /// No transform.
    #[default]
    Identity,
    /// A power above 0 and at most 1. The square root stabilises the variance of Poisson-like counts (Stratos et al.
    /// 2015). The marginals are transformed in the same way, so every entry of Ω is raised to the same power.
    Power(f64),
}

impl CountTransform {
    /// The square root of every count.
    pub const SQUARE_ROOT: Self = CountTransform::Power(0.5);

    /// Exponent of the transform.
    pub fn power(self) -> f64 {
        match self {
            CountTransform::Identity => 1.0,
            CountTransform::Power(power) => power,
        }
    }

    /// The transformed count.
    pub(crate) fn of(self, count: f64) -> f64 {
        match self {
            CountTransform::Identity => count,
            CountTransform::Power(power) => count.powf(power),
        }
    }
}

impl Scaling {
    /// The factor `s_i` of every feature, for counts transformed by `transform`.
    ///
    /// A feature that never occurs has no second moment; its factor is 0 if κ = 0.
    ///
    /// ```
    /// # use spectral::moments::{CountTransform, FeatureCounts, Scaling};
    /// let counts = FeatureCounts::new(vec![20.0, 4.0, 0.0], 100.0)?;
    /// let scaling = Scaling::DiagonalCca { pseudo_count: 5.0 };
    /// let factors = scaling.factors(&counts, CountTransform::Identity)?;
    /// assert_eq!(factors, [2.0, (100.0_f64 / 9.0).sqrt(), 20.0_f64.sqrt()]);
    /// # Ok::<(), spectral::SpectralError>(())
    /// ```
    pub fn factors(
        self,
        counts: &FeatureCounts,
        transform: CountTransform,
    ) -> Result<Vec<f64>, SpectralError> {
        match self {
            Scaling::None => Ok(vec![1.0; counts.masses().len()]),
            Scaling::DiagonalCca { pseudo_count } => {
                if !(pseudo_count >= 0.0 && pseudo_count.is_finite()) {
                    let (field, requirement) = ("pseudo_count", "it must be finite and not negative");
                    return Err(SpectralError::Config { field, value: pseudo_count, requirement });
                }
                let factor = |mass: f64| match mass + pseudo_count {
                    0.0 => 0.0,
                    mass => transform.of((counts.total() / mass).sqrt()),
                };
                Ok(counts.masses().iter().map(|&mass| factor(mass)).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_by_hand() {
        let counts = FeatureCounts::new(vec![3.0, 0.0], 48.0).unwrap();
        let identity = |scaling: Scaling| scaling.factors(&counts, CountTransform::Identity).unwrap();
        assert_eq!(identity(Scaling::None), [1.0, 1.0]);
        assert_eq!(identity(Scaling::DiagonalCca { pseudo_count: 0.0 }), [4.0, 0.0]);
        assert_eq!(identity(Scaling::DiagonalCca { pseudo_count: 12.0 }), [3.2_f64.sqrt(), 2.0]);
        let root = Scaling::DiagonalCca { pseudo_count: 0.0 }.factors(&counts, CountTransform::SQUARE_ROOT);
        assert_eq!(root.unwrap(), [2.0, 0.0]);
    }

    #[test]
    fn bad_pseudo_counts_are_refused() {
        let counts = FeatureCounts::new(vec![3.0], 48.0).unwrap();
        for pseudo_count in [-1.0, f64::NAN, f64::INFINITY] {
            let scaling = Scaling::DiagonalCca { pseudo_count };
            assert!(matches!(
                scaling.factors(&counts, CountTransform::Identity),
                Err(SpectralError::Config { field: "pseudo_count", .. })
            ));
        }
    }
}
