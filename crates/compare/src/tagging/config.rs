//! What is compared, and on what.

use eigentree::training::Preset;
use tagging::tagger::{ColumnKind, Objective, TaggedSentence, TaggerConfig};
use words::clusters::{Context, Method, SpectralConfig};

/// What is compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The methods of clustering, each once.
    pub methods: Vec<Method>,
    /// What describes a word to the spectral methods.
    pub contexts: Vec<Context>,
    /// How many words are kept apart.
    pub vocab: Vec<usize>,
    /// Pseudo-counts κ of the spectral methods; none for the usual one.
    pub kappas: Vec<f64>,
    /// Numbers of clusters.
    pub clusters: Vec<usize>,
    /// What the taggers are trained for.
    pub objective: Objective,
    /// Whether the tables of the paper are printed, with its numbers beside ours.
    pub preset: Preset,
    /// How many resamples intervals come from.
    pub resamples: usize,
    /// The seed of the resamples.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            methods: vec![Method::Brown, Method::Exchange, Method::Spectral, Method::SpectralExchange],
            contexts: vec![SpectralConfig::of(Method::Spectral).context],
            vocab: vec![10_000],
            kappas: Vec::new(),
            clusters: vec![1000],
            objective: Objective::Likelihood,
            preset: Preset::Own,
            resamples: 10_000,
            seed: 1,
        }
    }
}

/// Labels to be learnt.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its name in the tables.
    pub name: String,
    /// The names of its columns, and what their labels are. Spans are scored by F1, others by their accuracy.
    pub columns: Vec<(String, ColumnKind)>,
    /// How taggers learn.
    pub config: TaggerConfig,
    /// What they learn from.
    pub train: Vec<TaggedSentence>,
    /// What they are scored on.
    pub test: Vec<TaggedSentence>,
    /// What the best of each method, vocabulary and number of clusters is scored on besides, if anything.
    pub held_out: Option<Vec<TaggedSentence>>,
}
