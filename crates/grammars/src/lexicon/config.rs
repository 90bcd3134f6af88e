//! Configuration of the lexicon.

use serde::{Deserialize, Serialize};

/// Smoothing of a lexicon. The defaults were chosen on the development set of an English treebank; those of the context
/// on held-out documents of GUM's training set.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LexiconConfig {
    /// Words seen at most this often determine the behaviour of unknown words.
    pub rare_count: u64,
    /// Words seen at least this often get no tag that they were not seen with.
    pub closed_count: u64,
    /// β: the weight of the signature relative to the word's own tags.
    pub signature_weight: f64,
    /// γ: the weight of the tag's chains relative to the word's own chains.
    pub chain_weight: f64,
    /// The weight of a coarser signature relative to a finer one.
    pub back_off_weight: f64,
    /// Preterminals whose `p(s | w)` is below this share of the best are dropped.
    pub cut_off: f64,
    /// How neighbouring words are used.
    pub context: ContextConfig,
}

impl Default for LexiconConfig {
    fn default() -> Self {
        Self {
            rare_count: 5,
            closed_count: 50,
            signature_weight: 1.0,
            chain_weight: 3.0,
            back_off_weight: 5.0,
            cut_off: 1e-5,
            context: ContextConfig::default(),
        }
    }
}

impl LexiconConfig {
    /// A generative lexicon without extensions: `p(w | s)` of a word of the treebank is its relative frequency among the
    /// words of the preterminal, and neighbouring words do not count. Only words that the treebank lacks use signatures.
    pub fn plain() -> Self {
        Self {
            closed_count: 1,
            chain_weight: 0.0,
            cut_off: 0.0,
            context: ContextConfig { passes: 0, ..ContextConfig::default() },
            ..Self::default()
        }
    }
}

/// Learning and use of tags and chains in context. The exponents were chosen with a latent-variable grammar, which
/// models more of the context itself than a PCFG and needs less from here.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ContextConfig {
    /// Passes over the treebank; 0 disables the context.
    pub passes: usize,
    /// Features seen less often than this are dropped.
    pub least_count: u32,
    /// η, the step size.
    pub rate: f32,
    /// δ, keeps the first steps short.
    pub damping: f32,
    /// Learning skips a token once its label has all but this much of the probability.
    pub certain: f32,
    /// Words seen less often than this get the class of their ending and shape instead of the class of their tags.
    pub class_count: u64,
    /// Tags with a smaller share of the word do not enter its class.
    pub class_share: f64,
    /// The exponent of `p(t | w)` when combined with the context.
    pub word_power: f64,
    /// The exponent of `q(t | x, i)`.
    pub tag_power: f64,
    /// The exponent of `p(s | t, w)` when combined with the context.
    pub chain_word_power: f64,
    /// The exponent of `q(s | t, x, i)`.
    pub chain_power: f64,
    /// Preterminals below this share of the best are dropped.
    pub cut_off: f64,
}

impl Default for ContextConfig {
    fn default() -> Self {
        Self {
            passes: 3,
            least_count: 3,
            rate: 0.2,
            damping: 0.1,
            certain: 0.02,
            class_count: 4,
            class_share: 0.02,
            word_power: 0.7,
            tag_power: 0.5,
            chain_word_power: 0.7,
            chain_power: 0.3,
            cut_off: 1e-4,
        }
    }
}
