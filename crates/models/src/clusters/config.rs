//! What can be chosen.

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
    /// For the methods that move words.
    pub exchange: ExchangeConfig,
}

impl Default for ClusterConfig {
    fn default() -> Self {
        Self { method: Method::default(), clusters: 1000, exchange: ExchangeConfig::default() }
    }
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
