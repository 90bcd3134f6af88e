//! Diagnostics of the spectrum: does the data support the rank?
//!
//! The theorems on sample complexity share one form. In Cohen et al. (2012, theorem 3) the probability of a tree of N
//! nodes is within a factor 1 ± ε if the number of samples M of every symbol is at least of the order
//! `m² N² / (ε² Λ² σ_m⁴)`, where Λ is the least magnitude of a parameter. In Stratos et al. (2014, appendix C) the
//! subspace is within ε if M is of the order `(σ_1/σ_m)² / ε²`. The error grows with 1/σ_m and shrinks with 1/√M. Both
//! compare σ_m with `‖Ω̂ − Ω‖`, the error of the estimated cross moment: by Weyl's inequality a singular value below
//! that error may be nothing but noise, and by Wedin's theorem the error of the m-dimensional subspace is about
//! `‖Ω̂ − Ω‖ / σ_m`.
//!
//! The constants of the theorems are far too large for practical use. We estimate the error itself instead:
//!
//! ```text
//!     F² = (E[‖φ‖² ‖ψ‖²] − ‖Ω‖_F²) / M,       noise = F · min(1, 1/√d + 1/√d′).
//! ```
//!
//! F² is exactly the expected squared Frobenius error of a mean of M independent samples. The factor turns it into a
//! spectral norm as if the error were spread evenly over d×d′ entries (the edge of the Marchenko–Pastur law), with d
//! and d′ the effective numbers of features, `(Σ p_i)²/Σ p_i²` for second moments p. This is a guide, not a bound:
//! sites of one tree or text are not independent, and errors are not spread evenly.

use serde::Serialize;

use crate::rank::{RankBound, RankChoice, Spectrum};

/// How the m-th singular value compares with the sampling error of the cross moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Support {
    /// σ_m is at least ten times the error.
    Ample,
    /// σ_m is at least three times the error.
    Fair,
    /// σ_m is above the error.
    Weak,
    /// σ_m is not above the error: the last dimensions cannot be distinguished from noise.
    None,
}

impl Support {
    /// Compares σ_m with the estimated error of the cross moment.
    pub fn of(last: f64, noise: f64) -> Self {
        if last >= 10.0 * noise {
            Support::Ample
        } else if last >= 3.0 * noise {
            Support::Fair
        } else if last > noise {
            Support::Weak
        } else {
            Support::None
        }
    }
}

/// Figures of one decomposition. Plain data, for reports.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SpectrumReport {
    /// σ_1 ≥ σ_2 ≥ … as far as computed; usually one more than the rank.
    pub singular_values: Vec<f64>,
    /// m, the number of dimensions kept.
    pub rank: usize,
    /// Which limit determined m.
    pub rank_bound: RankBound,
    /// M, the total weight of the sites.
    pub samples: f64,
    /// d, the number of left features.
    pub left_dim: usize,
    /// d′, the number of right features.
    pub right_dim: usize,
    /// σ_1 / σ_m.
    pub condition: f64,
    /// (σ_m − σ_{m+1}) / σ_m, if σ_{m+1} was computed: 1 for a clean cut, 0 for none.
    pub gap: Option<f64>,
    /// Share of Σ σ_i² that is not kept, if the whole sum is known.
    pub discarded_energy: Option<f64>,
    /// Estimated spectral norm of the error of the cross moment.
    pub noise: f64,
    /// noise / σ_m, the order of magnitude of the error of the projected views.
    pub relative_error: f64,
    /// Number of computed singular values that exceed the noise.
    pub supported_rank: usize,
    /// Number of samples that would reduce `relative_error` to a tenth.
    pub samples_for_tenth: f64,
    /// The verdict.
    pub support: Support,
}

/// The sampling error of a cross moment, before it is compared with a spectrum.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct SamplingError {
    /// `E[‖φ‖² ‖ψ‖²]` of the scaled features.
    pub(crate) mean_square: f64,
    /// The effective numbers of features on both sides.
    pub(crate) effective_dims: [f64; 2],
}

impl SamplingError {
    /// The estimated spectral norm.
    fn noise(&self, energy: f64, samples: f64) -> f64 {
        let frobenius = ((self.mean_square - energy).max(0.0) / samples).sqrt();
        let spread: f64 = self.effective_dims.iter().map(|dim| 1.0 / dim.max(1.0).sqrt()).sum();
        frobenius * spread.min(1.0)
    }
}

/// `(Σ p)² / Σ p²`: the effective number of entries.
pub(crate) fn effective_dim(second_moments: impl Iterator<Item = f64>) -> f64 {
    let (sum, squares) = second_moments.fold((0.0, 0.0), |(sum, squares), p| (sum + p, squares + p * p));
    if squares > 0.0 { sum * sum / squares } else { 0.0 }
}

impl SpectrumReport {
    pub(crate) fn new(
        spectrum: &Spectrum,
        choice: RankChoice,
        samples: f64,
        dims: [usize; 2],
        error: SamplingError,
    ) -> Self {
        let values = &spectrum.values;
        let rank = choice.rank.get();
        let last = values.get(rank - 1).copied().unwrap_or(0.0);
        let first = values.first().copied().unwrap_or(0.0);
        let noise = error.noise(spectrum.total_energy(), samples);
        let relative_error = noise / last;
        let kept: f64 = values.iter().take(rank).map(|value| value * value).sum();
        SpectrumReport {
            singular_values: values.clone(),
            rank,
            rank_bound: choice.bound,
            samples,
            left_dim: dims[0],
            right_dim: dims[1],
            condition: first / last,
            gap: values.get(rank).map(|next| (last - next) / last),
            discarded_energy: spectrum.energy.map(|_| (1.0 - kept / spectrum.total_energy()).max(0.0)),
            noise,
            relative_error,
            supported_rank: values.iter().take_while(|&&value| value > noise).count(),
            samples_for_tenth: samples * (relative_error / 0.1).powi(2),
            support: Support::of(last, noise),
        }
    }

    /// Whether the data supports the rank.
    pub fn verdict(&self) -> Verdict {
        let Self {
            rank, samples, condition, relative_error, supported_rank, samples_for_tenth, support, ..
        } = *self;
        Verdict { rank, samples, condition, relative_error, supported_rank, samples_for_tenth, support }
    }

    /// The verdict in words: whether the data supports the rank, and what to do if it does not.
    pub fn explanation(&self) -> String {
        self.verdict().explanation()
    }
}

/// Whether the data supports a rank: the figures of a decomposition that decide it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Verdict {
    /// m, the number of dimensions kept.
    pub rank: usize,
    /// M, the total weight of the sites.
    pub samples: f64,
    /// σ_1 / σ_m.
    pub condition: f64,
    /// noise / σ_m.
    pub relative_error: f64,
    /// Number of singular values that exceed the noise.
    pub supported_rank: usize,
    /// Number of samples that would reduce `relative_error` to a tenth.
    pub samples_for_tenth: f64,
    /// The verdict.
    pub support: Support,
}

impl Verdict {
    /// From singular values, the largest first, of which `rank` were kept, and the estimated sampling error.
    pub fn new(values: &[f64], rank: usize, samples: f64, noise: f64) -> Self {
        let first = values.first().copied().unwrap_or(0.0);
        let last = rank.checked_sub(1).and_then(|at| values.get(at)).copied().unwrap_or(0.0);
        let relative_error = noise / last;
        Self {
            rank,
            samples,
            condition: first / last,
            relative_error,
            supported_rank: values.iter().take_while(|&&value| value > noise).count(),
            samples_for_tenth: samples * (relative_error / 0.1).powi(2),
            support: Support::of(last, noise),
        }
    }

    /// The verdict in words, and what to do if the data does not support the rank.
    pub fn explanation(&self) -> String {
        let Self { rank, samples, relative_error, supported_rank, samples_for_tenth, .. } = self;
        let numbers = format!(
            "{samples:.0} samples, condition {:.3}, estimated error of the projected views {relative_error:.2}",
            self.condition
        );
        match self.support {
            Support::Ample => format!("The data supports rank {rank} well ({numbers})."),
            Support::Fair => {
                format!("The data supports rank {rank} ({numbers}); more data would still sharpen it.")
            }
            Support::Weak => format!(
                "Rank {rank} is at the edge of what the data supports ({numbers}). About {samples_for_tenth:.0} samples \
                 would reduce the error to a tenth. Until then, use smoothing or a lower rank."
            ),
            Support::None => format!(
                "The data does not support rank {rank} ({numbers}): its last dimensions cannot be distinguished from \
                 sampling noise. At most {supported_rank} dimensions exceed it. Lower the rank, add data, or use features \
                 that say more about the hidden state."
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::{Rank, RankConfig};

    fn report(samples: f64, rank: usize) -> SpectrumReport {
        let spectrum = Spectrum {
            values: vec![1.0, 0.5, 0.1],
            dimension: 8,
            energy: Some(1.27),
            precision: f64::EPSILON,
        };
        let choice = RankConfig::fixed(Rank::new(rank).unwrap()).choose(&spectrum, samples).unwrap();
        let error = SamplingError { mean_square: 17.27, effective_dims: [16.0, 16.0] };
        SpectrumReport::new(&spectrum, choice, samples, [16, 8], error)
    }

    #[test]
    fn numbers_by_hand() {
        // F² = 16 / 1600, and the spread over 16×16 halves F.
        let report = report(1600.0, 2);
        assert!((report.noise - 0.05).abs() < 1e-15);
        assert!((report.relative_error - 0.1).abs() < 1e-15);
        assert!((report.samples_for_tenth - 1600.0).abs() < 1e-9);
        assert_eq!((report.condition, report.gap, report.supported_rank), (2.0, Some(0.8), 3));
        assert!((report.discarded_energy.unwrap() - 0.02 / 1.27).abs() < 1e-15);
    }

    #[test]
    fn more_samples_support_more() {
        let verdicts: Vec<Support> =
            [16.0, 256.0, 1600.0, 16_000.0].map(|samples| report(samples, 2).support).into();
        assert_eq!(verdicts, [Support::None, Support::Fair, Support::Ample, Support::Ample]);
        assert_eq!(report(1600.0, 3).support, Support::Weak);
        assert!(report(16.0, 2).explanation().contains("does not support rank 2"));
        assert!(report(16_000.0, 2).explanation().contains("supports rank 2 well"));
    }

    #[test]
    fn effective_dimension_counts_what_matters() {
        assert_eq!(effective_dim([2.0; 5].into_iter()), 5.0);
        assert_eq!(effective_dim([1.0, 0.0, 0.0].into_iter()), 1.0);
        assert_eq!(effective_dim([].into_iter()), 0.0);
    }
}
