//! Learns tokenizers from the text of a treebank.

use super::bonds::BondCounts;
use super::config::{Features, TokenizerConfig};
use super::contexts::Contexts;
use super::data::TokenizerData;
use super::descent::descend;
use super::features::Characters;
use super::model::{DECISIONS, Decision, Tokenizer};
use super::multiword::Multiword;
use super::protected::KindCounts;
use hashbrown::HashSet;
use models::learn::{LearnError, Learned, Learner, Observer, Progress};
use models::log_linear::{Cases, SparseWeights};

/// Learns tokenizers.
#[derive(Clone, Debug, Default)]
pub struct TokenizerLearner {
    /// Configuration.
    pub config: TokenizerConfig,
}

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
        let mut decisions = Decisions::of(data, config.features, &mut progress)?;
        let (mut rows, named) = decisions.cases.number(config.least_count, DECISIONS);
        progress.figure("characters", decisions.cases.len() as f64);
        progress.stage("decisions", None)?;
        let passes = descend::<DECISIONS>(&decisions.cases, config, &mut rows, &mut progress)?;
        let weights = SparseWeights::round(named.into_iter(), &rows, passes);
        let mut multiword = Multiword::of(&data.seen, config);
        multiword.contexts =
            Contexts::learn(&data.sequences, |form| data.seen.words(form), config, &mut progress)?;
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
    fn of(data: &TokenizerData, features: Features, progress: &mut Progress<'_>) -> Result<Self, LearnError> {
        let mut all =
            Self { cases: Cases::default(), bonds: BondCounts::default(), kinds: KindCounts::default() };
        let mut characters = Characters::default();
        for passage in &data.passages {
            characters.read(&passage.text, features);
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
}
