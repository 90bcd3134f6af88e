//! Learns a cluster model from counts.

use corpus::cooccurrence::CountedText;
use models::learn::{LearnReport, Observer};
use words::clusters::{self, BrownModel, ClusterConfig, Embedding, Method};

use super::Work;
use crate::Error;

/// The result of clustering.
#[derive(Clone, Debug)]
pub struct Clusters {
    /// The clusters as a language model.
    pub model: BrownModel,
    /// The word vectors of the spectral methods.
    pub embedding: Option<Embedding>,
    /// The mutual information of neighbouring clusters, in nats.
    pub mutual_information: f64,
    /// The training report.
    pub report: LearnReport,
}

/// The name of a method on the command line.
pub fn method_name(method: Method) -> &'static str {
    match method {
        Method::SpectralExchange => "spectral+exchange",
        Method::Spectral => "spectral",
        Method::Exchange => "exchange",
        Method::Brown => "brown",
    }
}

/// Learns clusters of the counted words.
pub fn learn(
    counted: CountedText,
    config: &ClusterConfig,
    observer: &mut dyn Observer,
) -> Result<Clusters, Error> {
    learn_in(counted, config, None, observer)
}

/// Learns clusters, and stores the vectors of the spectral methods in a folder for reuse in the next run.
pub fn learn_in(
    counted: CountedText,
    config: &ClusterConfig,
    work: Option<&Work>,
    observer: &mut dyn Observer,
) -> Result<Clusters, Error> {
    let (needed, counted_to) = (config.distance(), counted.counts.pairs.len());
    if counted_to < needed {
        return Err(Error::Data(format!(
            "the pairs were counted up to distance {counted_to}, but the context needs {needed}; count again with \
             `--distance {needed}`, or choose a smaller context such as `--context lr{counted_to}`"
        )));
    }
    let pairs = &counted.counts.pairs;
    let memory = memory_of(&counted, config);
    observer.note(format_args!("clustering needs about {} MB of memory", memory.div_ceil(1_000_000)));
    let (learned, embedding, mut report) = match config.method {
        Method::Brown | Method::Exchange => {
            (clusters::learn(pairs, None, config, observer)?, None, LearnReport::default())
        }
        Method::Spectral | Method::SpectralExchange => {
            let kept = work.and_then(|work| work.embedding(config, counted.counts.words.len()));
            let (embedding, report) = match kept {
                Some(embedding) => {
                    observer.note(format_args!("using the vectors of an earlier run"));
                    (embedding, LearnReport::default())
                }
                None => {
                    let embedded = clusters::embed_words(pairs, config, observer)?;
                    if let Some(work) = work {
                        work.keep_embedding(&embedded.model, config)?;
                    }
                    (embedded.model, embedded.report)
                }
            };
            (clusters::learn_embedded(pairs, &embedding, config, observer)?, Some(embedding), report)
        }
    };
    let mutual_information = learned.report.figure("mutual information").unwrap_or(0.0);
    report.stages.extend(learned.report.stages);
    report.notes.extend(learned.report.notes);
    let model = BrownModel::new(counted, learned.model)
        .ok_or_else(|| Error::Data("the counts and the clusters do not match".to_owned()))?;
    Ok(Clusters { model, embedding, mutual_information, report })
}

/// Memory of the program itself.
const PROGRAM_BYTES: u64 = 20_000_000;

/// Approximate peak memory of learning in bytes, including the counts.
pub fn memory_of(counted: &CountedText, config: &ClusterConfig) -> u64 {
    let pairs = &counted.counts.pairs;
    let (words, entries) = (counted.counts.words.len() as u64, counted.counts.distinct_pairs() as u64);
    let neighbours = pairs.first().map_or(0, |pairs| pairs.len()) as u64;
    let clusters = (config.clusters as u64).min(words);
    let counts = 12 * entries;
    // Both orders of the pairs, tables of pairs of clusters, and the profile of each word.
    let moving = 24 * neighbours + 32 * clusters * clusters + 64 * words;
    let merging = 40 * clusters * clusters + 24 * neighbours;
    let rank = config.spectral().rank.map_or(clusters, |rank| rank as u64).min(words) + 10;
    let context: u64 =
        pairs.iter().take(config.spectral().context.distance()).map(|pairs| pairs.len() as u64).sum();
    // Both orders of the scaled counts; left and right vectors with their copies; then rows for Ward's clustering.
    let sides = 1 + 2 * config.spectral().context.distance() as u64;
    let vectors = 16 * context + 8 * rank * words * sides;
    let most = match config.method {
        Method::Brown => merging,
        Method::Exchange => moving.max(merging),
        Method::Spectral => vectors.max(merging),
        Method::SpectralExchange => vectors.max(moving).max(merging),
    };
    // Adds the program itself and a quarter for allocator overhead. This is an estimate, not a bound: loading counts of
    // a larger vocabulary than is clustered can temporarily need more.
    (counts + most) / 4 * 5 + PROGRAM_BYTES
}
