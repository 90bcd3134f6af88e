//! Configuration of rule smoothing.

use super::table::SmoothedRules;
use crate::grammar::{RuleTable, SymbolTable};

/// How rules that the treebank lacks are treated.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub enum RuleSmoothing {
    /// They are impossible: relative frequencies only.
    #[default]
    None,
    /// New rules combine siblings that occur next to each other or in the same kind of phrase.
    Siblings(SiblingSmoothing),
}

impl RuleSmoothing {
    /// Applies the smoothing to the rules of a treebank.
    pub fn apply(&self, symbols: &SymbolTable, table: RuleTable, counts: Vec<f64>) -> SmoothedRules {
        match self {
            Self::None => SmoothedRules::unsmoothed(table, counts),
            Self::Siblings(config) => config.smooth(symbols, &table, &counts),
        }
    }
}

/// Configuration of sibling smoothing.
///
/// The constants of [`Default`] were chosen by the likelihood of a held-out tenth of GUM's training trees, with a table
/// of twice the size; the likelihood is flat around them. The growth is a compromise: more rules find a few more trees
/// and cost time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SiblingSmoothing {
    /// Discount of rules.
    pub rules: Discount,
    /// Discount of the steps that compose a rule.
    pub steps: Discount,
    /// What less specific contexts count.
    pub lower: LowerOrder,
    /// New rules need at least this expected count in a treebank of the same size.
    pub least_expected: f64,
    /// Maximum number of new rules per seen rule, those with the largest expected count first.
    pub growth: f64,
}

impl Default for SiblingSmoothing {
    fn default() -> Self {
        Self {
            rules: Discount { amount: 0.7, strength: 4.0 },
            steps: Discount { amount: 0.3, strength: 32.0 },
            lower: LowerOrder::Types,
            least_expected: 0.01,
            growth: 1.0,
        }
    }
}

/// The mass that a context gives to the next, less specific one: `(θ + d t) / (n + θ)`, if it has `n` events of `t`
/// different kinds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Discount {
    /// `d`, subtracted from each count; in 0 … 1.
    pub amount: f64,
    /// `θ`, the weight of the less specific context, in counts.
    pub strength: f64,
}

impl Discount {
    /// The probability of an event seen `count` of `total` times, where the less specific context gives `lower`.
    pub(super) fn interpolate(self, count: f64, total: f64, types: f64, lower: f64) -> f64 {
        let sum = total + self.strength;
        if sum <= 0.0 {
            return lower;
        }
        ((count - self.amount).max(0.0) + (self.strength + self.amount * types) * lower) / sum
    }
}

/// What less specific contexts count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LowerOrder {
    /// Occurrences of an event.
    Counts,
    /// The number of more specific contexts in which an event was seen (Kneser and Ney 1995).
    Types,
}
