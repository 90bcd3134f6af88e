//! What can be chosen.

use super::Context;

/// How clusters are found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Method {
    /// Decomposition of the scaled counts and Ward's clustering of the rows (Stratos et al. 2014).
    Spectral,
    /// Greedy merging with a window of clusters (Brown et al. 1992).
    Brown,
    /// Words are moved between clusters as long as that raises the mutual information.
    Exchange,
    /// Exchange from the spectral clusters.
    #[default]
    SpectralExchange,
}

/// How clusters are learnt.
#[derive(Clone, PartialEq, Debug)]
pub struct ClusterConfig {
    /// The method.
    pub method: Method,
    /// How many clusters there are to be. Of fewer words, each is a cluster of its own.
    pub clusters: usize,
    /// For the spectral methods. `None`: what [suits](SpectralConfig::of) the method.
    pub spectral: Option<SpectralConfig>,
    /// For the methods that move words.
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
    /// What the spectral methods go by.
    pub fn spectral(&self) -> SpectralConfig {
        self.spectral.clone().unwrap_or_else(|| SpectralConfig::of(self.method))
    }

    /// Up to which distance pairs must have been counted.
    pub fn distance(&self) -> usize {
        match self.method {
            Method::Brown | Method::Exchange => 1,
            Method::Spectral | Method::SpectralExchange => self.spectral().context.distance(),
        }
    }
}

/// How words become vectors and these clusters.
#[derive(Clone, PartialEq, Debug)]
pub struct SpectralConfig {
    /// Which words near a word describe it.
    pub context: Context,
    /// What is added to the count of each word and each context word where counts are scaled (κ). It quietens rare words.
    pub kappa: f64,
    /// What is done to counts before they are scaled.
    pub transform: Transform,
    /// How many singular vectors are found. `None`: as many as there are to be clusters.
    pub rank: Option<usize>,
    /// How exact the singular vectors are: the largest residual, as a part of the first singular value.
    pub tolerance: f64,
    /// What a word's vector is.
    pub rows: Rows,
    /// What a word weighs in Ward's clustering.
    pub ward: Ward,
}

impl SpectralConfig {
    /// The method of Stratos et al. (2014): as many singular vectors as clusters, rows of `Û`, words of equal weight.
    pub fn paper() -> Self {
        Self {
            context: Context::Both(2),
            kappa: 200.0,
            transform: Transform::Counts,
            rank: None,
            tolerance: 1e-2,
            rows: Rows::Left,
            ward: Ward::Plain,
        }
    }

    /// A good beginning for exchange in a short time: few singular vectors, weighted by their singular values, and words
    /// weighted by their counts.
    pub fn start() -> Self {
        Self { rank: Some(100), rows: Rows::Scaled, ward: Ward::ByCount, ..Self::paper() }
    }

    /// What suits a method: [`paper`](Self::paper) by itself, [`start`](Self::start) before exchange.
    pub fn of(method: Method) -> Self {
        match method {
            Method::SpectralExchange => Self::start(),
            Method::Spectral | Method::Brown | Method::Exchange => Self::paper(),
        }
    }
}

/// What is done to counts before they are scaled.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Transform {
    /// Nothing.
    #[default]
    Counts,
    /// They are raised to this power, from 0 to 1. Square roots make variances alike (Stratos et al. 2015).
    Power(f64),
}

/// What a word's vector is. In each case it is scaled to length 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rows {
    /// Its row of `Û`, the left singular vectors (Stratos et al. 2014).
    #[default]
    Left,
    /// Its row of `Û Σ̂`, in which a vector counts as much as its singular value.
    Scaled,
}

/// What a word weighs in Ward's clustering.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ward {
    /// All the same (Stratos et al. 2014).
    #[default]
    Plain,
    /// As much as its count.
    ByCount,
}

/// How words are moved between clusters.
#[derive(Clone, PartialEq, Debug)]
pub struct ExchangeConfig {
    /// How many times all words are visited at most, between regroupings.
    pub passes: usize,
    /// Words are visited until a pass gains less mutual information than this, in nats.
    pub least_gain: f64,
    /// How many times clusters are regrouped when words no longer move: those that cost least are merged, and
    /// single words begin new ones. Each time frees clusters from where single moves cannot lead them out.
    pub regroupings: usize,
}

impl Default for ExchangeConfig {
    fn default() -> Self {
        Self { passes: 20, least_gain: 5e-4, regroupings: 1 }
    }
}
