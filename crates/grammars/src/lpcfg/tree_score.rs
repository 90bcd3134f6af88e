//! How probable a tree and its words are.
//!
//! `log |p(tree)|` and `log |p(x)|`, the sum over all trees of the words, each with its sign. An ensemble has the geometric
//! mean over its members, so that one number is defined whatever their signs: it is negative if any member is, and 0 if any
//! member is 0.

use corpus::tree::Tree;

use super::config::{Decoding, ParserConfig};
use super::parser::{Parser, Scratch};
use crate::lexicon::Observation;
use crate::pcfg::PrunerConfig;
use models::signed_log::SignedLog;

/// The probability of a tree and of its words.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeScore {
    /// Of the tree with its words.
    pub tree: SignedLog,
    /// Of the words, summed over the trees left by pruning; 0 if there is none.
    pub sentence: SignedLog,
}

impl ParserConfig {
    /// For sums over trees: pruned far less than for the best tree.
    pub fn for_sums() -> Self {
        let pruner = PrunerConfig {
            coarse_threshold: 1e-6,
            estimate_threshold: 1e-9,
            edge_threshold: 1e-7,
            ..PrunerConfig::default()
        };
        Self { pruner: Some(pruner), ..Self::default() }
    }
}

impl Parser<'_> {
    /// The probability of a tree in the normal form of the first grammar, and of its words.
    pub fn score_tree(&self, tree: &Tree, sentence: &[Observation<'_>], scratch: &mut Scratch) -> TreeScore {
        let members = match sentence.len() <= self.config().base.max_words {
            true => self.posteriors(0, sentence, Decoding::RuleSum, scratch),
            false => 0,
        };
        TreeScore {
            tree: geometric_mean(&self.model().tree_probabilities(tree, sentence)),
            sentence: if members > 0 { scratch.partition } else { SignedLog::ZERO },
        }
    }
}

/// The geometric mean of absolute values; negative if any is, 0 if any is 0 or there are none.
pub(super) fn geometric_mean(values: &[SignedLog]) -> SignedLog {
    if values.is_empty() || values.iter().any(|value| value.sign == 0) {
        return SignedLog::ZERO;
    }
    let log = values.iter().map(|value| value.log).sum::<f64>() / values.len() as f64;
    SignedLog { sign: values.iter().map(|value| value.sign).min().unwrap_or(1), log }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_negative_if_a_member_is() {
        let value = |value: f64| SignedLog::new(value, 0.0);
        let mean = geometric_mean(&[value(0.5), value(-0.125)]);
        assert_eq!((mean.sign, mean.log), (-1, 0.25_f64.ln()));
        assert_eq!(geometric_mean(&[value(0.5)]), value(0.5));
        assert_eq!(geometric_mean(&[value(0.5), SignedLog::ZERO]), SignedLog::ZERO);
        assert_eq!(geometric_mean(&[]), SignedLog::ZERO);
    }
}
