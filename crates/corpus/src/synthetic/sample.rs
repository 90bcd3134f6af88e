//! Sampling of trees from a grammar.
//!
//! A tree is sampled top-down and left to right. A tree with too many words is rejected and sampled again, so the trees
//! follow the distribution of the grammar conditioned on the length limit.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::error::SampleError;
use super::lpcfg::{Capitalization, Expansions, LatentGrammar, StateId, capitalise, is_wordlike};
use crate::tree::root::wrap_root;
use crate::tree::{Tree, TreeBuilder};

/// Treatment of hidden states in a sampled tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HiddenStates {
    /// Surface labels only: `NP`.
    #[default]
    Drop,
    /// Labels with their hidden state: `NP[sg]`.
    Keep,
}

/// Configuration of sampling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampleConfig {
    /// Longer sentences are rejected and sampled again.
    pub max_words: usize,
    /// Treatment of hidden states.
    pub hidden_states: HiddenStates,
}

impl Default for SampleConfig {
    /// At most 40 words, the usual limit of parsing experiments, without hidden states.
    fn default() -> Self {
        Self { max_words: 40, hidden_states: HiddenStates::Drop }
    }
}

/// Maximum number of attempts per tree. A limit that one tree in a thousand satisfies fails this often with probability
/// e⁻¹⁰⁰.
const ATTEMPTS: usize = 100_000;

/// Maximum number of nodes per word of the limit. Only unary chains are longer, and those only in grammars whose
/// recursion barely terminates.
const NODES_PER_WORD: usize = 256;

enum Step {
    Open(StateId),
    Close,
}

impl LatentGrammar {
    /// Samples a tree whose root is a symbol of the root distribution.
    ///
    /// ```
    /// use eigentree_corpus::synthetic::{SampleConfig, english};
    /// use rand::SeedableRng;
    /// let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    /// let tree = english().sample(&SampleConfig::default(), &mut rng).unwrap();
    /// assert!(tree.word_count() > 0);
    /// ```
    ///
    /// # Errors
    /// If no attempt satisfies the length limit.
    pub fn sample<R: Rng + ?Sized>(&self, config: &SampleConfig, rng: &mut R) -> Result<Tree, SampleError> {
        for _ in 0..ATTEMPTS {
            if let Some(tree) = self.attempt(config, rng) {
                return Ok(tree);
            }
        }
        Err(SampleError::TooLong { max_words: config.max_words, attempts: ATTEMPTS })
    }

    fn attempt<R: Rng + ?Sized>(&self, config: &SampleConfig, rng: &mut R) -> Option<Tree> {
        let max_nodes = config.max_words.saturating_mul(NODES_PER_WORD);
        let mut builder = TreeBuilder::new();
        let mut nodes = 0usize;
        let mut capital_due = self.capitalization() == Capitalization::FirstWord;
        let mut steps = vec![Step::Open(self.draw_root(rng))];
        while let Some(step) = steps.pop() {
            let state = match step {
                Step::Open(state) => state,
                Step::Close => {
                    builder.close();
                    continue;
                }
            };
            nodes += 1;
            if nodes > max_nodes {
                return None;
            }
            builder.open(match config.hidden_states {
                HiddenStates::Drop => self.label(state),
                HiddenStates::Keep => self.name(state),
            });
            let drawn = self.draw_expansion(state, rng);
            match self.expansions(state) {
                Expansions::Phrase(rules) => {
                    steps.push(Step::Close);
                    steps.extend(rules[drawn].children.iter().rev().map(|&child| Step::Open(child)));
                }
                Expansions::Tag(words) => {
                    if builder.word_count() == config.max_words {
                        return None;
                    }
                    let word = self.words().text(words[drawn].0);
                    if capital_due && is_wordlike(word) {
                        capital_due = false;
                        builder.word(&capitalise(word));
                    } else {
                        builder.word(word);
                    }
                    builder.close();
                }
            }
        }
        builder.finish()
    }
}

/// Samples `n` trees below `ROOT`, without hidden states. The trees depend only on the grammar and the seed; fewer
/// trees with the same seed are a prefix of more.
///
/// # Errors
/// If the grammar hardly ever gives sentences within the default length limit.
pub fn sample_treebank(grammar: &LatentGrammar, n: usize, seed: u64) -> Result<Vec<Tree>, SampleError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let config = SampleConfig::default();
    (0..n).map(|_| Ok(wrap_root(grammar.sample(&config, &mut rng)?, "ROOT"))).collect()
}
