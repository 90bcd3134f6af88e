//! The constants of the lexicon.

use serde::{Deserialize, Serialize};

/// How a lexicon is smoothed. The defaults were chosen on the development part of an English treebank.
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
        }
    }
}
