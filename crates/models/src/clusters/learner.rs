//! Learning clusters as an act.

use corpus::cooccurrence::PairCounts;

use super::{ClusterBigrams, ClusterConfig, ClusterId, Hierarchy, Method, brown, exchange, merge_clusters};
use crate::learn::{LearnError, Learned, Learner, Observer, Progress};

/// Learns clusters from the counts of neighbours. Words must be numbered by falling frequency.
///
/// ```
/// use corpus::cooccurrence::PairCounts;
/// use eigentree_models::clusters::{ClusterConfig, ClusterLearner, Method};
/// use eigentree_models::learn::{Learner, Silent};
/// // The words 0, 1, 2 are followed by 3, 4, 5 and these by the former.
/// let pairs = (0..90).flat_map(|i| [(i % 3, 3 + i / 3 % 3), (3 + i / 7 % 3, i % 3)]).collect();
/// let counts = PairCounts::from_pairs(6, pairs);
/// let config = ClusterConfig { method: Method::Brown, clusters: 2, ..ClusterConfig::default() };
/// let hierarchy = ClusterLearner { config }.learn(&counts, &mut Silent)?.model;
/// let cluster = hierarchy.assignment();
/// assert!(cluster[0] == cluster[1] && cluster[1] == cluster[2] && cluster[2] != cluster[3]);
/// # Ok::<(), eigentree_models::learn::LearnError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClusterLearner {
    /// What was chosen.
    pub config: ClusterConfig,
}

impl Learner for ClusterLearner {
    type Data = PairCounts;
    type Model = Hierarchy;

    fn learn(
        &self,
        data: &PairCounts,
        observer: &mut dyn Observer,
    ) -> Result<Learned<Hierarchy>, LearnError> {
        learn(data, None, &self.config, observer)
    }
}

/// Learns clusters, for the methods that move words from the clusters `initial` on. The report has the figure `mutual
/// information`, in nats.
pub fn learn(
    counts: &PairCounts,
    initial: Option<&[ClusterId]>,
    config: &ClusterConfig,
    observer: &mut dyn Observer,
) -> Result<Learned<Hierarchy>, LearnError> {
    if counts.words() == 0 {
        return Err(LearnError::bad_data("there are no words; give a text with at least one"));
    }
    if config.clusters == 0 {
        return Err(LearnError::bad_config("the number of clusters is 0; it must be at least 1"));
    }
    let mut progress = Progress::new(observer);
    let hierarchy = match (config.method, initial) {
        (Method::Brown, _) => brown(counts, config.clusters, &mut progress)?,
        (Method::Spectral, Some(initial)) => merge_clusters(counts, initial, &mut progress)?,
        (Method::Exchange, _) | (Method::SpectralExchange, Some(_)) => {
            let moved = exchange(counts, config.clusters, initial, &config.exchange, &mut progress)?;
            merge_clusters(counts, &moved, &mut progress)?
        }
        (Method::Spectral | Method::SpectralExchange, None) => {
            return Err(LearnError::bad_config(
                "the spectral methods need clusters to begin with; give them, or choose brown or exchange",
            ));
        }
    };
    let bigrams = ClusterBigrams::new(counts, hierarchy.assignment(), hierarchy.clusters());
    progress.figure("mutual information", bigrams.mutual_information());
    Ok(progress.finish(hierarchy))
}
