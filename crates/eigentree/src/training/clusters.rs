//! Training of word clusters.

use std::io::Read;
use std::path::{Path, PathBuf};

use corpus::cooccurrence::{CountConfig, CountedText, TextCounter};
use models::learn::Observer;
use models::persist::ModelFile;
use words::clusters::{BrownModel, ClusterConfig, Embedding};

use super::{Finding, Paper, Protocol, Trained};
use crate::Error;
use crate::clustering::{Clusters, GatherConfig, Gathered, Work, gather, learn_in, memory_of, method_name};
use crate::inspection::Theory;

/// Training of word clusters, from texts or from counts.
///
/// ```
/// use eigentree::config::{ClusterConfig, ClusterMethod};
/// use eigentree::learn::Silent;
/// use eigentree::training::ClustersJob;
/// let folder = tempfile::tempdir()?;
/// let text = folder.path().join("a.txt");
/// std::fs::write(&text, "the dog barks\na dog sleeps\nthe cat sleeps\n")?;
/// let config = ClusterConfig { method: ClusterMethod::Exchange, clusters: 3, ..ClusterConfig::default() };
/// let found = ClustersJob::new(config).run(&[&text], None, &mut Silent)?;
/// assert_eq!(found.trained.model.hierarchy().clusters(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct ClustersJob {
    /// Configuration of the learner.
    pub config: ClusterConfig,
    /// How texts are counted, and which words are kept apart. The distance follows from the other fields.
    pub gather: GatherConfig,
    /// Whether the counts will be used again.
    pub reuse: CountReuse,
}

/// With more clusters, what the theorem says is told only on request: a decomposition of the bigrams of clusters grows with the
/// cube of their number.
const MOST_CLUSTERS_OF_THEORY: usize = 1000;

/// Whether the counts will be used again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CountReuse {
    /// No: pairs of words are counted up to the distance that this job needs.
    #[default]
    Never,
    /// Yes, perhaps with another method: pairs are counted up to the distance that the configured context needs.
    Later,
}

/// Learnt clusters with their figures.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TrainedClusters {
    /// The clusters as a language model.
    pub trained: Trained<BrownModel>,
    /// The vectors that the spectral methods go by.
    pub embedding: Option<Embedding>,
    /// The mutual information of neighbouring clusters, in nats.
    pub mutual_information: f64,
    /// About how many bytes learning needed at once.
    pub memory: u64,
}

impl ClustersJob {
    /// A job with this configuration that counts as usual.
    pub fn new(config: ClusterConfig) -> Self {
        Self { config, ..Self::default() }
    }

    /// Counts texts, adds count files, and learns.
    pub fn run(
        &self,
        paths: &[impl AsRef<Path>],
        work: Option<&Work>,
        observer: &mut dyn Observer,
    ) -> Result<TrainedClusters, Error> {
        let gathered = self.gather(paths, work, observer)?;
        self.learn(gathered.counted, work, observer)
    }

    /// Opens a folder that keeps counts and vectors, for a run over these inputs.
    pub fn open_work(&self, folder: impl Into<PathBuf>, paths: &[impl AsRef<Path>]) -> Result<Work, Error> {
        Work::open(folder, paths, &self.counting())
    }

    /// Counts texts and adds count files; takes the counts from the folder if an earlier run left them there.
    pub fn gather(
        &self,
        paths: &[impl AsRef<Path>],
        work: Option<&Work>,
        observer: &mut dyn Observer,
    ) -> Result<Gathered, Error> {
        if let Some(counted) = work.and_then(Work::counts) {
            observer.note(format_args!("using the counts of an earlier run"));
            return Ok(Gathered { counted, bytes: 0, memory: None });
        }
        let gathered = gather(paths, &self.counting(), observer)?;
        if let Some(work) = work {
            observer.stage("save counts", None);
            work.keep_counts(&gathered.counted)?;
        }
        Ok(gathered)
    }

    /// Counts a text in memory or from any other source, which errors call `name`.
    pub fn count(&self, text: impl Read, name: &str) -> Result<CountedText, Error> {
        let GatherConfig { count, vocab } = self.counting();
        let mut counter = TextCounter::new(CountConfig { vocab: Some(vocab.limit()), ..count })?;
        counter.read(text, name)?;
        Ok(counter.finish()?)
    }

    /// Learns clusters of the words that were counted.
    pub fn learn(
        &self,
        counted: CountedText,
        work: Option<&Work>,
        observer: &mut dyn Observer,
    ) -> Result<TrainedClusters, Error> {
        let memory = memory_of(&counted, &self.config);
        observer.memory(memory, "fewer clusters, words or dimensions need less");
        let Clusters { model, embedding, mutual_information, report } =
            learn_in(counted, &self.config, work, observer)?;
        let metadata = model
            .metadata()
            .with_note("method", method_name(self.config.method))
            .with_note("asked", self.config.clusters)
            .with_note("mi", mutual_information);
        let protocol = Protocol::new(Paper::Clusters, self.config.constants(), self.config.departures());
        protocol.tell(observer);
        let metadata = metadata.with_note("protocol", protocol.to_json());
        let few = model.hierarchy().clusters() <= MOST_CLUSTERS_OF_THEORY;
        let theory = few.then(|| Theory::of_clusters(&model)).flatten().map(Finding::Theory);
        let trained = Trained::new(model, metadata, report)
            .with_finding(theory)
            .with_finding(Some(Finding::Protocol(protocol)));
        Ok(TrainedClusters { trained, embedding, mutual_information, memory })
    }

    /// How texts are counted.
    fn counting(&self) -> GatherConfig {
        let mut counting = self.gather.clone();
        let needed = self.config.distance();
        counting.count.distance = match self.reuse {
            CountReuse::Never => needed,
            CountReuse::Later => needed.max(self.config.spectral().context.distance()),
        };
        counting
    }
}
