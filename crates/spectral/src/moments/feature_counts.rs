//! Feature counts of a view.

use linalg::{CsrMatrix, Scalar};

use crate::error::{SpectralError, check_weights};
use crate::view::SiteWeights;

/// The mass `Σ_s w_s φ_i(s)²` of every feature i, and the total weight `M = Σ_s w_s`.
///
/// For indicator features the mass is the number of sites with the feature. For real-valued features it is their second
/// moment, which puts both kinds on one scale.
#[derive(Clone, PartialEq, Debug)]
pub struct FeatureCounts {
    masses: Vec<f64>,
    total: f64,
}

impl FeatureCounts {
    /// Uses counts from elsewhere. They must be finite and non-negative, and the total positive.
    pub fn new(masses: Vec<f64>, total: f64) -> Result<Self, SpectralError> {
        let attempt = "use feature counts";
        check_weights(attempt, "the count of feature", masses.iter().copied())?;
        check_weights(attempt, "the total of", [total])?;
        if total == 0.0 {
            return Err(SpectralError::Empty { attempt, missing: "sites" });
        }
        Ok(FeatureCounts { masses, total })
    }

    /// Counts the features of one view.
    pub fn of_view<T: Scalar>(view: &CsrMatrix<T>, weights: &SiteWeights) -> Result<Self, SpectralError> {
        let attempt = "count the features of a view";
        if weights.len() != view.nrows() {
            let what = "the vector of site weights";
            let (expected, found) = (view.nrows(), weights.len());
            return Err(SpectralError::SizeMismatch { attempt, what, expected, found });
        }
        let mut masses = vec![0.0; view.ncols()];
        for site in 0..view.nrows() {
            let weight = weights.weight(site);
            for (feature, value) in view.row(site) {
                let value = value.to_f64();
                masses[feature] += weight * value * value;
            }
        }
        FeatureCounts::new(masses, weights.total())
    }

    /// The mass of every feature.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// The total weight of the sites.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// Adds the counts of another shard.
    pub fn merge(&mut self, other: &Self) -> Result<(), SpectralError> {
        if self.masses.len() != other.masses.len() {
            return Err(SpectralError::SizeMismatch {
                attempt: "merge feature counts",
                what: "the second vector of counts",
                expected: self.masses.len(),
                found: other.masses.len(),
            });
        }
        for (mass, other) in self.masses.iter_mut().zip(&other.masses) {
            *mass += other;
        }
        self.total += other.total;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indicators_are_counted_and_real_values_squared() {
        let view = CsrMatrix::from_triplets(3, 2, [(0, 0, 1.0_f64), (1, 0, 1.0), (1, 1, 3.0), (2, 1, -1.0)])
            .unwrap();
        let counts = FeatureCounts::of_view(&view, &SiteWeights::Unit { sites: 3 }).unwrap();
        assert_eq!((counts.masses(), counts.total()), (&[2.0, 10.0][..], 3.0));
        let weighted = FeatureCounts::of_view(&view, &SiteWeights::PerSite(vec![0.5, 2.0, 0.0])).unwrap();
        assert_eq!((weighted.masses(), weighted.total()), (&[2.5, 18.0][..], 2.5));
    }

    #[test]
    fn merging_adds() {
        let mut counts = FeatureCounts::new(vec![1.0, 2.0], 3.0).unwrap();
        counts.merge(&FeatureCounts::new(vec![5.0, 0.0], 6.0).unwrap()).unwrap();
        assert_eq!(counts, FeatureCounts::new(vec![6.0, 2.0], 9.0).unwrap());
        assert!(counts.merge(&FeatureCounts::new(vec![1.0], 1.0).unwrap()).is_err());
    }

    #[test]
    fn bad_counts_are_refused() {
        assert!(matches!(FeatureCounts::new(vec![1.0], 0.0), Err(SpectralError::Empty { .. })));
        assert!(matches!(
            FeatureCounts::new(vec![1.0, -1.0], 1.0),
            Err(SpectralError::Negative { index: 1, .. })
        ));
        assert!(matches!(FeatureCounts::new(vec![f64::NAN], 1.0), Err(SpectralError::NonFinite { .. })));
    }
}
