//! Precision, recall and F1 from counts, and per-sentence ratios that sum to corpus figures.
//!
//! With `m` items matched, `g` in the gold annotation and `p` predicted:
//! P = m / p, R = m / g, F1 = 2 P R / (P + R) = 2 m / (g + p). Corpus figures are micro-averages: the counts are summed
//! over the sentences first.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::Serialize;

/// Numbers of matched, gold and predicted items.
///
/// ```
/// use eigentree_eval::counts::Counts;
/// let counts = Counts { matched: 3, gold: 4, predicted: 6 };
/// assert_eq!((counts.precision(), counts.recall(), counts.f1()), (0.5, 0.75, 0.6));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Counts {
    /// Items in both; at most `gold` and at most `predicted`.
    pub matched: u64,
    /// Items in the gold annotation.
    pub gold: u64,
    /// Items in the prediction.
    pub predicted: u64,
}

impl Counts {
    /// Share of the predicted items that are right, from 0 to 1.
    pub fn precision(self) -> f64 {
        share(self.matched, self.predicted)
    }

    /// Share of the gold items that were found, from 0 to 1.
    pub fn recall(self) -> f64 {
        share(self.matched, self.gold)
    }

    /// Harmonic mean of precision and recall, from 0 to 1.
    pub fn f1(self) -> f64 {
        share(2 * self.matched, self.gold + self.predicted)
    }

    /// Precision as a ratio that can be summed over sentences.
    pub fn precision_ratio(self) -> Ratio {
        Ratio::of(self.matched, self.predicted)
    }

    /// Recall as a ratio that can be summed over sentences.
    pub fn recall_ratio(self) -> Ratio {
        Ratio::of(self.matched, self.gold)
    }

    /// F1 as a ratio that can be summed over sentences.
    pub fn f1_ratio(self) -> Ratio {
        Ratio::of(2 * self.matched, self.gold + self.predicted)
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.matched += other.matched;
        self.gold += other.gold;
        self.predicted += other.predicted;
    }
}

impl Add for Counts {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), Add::add)
    }
}

/// Contribution of one sentence to a corpus figure of the form Σ numerator / Σ denominator. All figures of this crate
/// except those of clusterings have this form.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Ratio {
    /// Contribution to the numerator.
    pub numerator: f64,
    /// Contribution to the denominator.
    pub denominator: f64,
}

impl Ratio {
    /// A ratio of two counts.
    pub fn of(numerator: u64, denominator: u64) -> Self {
        Self { numerator: numerator as f64, denominator: denominator as f64 }
    }

    /// The quotient; 0 / 0 is 0.
    pub fn value(self) -> f64 {
        if self.denominator == 0.0 { 0.0 } else { self.numerator / self.denominator }
    }
}

impl AddAssign for Ratio {
    fn add_assign(&mut self, other: Self) {
        self.numerator += other.numerator;
        self.denominator += other.denominator;
    }
}

impl Sum for Ratio {
    fn sum<I: Iterator<Item = Self>>(ratios: I) -> Self {
        ratios.fold(Self::default(), |mut sum, ratio| {
            sum += ratio;
            sum
        })
    }
}

/// `part / whole`; 0 if `whole` is 0.
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    Ratio::of(part, whole).value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_found_and_nothing_wanted_is_zero() {
        assert_eq!(Counts::default().f1(), 0.0);
        assert_eq!(Counts { matched: 0, gold: 3, predicted: 0 }.precision(), 0.0);
    }

    #[test]
    fn sums_are_micro_averages() {
        let sentences =
            [Counts { matched: 1, gold: 1, predicted: 1 }, Counts { matched: 0, gold: 3, predicted: 1 }];
        assert_eq!(sentences.into_iter().sum::<Counts>().recall(), 0.25);
        assert_eq!(sentences.iter().map(|counts| counts.f1_ratio()).sum::<Ratio>().value(), 2.0 / 6.0);
    }
}
