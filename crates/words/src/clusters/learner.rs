//! Learns clusters.

use corpus::cooccurrence::PairCounts;

use super::{
    ClusterBigrams, ClusterConfig, ClusterId, Embedding, Growth, Hierarchy, Method, Ward, bisect, brown,
    embed, exchange, merge_clusters, ward,
};
use models::learn::{LearnError, Learned, Learner, Observer, Progress};

/// Learns clusters from the counts of pairs of words at distances 1, 2, … up to [`ClusterConfig::distance`]. Words must
/// be numbered by decreasing frequency.
///
/// ```
/// use corpus::cooccurrence::PairCounts;
/// use eigentree_words::clusters::{ClusterConfig, ClusterLearner, Method};
/// use models::learn::{Learner, Silent};
/// // The words 0, 1, 2 are followed by 3, 4, 5 and vice versa.
/// let pairs = (0..90).flat_map(|i| [(i % 3, 3 + i / 3 % 3), (3 + i / 7 % 3, i % 3)]).collect();
/// let counts = PairCounts::from_pairs(6, pairs);
/// let config = ClusterConfig { method: Method::Brown, clusters: 2, ..ClusterConfig::default() };
/// let hierarchy = ClusterLearner { config }.learn(&[counts], &mut Silent)?.model;
/// let cluster = hierarchy.assignment();
/// assert!(cluster[0] == cluster[1] && cluster[1] == cluster[2] && cluster[2] != cluster[3]);
/// # Ok::<(), models::learn::LearnError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClusterLearner {
    /// Configuration.
    pub config: ClusterConfig,
}

impl Learner for ClusterLearner {
    type Data = [PairCounts];
    type Model = Hierarchy;

    fn learn(
        &self,
        data: &[PairCounts],
        observer: &mut dyn Observer,
    ) -> Result<Learned<Hierarchy>, LearnError> {
        learn(data, None, &self.config, observer)
    }
}

/// Learns clusters from the counts of pairs at distances 1, 2, …. Methods that move words start from the clusters
/// `initial`, if given. The report has the figure `mutual information`, in nats.
pub fn learn(
    pairs: &[PairCounts],
    initial: Option<&[ClusterId]>,
    config: &ClusterConfig,
    observer: &mut dyn Observer,
) -> Result<Learned<Hierarchy>, LearnError> {
    let Some(neighbours) = pairs.first().filter(|pairs| pairs.words() > 0) else {
        return Err(LearnError::bad_data("the text has no words; give a text with at least one"));
    };
    if config.clusters == 0 {
        return Err(LearnError::bad_config("the number of clusters is 0; it must be at least 1"));
    }
    let mut progress = Progress::new(observer);
    let hierarchy = match (config.method, initial) {
        (Method::Brown, _) => brown(neighbours, config.clusters, &mut progress)?,
        (Method::Spectral, _) => spectral(pairs, config, &mut progress)?,
        (Method::Exchange, _) | (Method::SpectralExchange, Some(_)) => {
            moved(neighbours, initial, config, &mut progress)?
        }
        (Method::SpectralExchange, None) => {
            let initial = spectral(pairs, config, &mut progress)?;
            moved(neighbours, Some(initial.assignment()), config, &mut progress)?
        }
    };
    let bigrams = ClusterBigrams::new(neighbours, hierarchy.assignment(), hierarchy.clusters());
    progress.figure("mutual information", bigrams.mutual_information());
    Ok(progress.finish(hierarchy))
}

/// The first half of the spectral methods: word vectors, with the configured dimension.
pub fn embed_words(
    pairs: &[PairCounts],
    config: &ClusterConfig,
    observer: &mut dyn Observer,
) -> Result<Learned<Embedding>, LearnError> {
    let mut progress = Progress::new(observer);
    let embedding = vectors(pairs, config, &mut progress)?;
    Ok(progress.finish(embedding))
}

/// The second half of the spectral methods: clusters from word vectors. Together with [`embed_words`] it gives the same
/// result as [`learn`].
pub fn learn_embedded(
    pairs: &[PairCounts],
    embedding: &Embedding,
    config: &ClusterConfig,
    observer: &mut dyn Observer,
) -> Result<Learned<Hierarchy>, LearnError> {
    let Some(neighbours) = pairs.first().filter(|pairs| pairs.words() == embedding.words()) else {
        return Err(LearnError::bad_data("the vectors do not belong to the counted words"));
    };
    let mut progress = Progress::new(observer);
    let mut hierarchy = from_vectors(neighbours, embedding, config, &mut progress)?;
    if config.method == Method::SpectralExchange {
        hierarchy = moved(neighbours, Some(hierarchy.assignment()), config, &mut progress)?;
    }
    let bigrams = ClusterBigrams::new(neighbours, hierarchy.assignment(), hierarchy.clusters());
    progress.figure("mutual information", bigrams.mutual_information());
    Ok(progress.finish(hierarchy))
}

/// Clusters by singular vectors and Ward's clustering.
fn spectral(
    pairs: &[PairCounts],
    config: &ClusterConfig,
    progress: &mut Progress<'_>,
) -> Result<Hierarchy, LearnError> {
    let embedding = vectors(pairs, config, progress)?;
    from_vectors(&pairs[0], &embedding, config, progress)
}

fn vectors(
    pairs: &[PairCounts],
    config: &ClusterConfig,
    progress: &mut Progress<'_>,
) -> Result<Embedding, LearnError> {
    let spectral = config.spectral();
    let words = pairs.first().map_or(0, PairCounts::words);
    let rank = spectral.rank.unwrap_or(config.clusters).min(words);
    embed(pairs, rank, &spectral, progress)
}

fn from_vectors(
    neighbours: &PairCounts,
    embedding: &Embedding,
    config: &ClusterConfig,
    progress: &mut Progress<'_>,
) -> Result<Hierarchy, LearnError> {
    let weights = match config.spectral().ward {
        Ward::Plain => vec![1; neighbours.words()],
        Ward::ByCount => {
            let sums = neighbours.left_sums().into_iter().zip(neighbours.right_sums());
            sums.map(|(left, right)| left.max(right)).collect()
        }
    };
    match config.spectral().growth {
        Growth::BottomUp => ward(embedding, &weights, config.clusters, progress),
        Growth::TopDown => bisect(embedding, &weights, config.clusters, progress),
    }
}

/// Clusters by moving words, and their cheapest merges.
fn moved(
    neighbours: &PairCounts,
    initial: Option<&[ClusterId]>,
    config: &ClusterConfig,
    progress: &mut Progress<'_>,
) -> Result<Hierarchy, LearnError> {
    let clusters = exchange(neighbours, config.clusters, initial, &config.exchange, progress)?;
    merge_clusters(neighbours, &clusters, progress)
}
