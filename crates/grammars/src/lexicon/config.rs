//! The constants of the lexicon.

use serde::{Deserialize, Serialize};

/// How a lexicon is smoothed. The defaults were chosen on the development part of an English treebank; those of the context on held-out
/// documents of the training part of GUM.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LexiconConfig {
    /// Words seen at most this often tell how unknown words behave.
    pub rare_count: u64,
    /// Words seen at least this often take no tag that they were not seen with.
    pub closed_count: u64,
    /// β: the weight of the signature against the word's own tags.
    pub signature_weight: f64,
    /// γ: the weight of the tag's chains against the word's own chains.
    pub chain_weight: f64,
    /// The weight of a coarser signature against a finer one.
    pub back_off_weight: f64,
    /// Preterminals with less than this share of the best `p(s | w)` are left out.
    pub cut_off: f64,
    /// What the words beside a word are used for.
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

/// How tags and chains in context are learnt and used. The exponents were chosen with a latent-variable grammar, which makes more of
/// the context itself than a PCFG does and wants less from here.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ContextConfig {
    /// Passes over the treebank; none leaves the context out.
    pub passes: usize,
    /// Features seen less often are left out.
    pub least_count: u32,
    /// η, the length of a step.
    pub rate: f32,
    /// δ: keeps the first steps short.
    pub damping: f32,
    /// A label that has all but this of the probability needs no more learning.
    pub certain: f32,
    /// Words seen less often belong to the class of their ending and shape, not of their tags.
    pub class_count: u64,
    /// Tags with a smaller share of the word do not count for its class.
    pub class_share: f64,
    /// The exponent of `p(t | w)` beside the context.
    pub word_power: f64,
    /// The exponent of `q(t | x, i)`.
    pub tag_power: f64,
    /// The exponent of `p(s | t, w)` beside the context.
    pub chain_word_power: f64,
    /// The exponent of `q(s | t, x, i)`.
    pub chain_power: f64,
    /// Preterminals with less than this share of the best are left out.
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
