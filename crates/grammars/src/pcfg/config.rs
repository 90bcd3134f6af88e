//! What can be chosen.

use corpus::tree::normal_form::NormalForm;

use crate::grammar::RuleSmoothing;
use crate::lexicon::LexiconConfig;

/// How a PCFG is learnt.
#[derive(Clone, Debug, Default)]
pub struct PcfgConfig {
    /// Binarisation and Markov orders.
    pub normal_form: NormalForm,
    /// Smoothing of rules.
    pub rule_smoothing: RuleSmoothing,
    /// Smoothing of words.
    pub lexicon: LexiconConfig,
}

/// What tree is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Decoding {
    /// The most probable derivation.
    Viterbi,
    /// The tree with the largest sum of rule posteriors (Goodman 1996).
    MaxRuleSum,
    /// The tree with the largest product of rule posteriors (Petrov and Klein 2007): the most accurate on GUM with
    /// horizontal order 1, level with the sum on CRAFT.
    #[default]
    MaxRuleProduct,
}

/// What the coarse pass leaves to the fine one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Pruning {
    /// Symbols whose coarse posterior in a span reaches this.
    Posterior(f32),
    /// All that can be built at all: an exhaustive parse.
    None,
}

impl Default for Pruning {
    fn default() -> Self {
        Self::Posterior(3e-6)
    }
}

/// How sentences are parsed.
#[derive(Clone, PartialEq, Debug)]
pub struct ParserConfig {
    /// The objective.
    pub decoding: Decoding,
    /// The coarse pass.
    pub pruning: Pruning,
    /// Sentences of fewer words are parsed without a coarse pass, which would cost them more than it saves.
    pub coarse_from: usize,
    /// Longer sentences get a flat fallback: time grows with the cube of the length and memory with its square.
    pub max_words: usize,
}

impl Default for ParserConfig {
    fn default() -> Self {
        Self { decoding: Decoding::default(), pruning: Pruning::default(), coarse_from: 40, max_words: 600 }
    }
}
