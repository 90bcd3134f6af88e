//! Learns decisions by AdaGrad on their likelihood, over the text of a treebank.

use super::bonds::BondCounts;
use super::config::TokenizerConfig;
use super::data::TokenizerData;
use super::features::Characters;
use super::model::{DECISIONS, Decision, Tokenizer};
use super::multiword::Multiword;
use super::protected::KindCounts;
use hashbrown::HashSet;
use models::learn::{LearnError, Learned, Learner, Observer, Progress};
use models::log_linear::{Cases, Rows, SparseWeights, shuffled_blocks};

/// Learns tokenizers.
#[derive(Clone, Debug, Default)]
pub struct TokenizerLearner {
    /// Configuration.
    pub config: TokenizerConfig,
}

/// Number of decisions processed in the order in which they are stored.
const BLOCK: usize = 64;
/// Number of decisions between two calls of the observer.
const CHUNK: usize = 1 << 14;

impl Learner for TokenizerLearner {
    type Data = TokenizerData;
    type Model = Tokenizer;

    fn learn(
        &self,
        data: &TokenizerData,
        observer: &mut dyn Observer,
    ) -> Result<Learned<Tokenizer>, LearnError> {
        let config = &self.config;
        if data.passages.is_empty() {
            return Err(LearnError::bad_data(
                "the tokens of no sentence match its text; give a treebank with `# text` and SpaceAfter",
            ));
        }
        let mut progress = Progress::new(observer);
        progress.stage("characters", Some(data.passages.len() as u64))?;
        let mut decisions = Decisions::of(data, &mut progress)?;
        let (mut rows, named) = decisions.cases.number(config.least_count, DECISIONS);
        progress.figure("characters", decisions.cases.len() as f64);
        progress.stage("decisions", None)?;
        let passes = decisions.descend(config, &mut rows, &mut progress)?;
        let weights = SparseWeights::round(named.into_iter(), &rows, passes);
        let multiword = Multiword::of(&data.seen, config);
        progress.figure("multiword tokens", multiword.len() as f64);
        let whole = decisions.kinds.whole();
        let bonds = decisions.bonds.bonds();
        Ok(progress.finish(Tokenizer {
            config: config.clone(),
            weights: Some(weights),
            bonds,
            whole,
            multiword,
        }))
    }
}

/// All characters with their features.
struct Decisions {
    cases: Cases,
    bonds: BondCounts,
    kinds: KindCounts,
}

impl Decisions {
    fn of(data: &TokenizerData, progress: &mut Progress<'_>) -> Result<Self, LearnError> {
        let mut all =
            Self { cases: Cases::default(), bonds: BondCounts::default(), kinds: KindCounts::default() };
        let mut characters = Characters::default();
        for passage in &data.passages {
            characters.read(&passage.text);
            let ends: HashSet<usize> = passage.tokens.iter().map(|(range, _)| range.end).collect();
            all.kinds.see(&characters, |at| {
                let (c, byte, _) = characters.all[at];
                ends.contains(&(byte + c.len_utf8()))
            });
            let mut tokens = passage.tokens.iter();
            let mut own = tokens.next();
            // The last decision is forced and carries no information.
            let last = passage.text.trim_end().len();
            for at in 0..characters.all.len() {
                let (c, byte, _) = characters.all[at];
                let end = byte + c.len_utf8();
                let Some((range, ends)) = own else { break };
                if characters.is_space(at) {
                    continue;
                }
                let label = match (end == range.end, ends) {
                    (false, _) => Decision::Inside,
                    (true, false) => Decision::Token,
                    (true, true) => Decision::Sentence,
                };
                if end == range.end {
                    own = tokens.next();
                }
                if end < last {
                    all.bonds.see(&characters, at, label != Decision::Inside);
                    all.cases.push(label as u16, |feature| characters.features(at, feature));
                }
            }
            progress.advance(1)?;
        }
        Ok(all)
    }

    /// Updates the weights and returns the number of passes in their sums.
    fn descend(
        &self,
        config: &TokenizerConfig,
        rows: &mut Rows,
        progress: &mut Progress<'_>,
    ) -> Result<usize, LearnError> {
        let mut order = shuffled_blocks(self.cases.len(), BLOCK, 1);
        let mut summed = 0;
        for pass in 0..config.passes {
            let mut doubtful = Vec::new();
            for chunk in order.chunks(CHUNK) {
                for &number in chunk {
                    if self.visit(number as usize, config, rows) > config.certain {
                        doubtful.push(number);
                    }
                }
                progress.advance(chunk.len() as u64)?;
            }
            order = doubtful;
            if 2 * (pass + 1) >= config.passes {
                rows.sum();
                summed += 1;
            }
        }
        Ok(summed)
    }

    /// Learns from one decision; returns how far it was from certain.
    fn visit(&self, number: usize, config: &TokenizerConfig, rows: &mut Rows) -> f32 {
        let features = self.cases.features(number);
        let right = usize::from(self.cases.label(number));
        let mut slopes = [0.0f32; DECISIONS];
        features.iter().for_each(|&row| rows.add_weights(row, &mut slopes));
        let most = slopes.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        slopes.iter_mut().for_each(|score| *score = (*score - most).exp());
        let total: f32 = slopes.iter().sum();
        slopes.iter_mut().for_each(|power| *power /= total);
        let doubt = 1.0 - slopes[right];
        slopes[right] -= 1.0;
        if doubt > config.certain {
            let active = [0, 1, 2].map(|label| (label, slopes[usize::from(label)]));
            for &row in features {
                rows.descend(row, &slopes, &active, config.rate, config.damping);
            }
        }
        doubt
    }
}
