//! Configuration of clustering.

use models::constants::{Constants, Departure};
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

    /// The method of Stratos et al. (2014) with this number of clusters.
    pub fn paper(clusters: usize) -> Self {
        let spectral = Some(SpectralConfig::paper());
        Self { method: Method::Spectral, clusters, spectral, exchange: ExchangeConfig::default() }
    }

    /// All constants that determine the clusters, by name. κ and the context are chosen by experiment in the paper.
    pub fn constants(&self) -> Constants {
        let method = match self.method {
            Method::Spectral => "spectral",
            Method::Brown => "brown",
            Method::Exchange => "exchange",
            Method::SpectralExchange => "spectral+exchange",
        };
        let constants = Constants::default().fixed("method", method).chosen("clusters", self.clusters);
        let spectral = self.spectral();
        let constants = match self.method {
            Method::Brown | Method::Exchange => constants,
            Method::Spectral | Method::SpectralExchange => constants
                .chosen("context", spectral.context)
                .chosen("κ", spectral.kappa)
                .fixed("power of counts", spectral.transform.power())
                .fixed(
                    "singular vectors",
                    spectral.rank.map_or("one per cluster".to_owned(), |rank| rank.to_string()),
                )
                .fixed("vectors", if spectral.rows == Rows::Left { "Û" } else { "Û Σ̂" })
                .fixed(
                    "weights in Ward's clustering",
                    if spectral.ward == Ward::Plain { "equal" } else { "counts" },
                )
                .fixed(
                    "hierarchy",
                    if spectral.growth == Growth::BottomUp { "bottom-up" } else { "top-down" },
                )
                .chosen("SVD tolerance", spectral.tolerance),
        };
        match self.method {
            Method::Exchange | Method::SpectralExchange => constants
                .chosen("passes", self.exchange.passes)
                .chosen("least gain", self.exchange.least_gain)
                .chosen("regroupings", self.exchange.regroupings),
            Method::Spectral | Method::Brown => constants,
        }
    }

    /// Where this configuration departs from Stratos et al. (2014); empty if it is exactly theirs.
    pub fn departures(&self) -> Vec<Departure> {
        self.constants().departures(&Self::paper(self.clusters).constants())
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
    /// The weights of words in clustering.
    pub ward: Ward,
    /// Whether clusters are merged or divided.
    pub growth: Growth,
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
            growth: Growth::BottomUp,
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

/// Whether clusters of vectors are merged or divided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Growth {
    /// Merged by Ward's method (Stratos et al. 2014).
    #[default]
    BottomUp,
    /// Divided by 2-means, as the paper proposes for further work.
    TopDown,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_departs_from_nothing_and_the_default_in_what_it_adds() {
        let mut paper = ClusterConfig::paper(100);
        paper.spectral =
            Some(SpectralConfig { kappa: 5000.0, context: Context::Right(1), ..SpectralConfig::paper() });
        assert!(paper.departures().is_empty());
        let names: Vec<&str> = ClusterConfig::default().departures().iter().map(|d| d.name).collect();
        assert_eq!(names, ["method", "singular vectors", "vectors", "weights in Ward's clustering"]);
    }
}
