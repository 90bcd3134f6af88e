//! Configuration of clustering.

use spectral::moments::CountTransform;

use super::Context;

/// The clustering method.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Method {
    /// Decomposition of the scaled counts and Ward's clustering of the rows (Stratos et al. 2014).
    Spectral,
    /// Greedy merging with a window of clusters (Brown et al. 1992).
    Brown,
    /// Moves words between clusters as long as that increases the mutual information.
    Exchange,
    /// Exchange, starting from the spectral clusters.
    #[default]
    SpectralExchange,
}

/// Configuration of a cluster learner.
#[derive(Clone, PartialEq, Debug)]
pub struct ClusterConfig {
    /// The method.
    pub method: Method,
    /// Number of clusters. With fewer words, each word is its own cluster.
    pub clusters: usize,
    /// Configuration of the spectral methods. `None`: the [default](SpectralConfig::of) of the method.
    pub spectral: Option<SpectralConfig>,
    /// Configuration of the methods that move words.
    pub exchange: ExchangeConfig,
}

impl Default for ClusterConfig {
    fn default() -> Self {
        Self {
            method: Method::default(),
            clusters: 1000,
            spectral: None,
            exchange: ExchangeConfig::default(),
        }
    }
}

impl ClusterConfig {
    /// The configuration that the spectral methods use.
    pub fn spectral(&self) -> SpectralConfig {
        self.spectral.clone().unwrap_or_else(|| SpectralConfig::of(self.method))
    }

    /// The maximum distance up to which pairs must have been counted.
    pub fn distance(&self) -> usize {
        match self.method {
            Method::Brown | Method::Exchange => 1,
            Method::Spectral | Method::SpectralExchange => self.spectral().context.distance(),
        }
    }
}

/// Configuration of word vectors and of their clustering.
#[derive(Clone, PartialEq, Debug)]
pub struct SpectralConfig {
    /// The neighbouring words that describe a word.
    pub context: Context,
    /// Pseudo-count κ added to the count of each word and each context word before scaling. It damps rare words.
    pub kappa: f64,
    /// The transform applied to counts before scaling.
    pub transform: CountTransform,
    /// Number of singular vectors. `None`: the number of clusters.
    pub rank: Option<usize>,
    /// Accuracy of the singular vectors: the largest residual, relative to the first singular value.
    pub tolerance: f64,
    /// The definition of word vectors.
    pub rows: Rows,
    /// The weights of words in Ward's clustering.
    pub ward: Ward,
}

impl SpectralConfig {
    /// The method of Stratos et al. (2014): as many singular vectors as clusters, rows of `Û`, words of equal weight.
    pub fn paper() -> Self {
        Self {
            context: Context::Both(2),
            kappa: 200.0,
            transform: CountTransform::Identity,
            rank: None,
            tolerance: 1e-2,
            rows: Rows::Left,
            ward: Ward::Plain,
        }
    }

    /// A good start for exchange in a short time: few singular vectors, weighted by their singular values, and words
    /// weighted by their counts.
    pub fn start() -> Self {
        Self { rank: Some(100), rows: Rows::Scaled, ward: Ward::ByCount, ..Self::paper() }
    }

    /// The default for a method: [`paper`](Self::paper) on its own, [`start`](Self::start) before exchange.
    pub fn of(method: Method) -> Self {
        match method {
            Method::SpectralExchange => Self::start(),
            Method::Spectral | Method::Brown | Method::Exchange => Self::paper(),
        }
    }
}

/// The definition of word vectors, which are then scaled to length 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rows {
    /// The word's row of `Û`, the left singular vectors (Stratos et al. 2014).
    #[default]
    Left,
    /// The word's row of `Û Σ̂`, in which each singular vector is weighted by its singular value.
    Scaled,
}

/// The weights of words in Ward's clustering.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ward {
    /// All equal (Stratos et al. 2014).
    #[default]
    Plain,
    /// The count of the word.
    ByCount,
}

/// Configuration of exchange.
#[derive(Clone, PartialEq, Debug)]
pub struct ExchangeConfig {
    /// Maximum number of passes over all words between regroupings.
    pub passes: usize,
    /// Passes stop when one gains less mutual information than this, in nats.
    pub least_gain: f64,
    /// Number of regroupings once words no longer move: the clusters that cost least are merged, and single words start
    /// new ones. Each regrouping frees clusters from local optima that single moves cannot leave.
    pub regroupings: usize,
}

impl Default for ExchangeConfig {
    fn default() -> Self {
        Self { passes: 20, least_gain: 5e-4, regroupings: 1 }
    }
}
