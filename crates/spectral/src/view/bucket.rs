//! Integer features as indicators of a range.
//!
//! A width or a size is not linear in the hidden state: a span of 40 words is not twenty times a span of two. As an
//! indicator of its bucket, it is scaled like every other feature.

use crate::error::SpectralError;

/// Consecutive ranges of non-negative integers.
///
/// Bucket i has the values `starts[i] .. starts[i + 1]`; the last bucket is unbounded.
///
/// ```
/// # use spectral::view::Buckets;
/// let buckets = Buckets::geometric(4, 1.5, 30)?;
/// assert_eq!(buckets.starts(), [0, 1, 2, 3, 4, 6, 9, 14, 21]);
/// assert_eq!((buckets.bucket(5), buckets.bucket(1_000_000)), (4, 8));
/// # Ok::<(), spectral::SpectralError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buckets {
    /// Strictly ascending, first 0.
    starts: Vec<u64>,
}

impl Buckets {
    /// Buckets that start at the given values; a start at 0 is added if it is missing.
    pub fn from_starts(starts: impl IntoIterator<Item = u64>) -> Self {
        let mut starts: Vec<u64> = starts.into_iter().chain([0]).collect();
        starts.sort_unstable();
        starts.dedup();
        Buckets { starts }
    }

    /// One bucket for each value up to `exact`, then ranges that grow by `ratio` until a start would exceed `last`.
    pub fn geometric(exact: u64, ratio: f64, last: u64) -> Result<Self, SpectralError> {
        if !(ratio > 1.0 && ratio.is_finite()) {
            let requirement = "it must be finite and above 1, so that ranges grow";
            return Err(SpectralError::Config { field: "bucket ratio", value: ratio, requirement });
        }
        let exact = exact.min(last);
        let mut starts: Vec<u64> = (0..=exact).collect();
        let mut start = exact;
        loop {
            // Advance by at least one, so that the loop ends even if the ratio rounds to no growth.
            start = ((start as f64 * ratio).round() as u64).max(start.saturating_add(1));
            if start > last || start == u64::MAX {
                return Ok(Buckets { starts });
            }
            starts.push(start);
        }
    }

    /// The bucket of a value.
    pub fn bucket(&self, value: u64) -> usize {
        self.starts.partition_point(|&start| start <= value) - 1
    }

    /// Where each bucket starts.
    pub fn starts(&self) -> &[u64] {
        &self.starts
    }
}

impl Default for Buckets {
    /// Single values from 0 to 4, then ranges growing by half; the last one starts at 21.
    fn default() -> Self {
        Buckets::from_starts([0, 1, 2, 3, 4, 6, 9, 14, 21])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_the_bucket_it_starts_in() {
        let buckets = Buckets::from_starts([10, 3]);
        assert_eq!([0, 2, 3, 9, 10, u64::MAX].map(|value| buckets.bucket(value)), [0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn the_default_is_the_geometric_rule() {
        assert_eq!(Buckets::default(), Buckets::geometric(4, 1.5, 30).unwrap());
        assert!(Buckets::geometric(4, 1.0, 30).is_err() && Buckets::geometric(4, f64::NAN, 30).is_err());
    }
}
