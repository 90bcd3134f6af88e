//! Configuration of a span model and its learner.

use super::network::NetworkConfig;

/// Configuration of the span learner.
///
/// Rate, passes and pruning were compared on the development set of GUM.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpanConfig {
    /// Number of parts of the treebank. The trees of each part are judged by a grammar learnt from the others.
    pub folds: usize,
    /// Number of consecutive trees that stay in one part: trees of one document resemble each other more than new text
    /// resembles them.
    pub block: usize,
    /// Rule applications whose posterior under the grammar is below this are not considered.
    pub least_posterior: f32,
    /// Words seen at least this often are features by themselves, others by their ending and shape.
    pub frequent: f64,
    /// Number of passes over the trees. The weights are averaged over the second half of them.
    pub epochs: usize,
    /// The learning rate η.
    pub rate: f32,
    /// The damping δ of the first steps.
    pub damping: f32,
    /// The weights of the hashed features fill a table of at most `2^max_bits` entries.
    pub max_bits: u32,
    /// The networks beside the features.
    pub network: NetworkConfig,
    /// The seed of the order of trees, and of the networks' first weights.
    pub seed: u64,
}

impl Default for SpanConfig {
    fn default() -> Self {
        Self {
            folds: 4,
            block: 50,
            least_posterior: 1e-3,
            frequent: 3.0,
            epochs: 6,
            rate: 0.01,
            damping: 0.1,
            max_bits: 24,
            network: NetworkConfig::default(),
            seed: 1,
        }
    }
}

/// The smallest and the largest table that a model may have.
pub(super) const BITS: std::ops::RangeInclusive<u32> = 12..=28;

impl SpanConfig {
    /// The same with this number of networks.
    pub fn with_networks(mut self, members: usize) -> Self {
        self.network.members = members;
        self
    }

    /// The size of the table for a treebank of this many words: about 24 entries per word, as far as there is room.
    pub(super) fn bits(&self, words: usize) -> u32 {
        let wanted = (24 * words.max(1)).next_power_of_two().ilog2();
        wanted.min(self.max_bits).clamp(*BITS.start(), *BITS.end())
    }
}
