//! Configuration of learning and parsing.

use std::sync::Arc;

use corpus::tree::normal_form::NormalForm;
use models::representations::ClusterPaths;

use crate::grammar::RuleSmoothing;
use crate::lexicon::LexiconConfig;

/// Configuration of a PCFG learner.
#[derive(Clone, Debug, Default)]
pub struct PcfgConfig {
    /// Binarisation and Markov orders.
    pub normal_form: NormalForm,
    /// Smoothing of rules.
    pub rule_smoothing: RuleSmoothing,
    /// Smoothing of words.
    pub lexicon: LexiconConfig,
    /// Clusters of words from plain text, for words that are rare in the treebank or not in it.
    pub clusters: Option<Arc<ClusterPaths>>,
}

/// The objective that the chosen tree maximises.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Decoding {
    /// The most probable derivation.
    Viterbi,
    /// The tree with the largest sum of rule posteriors (Goodman 1996).
    MaxRuleSum,
    /// The tree with the largest product of rule posteriors (Petrov and Klein 2007): the most accurate on GUM with
    /// horizontal order 1, on a par with the sum on CRAFT.
    #[default]
    MaxRuleProduct,
    /// The tree with the largest sum of posteriors of symbols over spans (Goodman 1996).
    MaxConstituentSum,
}

/// What the coarse pass leaves to the fine one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Pruning {
    /// Symbols whose coarse posterior in a span is at least this.
    Posterior(f32),
    /// Everything that can be built: an exhaustive parse.
    None,
}

impl Default for Pruning {
    fn default() -> Self {
        Self::Posterior(3e-6)
    }
}

/// Configuration of a parser.
#[derive(Clone, PartialEq, Debug)]
pub struct ParserConfig {
    /// The objective of decoding.
    pub decoding: Decoding,
    /// Pruning by the coarse pass.
    pub pruning: Pruning,
    /// Sentences with fewer words are parsed without a coarse pass, which would cost more than it saves.
    pub coarse_from: usize,
    /// Longer sentences get a flat fallback: time grows with the cube of the length and memory with its square.
    pub max_words: usize,
}

impl Default for ParserConfig {
    fn default() -> Self {
        Self { decoding: Decoding::default(), pruning: Pruning::default(), coarse_from: 40, max_words: 600 }
    }
}
