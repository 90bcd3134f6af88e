//! Learning a model from counts.

use corpus::cooccurrence::CountedText;
use models::learn::{LearnReport, Observer};
use words::clusters::{self, BrownModel, ClusterConfig, Embedding, Method};

use super::Work;
use crate::Error;

/// What was learnt.
#[derive(Clone, Debug)]
pub struct Clusters {
    /// The clusters as a language model.
    pub model: BrownModel,
    /// The vectors that the spectral methods go by.
    pub embedding: Option<Embedding>,
    /// The mutual information of neighbouring clusters, in nats.
    pub mutual_information: f64,
    /// How it was learnt.
    pub report: LearnReport,
}

/// The name of a method, as options have it.
pub fn method_name(method: Method) -> &'static str {
    match method {
        Method::SpectralExchange => "spectral+exchange",
        Method::Spectral => "spectral",
        Method::Exchange => "exchange",
        Method::Brown => "brown",
    }
}

/// Learns clusters of the words that were counted.
pub fn learn(
    counted: CountedText,
    config: &ClusterConfig,
    observer: &mut dyn Observer,
) -> Result<Clusters, Error> {
    learn_in(counted, config, None, observer)
}

/// Learns clusters, and keeps the vectors of the spectral methods in a folder, from which they are taken the next time.
pub fn learn_in(
    counted: CountedText,
    config: &ClusterConfig,
    work: Option<&Work>,
    observer: &mut dyn Observer,
) -> Result<Clusters, Error> {
    let (needed, counted_to) = (config.distance(), counted.counts.pairs.len());
    if counted_to < needed {
        return Err(Error::Data(format!(
            "the pairs were counted up to {counted_to} places apart, and the context reaches {needed}; count again with \
             `--distance {needed}`, or choose a nearer context such as `--context lr{counted_to}`"
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
                    observer.note(format_args!("the vectors are taken from the folder of the run before"));
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
        .ok_or_else(|| Error::Data("the counts and the clusters do not fit together".to_owned()))?;
    Ok(Clusters { model, embedding, mutual_information, report })
}

/// What the program holds before it has anything to do.
const PROGRAM_BYTES: u64 = 20_000_000;

/// About how many bytes learning needs at once, the counts included.
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
    // What the program takes by itself, and a quarter for what allocation wastes. It is an estimate and no bound: loading counts of a
    // larger vocabulary than is clustered can hold more for a while.
    (counts + most) / 4 * 5 + PROGRAM_BYTES
}
