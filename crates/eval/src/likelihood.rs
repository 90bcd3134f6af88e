//! Perplexity and bits per symbol.
//!
//! With p(s) the probability of sentence `s` and |s| its number of symbols, over all sentences with positive
//! probability: bits per symbol b = -Σ log₂ p(s) / Σ |s|, perplexity = 2^b. Sentences whose probability is zero or
//! undefined are counted separately, since a single one would make every perplexity infinite. (A model with signed
//! parameters may return a negative number, which has no logarithm.)

use crate::counts::Ratio;

/// The base of a logarithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogBase {
    /// Natural logarithms.
    E,
    /// Logarithms to base 2: bits.
    Two,
    /// Logarithms to base 10.
    Ten,
}

impl LogBase {
    fn bits(self) -> f64 {
        match self {
            LogBase::E => std::f64::consts::LOG2_E,
            LogBase::Two => 1.0,
            LogBase::Ten => std::f64::consts::LOG2_10,
        }
    }
}

/// Likelihood of one sentence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SentenceLikelihood {
    /// The probability is positive.
    Possible {
        /// -log₂ of the probability.
        bits: f64,
        /// Number of symbols, as the model counts them.
        symbols: usize,
    },
    /// The probability is zero or undefined.
    Impossible,
}

/// Records of all sentences.
///
/// ```
/// use eigentree_eval::likelihood::{LikelihoodScores, LogBase};
/// let mut scores = LikelihoodScores::default();
/// scores.add(-2.0, 4, LogBase::Ten);
/// assert!((scores.perplexity() - 10f64.sqrt()).abs() < 1e-12);
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LikelihoodScores {
    /// In the order of the corpus.
    pub sentences: Vec<SentenceLikelihood>,
}

impl LikelihoodScores {
    /// Adds a sentence with this log-probability and number of symbols.
    pub fn add(&mut self, log_probability: f64, symbols: usize, base: LogBase) {
        self.sentences.push(if log_probability.is_finite() {
            SentenceLikelihood::Possible { bits: -log_probability * base.bits(), symbols }
        } else {
            SentenceLikelihood::Impossible
        });
    }

    /// Number of sentences without a positive probability.
    pub fn impossible(&self) -> usize {
        self.sentences.iter().filter(|sentence| matches!(sentence, SentenceLikelihood::Impossible)).count()
    }

    /// Number of symbols in the possible sentences.
    pub fn symbols(&self) -> u64 {
        let symbols = |sentence: &SentenceLikelihood| match *sentence {
            SentenceLikelihood::Possible { symbols, .. } => symbols as u64,
            SentenceLikelihood::Impossible => 0,
        };
        self.sentences.iter().map(symbols).sum()
    }

    /// Bits per symbol over the possible sentences.
    pub fn bits_per_symbol(&self) -> f64 {
        self.ratios().into_iter().sum::<Ratio>().value()
    }

    /// Perplexity over the possible sentences.
    pub fn perplexity(&self) -> f64 {
        self.bits_per_symbol().exp2()
    }

    /// Contribution of each sentence to the bits per symbol, for significance tests.
    pub fn ratios(&self) -> Vec<Ratio> {
        let ratio = |sentence: &SentenceLikelihood| match *sentence {
            SentenceLikelihood::Possible { bits, symbols } => {
                Ratio { numerator: bits, denominator: symbols as f64 }
            }
            SentenceLikelihood::Impossible => Ratio::default(),
        };
        self.sentences.iter().map(ratio).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uniform_model_has_its_size_as_perplexity_in_every_base() {
        for (base, log) in [(LogBase::E, 8f64.ln()), (LogBase::Two, 3.0), (LogBase::Ten, 8f64.log10())] {
            let mut scores = LikelihoodScores::default();
            scores.add(-5.0 * log, 5, base);
            scores.add(-2.0 * log, 2, base);
            assert!((scores.perplexity() - 8.0).abs() < 1e-12);
            assert!((scores.bits_per_symbol() - 3.0).abs() < 1e-12);
        }
    }

    #[test]
    fn impossible_sentences_are_counted_apart() {
        let mut scores = LikelihoodScores::default();
        scores.add(f64::NEG_INFINITY, 3, LogBase::E);
        scores.add(f64::NAN, 3, LogBase::E);
        assert_eq!((scores.perplexity(), scores.impossible(), scores.symbols()), (1.0, 2, 0));
        scores.add(-2.0, 2, LogBase::Two);
        assert_eq!((scores.perplexity(), scores.impossible(), scores.symbols()), (2.0, 2, 2));
    }
}
