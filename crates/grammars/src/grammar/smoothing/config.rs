//! What can be chosen.

use super::table::SmoothedRules;
use crate::grammar::{RuleTable, SymbolTable};

/// What becomes of rules that the treebank does not have.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub enum RuleSmoothing {
    /// They are impossible: relative frequencies.
    #[default]
    None,
    /// Rules are made of siblings that occur beside one another, or in the same kind of phrase.
    Siblings(SiblingSmoothing),
}

impl RuleSmoothing {
    /// The rules of a treebank and those that this makes of them.
    pub fn apply(&self, symbols: &SymbolTable, table: RuleTable, counts: Vec<f64>) -> SmoothedRules {
        match self {
            Self::None => SmoothedRules::unsmoothed(table, counts),
            Self::Siblings(config) => config.smooth(symbols, &table, &counts),
        }
    }
}

/// How much is taken from what was seen, and what is made of it.
///
/// The constants of [`Default`] were chosen by the likelihood of a held-out tenth of GUM's training trees, with a table of twice
/// the size; it is flat around them. The growth is a compromise: more rules find a few more trees and cost time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SiblingSmoothing {
    /// Of rules.
    pub rules: Discount,
    /// Of the steps that rules are made of.
    pub steps: Discount,
    /// What is counted in less specific contexts.
    pub lower: LowerOrder,
    /// New rules are made that would be expected at least so often in a treebank of the same size.
    pub least_expected: f64,
    /// At most so many new rules for each one that was seen, the most expected first.
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

/// What a context gives to the next, less specific one: `(θ + d t) / (n + θ)` of its mass, if it has seen `t` different
/// events in `n`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Discount {
    /// `d`, which is taken from each count; in 0 … 1.
    pub amount: f64,
    /// `θ`, the weight of the less specific context in counts.
    pub strength: f64,
}

impl Discount {
    /// The probability of an event with `count` among `total`, where the less specific context says `lower`.
    pub(super) fn interpolate(self, count: f64, total: f64, types: f64, lower: f64) -> f64 {
        let sum = total + self.strength;
        if sum <= 0.0 {
            return lower;
        }
        ((count - self.amount).max(0.0) + (self.strength + self.amount * types) * lower) / sum
    }
}

/// What is counted in less specific contexts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LowerOrder {
    /// Events.
    Counts,
    /// In how many more specific contexts an event was seen (Kneser and Ney 1995).
    Types,
}
