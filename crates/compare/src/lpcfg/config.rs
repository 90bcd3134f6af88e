//! What can be chosen.

use corpus::tree::Tree;
use eigentree::training::{Preset, Tuning};
use grammars::lpcfg::{LpcfgConfig, Method, ParserConfig, SpectralConfig};
use grammars::pcfg;

use super::contestant::Contestant;
use super::tags::TagSource;

/// What is compared.
#[derive(Clone, Debug)]
pub struct Config {
    /// The grammar, the head rules and the smoothing of all learners; its members do not matter.
    pub base: LpcfgConfig,
    /// The projection of the spectral learners; its number of states does not matter.
    pub spectral: SpectralConfig,
    /// Who takes part, each once.
    pub contestants: Vec<Contestant>,
    /// Numbers of states.
    pub states: Vec<usize>,
    /// After which steps EM is scored.
    pub checkpoints: Vec<usize>,
    /// How many steps of EM follow clusters.
    pub cluster_steps: usize,
    /// The search of all parsers; variants change parts of it.
    pub parser: ParserConfig,
    /// The search of grammars without latent states.
    pub plain_parser: pcfg::ParserConfig,
    /// Whose method is compared; the tables of the paper are added to the report if it is the paper's.
    pub preset: Preset,
    /// What the parsers see. EM's best iteration is chosen for each by itself.
    pub tags: Vec<TagSource>,
    /// Whether held-out training trees choose the smoothing constants, for each number of states.
    pub tuning: Tuning,
    /// The seed of everything random.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            base: LpcfgConfig::default(),
            spectral: SpectralConfig::default(),
            contestants: Contestant::usual(),
            states: vec![8, 16, 32],
            checkpoints: vec![10, 20, 30, 40, 50],
            cluster_steps: 10,
            parser: ParserConfig::default(),
            plain_parser: pcfg::ParserConfig::default(),
            preset: Preset::Own,
            tags: vec![TagSource::Predicted],
            tuning: Tuning::Fixed,
            seed: 1,
        }
    }
}

impl Config {
    /// The experiments of Cohen et al. (2013): their learners, numbers of states and steps, and nothing of ours.
    pub fn paper() -> Self {
        use Contestant::{Em, Markov, NoScaling, NoSmoothing, Pcfg, RuleFeatures, SignsKept, Spectral};
        let spectral = SpectralConfig::paper(1);
        Self {
            base: LpcfgConfig::paper(Method::Spectral(spectral.clone())),
            spectral,
            contestants: vec![Pcfg, Markov, Em, Spectral, NoSmoothing, NoScaling, SignsKept, RuleFeatures],
            states: vec![8, 16, 24, 32],
            checkpoints: (1..=10).map(|tens| 10 * tens).collect(),
            parser: ParserConfig::paper(),
            plain_parser: pcfg::ParserConfig {
                decoding: pcfg::Decoding::MaxRuleSum,
                ..pcfg::ParserConfig::default()
            },
            preset: Preset::Paper,
            tags: vec![TagSource::Tagger],
            ..Self::default()
        }
    }
}

/// The trees, made ready for learning.
#[derive(Clone, Copy, Debug)]
pub struct Data<'t> {
    /// Learnt from.
    pub train: &'t [Tree],
    /// Scored, and chosen by.
    pub dev: &'t [Tree],
    /// Scored for what was chosen.
    pub test: Option<&'t [Tree]>,
}
