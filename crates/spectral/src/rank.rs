//! Choice of the rank: the number of hidden states.
//!
//! The rank is the smallest of several limits: the requested rank, rules over the spectrum, the number of samples, the
//! dimensions, and the numerical rank of the matrix. Projections divide by σ_m, so the last limit is not optional.

use std::num::NonZeroUsize;

use serde::Serialize;

use crate::error::SpectralError;

/// A number of hidden dimensions, at least 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(transparent)]
pub struct Rank(NonZeroUsize);

impl Rank {
    /// The smallest rank.
    pub const ONE: Rank = Rank(NonZeroUsize::MIN);

    /// Creates a rank; `None` for zero.
    pub fn new(rank: usize) -> Option<Self> {
        NonZeroUsize::new(rank).map(Rank)
    }

    /// The number of dimensions.
    pub fn get(self) -> usize {
        self.0.get()
    }
}

/// A rank proposed by the spectrum σ_1 ≥ σ_2 ≥ ….
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RankRule {
    /// The number of values with σ_i > τ σ_1, for a τ in [0, 1).
    Threshold(f64),
    /// The least number of values with this share of Σ σ_i², for a share in (0, 1].
    Energy(f64),
    /// The i for which σ_i / σ_{i+1} is largest.
    Gap,
}

/// Whether the number of samples limits the rank.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SampleCap {
    /// No limit.
    Unlimited,
    /// At most one dimension per this many samples; positive.
    SamplesPerDimension(f64),
}

/// How the rank is chosen: the smallest of all limits, but at least 1.
#[derive(Clone, PartialEq, Debug)]
pub struct RankConfig {
    /// The requested rank, never exceeded.
    pub limit: Rank,
    /// Rules over the spectrum.
    pub rules: Vec<RankRule>,
    /// Limit by the number of samples.
    pub sample_cap: SampleCap,
}

impl RankConfig {
    /// This rank, unless the numerical rank of the matrix is lower.
    pub fn fixed(limit: Rank) -> Self {
        RankConfig { limit, rules: Vec::new(), sample_cap: SampleCap::Unlimited }
    }

    /// The default for tree models: σ_m > 0.01 σ_1, and 30 samples per dimension.
    pub fn cautious(limit: Rank) -> Self {
        RankConfig {
            limit,
            rules: vec![RankRule::Threshold(0.01)],
            sample_cap: SampleCap::SamplesPerDimension(30.0),
        }
    }

    /// Fails for values outside their ranges.
    pub fn validate(&self) -> Result<(), SpectralError> {
        for rule in &self.rules {
            match *rule {
                RankRule::Threshold(value) if !(0.0..1.0).contains(&value) => {
                    let (field, requirement) = ("rank threshold", "it must be at least 0 and below 1");
                    return Err(SpectralError::Config { field, value, requirement });
                }
                RankRule::Energy(value) if !(value > 0.0 && value <= 1.0) => {
                    let (field, requirement) = ("rank energy share", "it must be above 0 and at most 1");
                    return Err(SpectralError::Config { field, value, requirement });
                }
                _ => {}
            }
        }
        match self.sample_cap {
            SampleCap::SamplesPerDimension(value) if !(value > 0.0 && value.is_finite()) => {
                let (field, requirement) = ("samples per dimension", "it must be finite and above 0");
                Err(SpectralError::Config { field, value, requirement })
            }
            _ => Ok(()),
        }
    }

    /// The rank before the spectrum is known: requested rank, dimensions and samples.
    pub(crate) fn prior(&self, dimension: usize, samples: f64) -> RankChoice {
        let mut choice = RankChoice { rank: self.limit, bound: RankBound::Limit };
        choice.lower(dimension, RankBound::Dimension);
        if let SampleCap::SamplesPerDimension(needed) = self.sample_cap {
            // The cast saturates and rounds down, as intended.
            choice.lower((samples / needed) as usize, RankBound::Samples);
        }
        choice
    }

    /// Chooses the rank for a spectrum.
    ///
    /// `values` may have more than `limit` values; the gap rule uses the next one. `energy` is the sum of all squared
    /// singular values, including those not computed; without it the energy rule uses only the given ones.
    pub fn choose(&self, spectrum: &Spectrum, samples: f64) -> Result<RankChoice, SpectralError> {
        self.validate()?;
        let mut choice = self.prior(spectrum.dimension, samples);
        let values = &spectrum.values;
        let floor = spectrum.floor();
        choice.lower(values.iter().take_while(|&&value| value > floor).count(), RankBound::NumericalRank);
        let first = values.first().copied().unwrap_or(0.0);
        for rule in &self.rules {
            match *rule {
                RankRule::Threshold(ratio) => choice.lower(
                    values.iter().take_while(|&&value| value > ratio * first).count(),
                    RankBound::Threshold,
                ),
                RankRule::Energy(share) => {
                    let total = spectrum.total_energy();
                    // The last partial sum may differ from the total by rounding.
                    let wanted = share * total * (1.0 - 1e-12);
                    let mut sum = 0.0;
                    let short = values.iter().take_while(|&&value| {
                        let missing = sum < wanted;
                        sum += value * value;
                        missing
                    });
                    choice.lower(short.count(), RankBound::Energy);
                }
                RankRule::Gap => {
                    let mut best = (0.0, usize::MAX);
                    for (i, pair) in values.windows(2).take(self.limit.get()).enumerate() {
                        let ratio = pair[0] / pair[1].max(floor).max(f64::MIN_POSITIVE);
                        if pair[0] > floor && ratio > best.0 {
                            best = (ratio, i + 1);
                        }
                    }
                    choice.lower(best.1, RankBound::Gap);
                }
            }
        }
        Ok(choice)
    }
}

/// The computed singular values.
#[derive(Clone, PartialEq, Debug)]
pub struct Spectrum {
    /// σ_1 ≥ σ_2 ≥ …
    pub values: Vec<f64>,
    /// min(d, d′).
    pub dimension: usize,
    /// `Σ σ_i²` over all values, if the matrix was formed.
    pub energy: Option<f64>,
    /// Relative precision of the values.
    pub precision: f64,
}

impl Spectrum {
    /// Values up to this are rounding errors.
    pub(crate) fn floor(&self) -> f64 {
        let first = self.values.first().copied().unwrap_or(0.0);
        8.0 * self.precision * (self.dimension as f64).sqrt().max(4.0) * first
    }

    /// Total known energy: at least that of the computed values.
    pub(crate) fn total_energy(&self) -> f64 {
        let computed: f64 = self.values.iter().map(|value| value * value).sum();
        self.energy.map_or(computed, |energy| energy.max(computed))
    }
}

/// A rank, and which limit determined it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankChoice {
    /// The rank.
    pub rank: Rank,
    /// The decisive limit.
    pub bound: RankBound,
}

impl RankChoice {
    fn lower(&mut self, proposal: usize, bound: RankBound) {
        if proposal < self.rank.get() {
            *self = RankChoice { rank: Rank::new(proposal).unwrap_or(Rank::ONE), bound };
        }
    }
}

/// The limit that determined a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RankBound {
    /// The requested rank.
    Limit,
    /// The smaller of the two dimensions.
    Dimension,
    /// The number of samples.
    Samples,
    /// The number of values above rounding error.
    NumericalRank,
    /// [`RankRule::Threshold`].
    Threshold,
    /// [`RankRule::Energy`].
    Energy,
    /// [`RankRule::Gap`].
    Gap,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spectrum(values: &[f64]) -> Spectrum {
        Spectrum { values: values.to_vec(), dimension: 100, energy: None, precision: f64::EPSILON }
    }

    fn choose(limit: usize, rules: &[RankRule], values: &[f64]) -> (usize, RankBound) {
        let config = RankConfig { rules: rules.to_vec(), ..RankConfig::fixed(Rank::new(limit).unwrap()) };
        let choice = config.choose(&spectrum(values), 1e9).unwrap();
        (choice.rank.get(), choice.bound)
    }

    const VALUES: [f64; 6] = [4.0, 3.0, 2.9, 0.5, 0.04, 0.03];

    #[test]
    fn each_rule_by_hand() {
        assert_eq!(choose(4, &[], &VALUES), (4, RankBound::Limit));
        assert_eq!(choose(9, &[], &VALUES), (6, RankBound::NumericalRank));
        // 0.04 is not above 0.01 · 4.
        assert_eq!(choose(9, &[RankRule::Threshold(0.01)], &VALUES), (4, RankBound::Threshold));
        // The squares are 16, 9, 8.41, 0.25, …: 25 of 33.6625 is 74 %, 33.41 is 99 %.
        assert_eq!(choose(9, &[RankRule::Energy(0.74)], &VALUES), (2, RankBound::Energy));
        assert_eq!(choose(9, &[RankRule::Energy(0.75)], &VALUES), (3, RankBound::Energy));
        assert_eq!(choose(9, &[RankRule::Energy(1.0)], &VALUES), (6, RankBound::NumericalRank));
        // 0.5 / 0.04 is the largest ratio; within three values and the next, 2.9 / 0.5 is.
        assert_eq!(choose(5, &[RankRule::Gap], &VALUES), (4, RankBound::Gap));
        assert_eq!(choose(3, &[RankRule::Gap], &VALUES), (3, RankBound::Limit));
        assert_eq!(choose(5, &[RankRule::Gap, RankRule::Threshold(0.5)], &VALUES), (3, RankBound::Threshold));
    }

    #[test]
    fn a_single_value_has_no_gap() {
        assert_eq!(choose(5, &[RankRule::Gap], &[2.0]), (1, RankBound::NumericalRank));
    }

    #[test]
    fn known_energy_counts_what_was_not_computed() {
        let config =
            RankConfig { rules: vec![RankRule::Energy(0.5)], ..RankConfig::fixed(Rank::new(9).unwrap()) };
        let whole = Spectrum { energy: Some(80.0), ..spectrum(&[5.0, 4.0, 1.0]) };
        assert_eq!(config.choose(&whole, 1.0).unwrap().rank.get(), 2);
        assert_eq!(config.choose(&spectrum(&[5.0, 4.0, 1.0]), 1.0).unwrap().rank.get(), 1);
    }

    #[test]
    fn samples_and_dimension_bound_the_rank_but_never_below_one() {
        let config = RankConfig::cautious(Rank::new(8).unwrap());
        let flat = spectrum(&[1.0; 9]);
        let choice = |samples| config.choose(&flat, samples).unwrap();
        assert_eq!(choice(1e6), RankChoice { rank: Rank::new(8).unwrap(), bound: RankBound::Limit });
        assert_eq!(choice(89.0), RankChoice { rank: Rank::new(2).unwrap(), bound: RankBound::Samples });
        assert_eq!(choice(3.0), RankChoice { rank: Rank::ONE, bound: RankBound::Samples });
        let narrow = Spectrum { dimension: 3, ..flat };
        assert_eq!(config.choose(&narrow, 1e6).unwrap().bound, RankBound::Dimension);
    }

    #[test]
    fn bad_rules_are_refused() {
        for rule in [RankRule::Threshold(1.0), RankRule::Threshold(f64::NAN), RankRule::Energy(0.0)] {
            let config = RankConfig { rules: vec![rule], ..RankConfig::fixed(Rank::ONE) };
            assert!(matches!(config.choose(&spectrum(&[1.0]), 1.0), Err(SpectralError::Config { .. })));
        }
        let sample_cap = SampleCap::SamplesPerDimension(0.0);
        assert!(RankConfig { sample_cap, ..RankConfig::fixed(Rank::ONE) }.validate().is_err());
    }
}
