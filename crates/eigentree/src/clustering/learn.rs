//! Learning a model from counts.

use corpus::cooccurrence::CountedText;
use models::clusters::{self, BrownModel, ClusterConfig};
use models::learn::{LearnReport, Observer};

use crate::Error;

/// What was learnt.
#[derive(Clone, Debug)]
pub struct Clusters {
    /// The clusters as a language model.
    pub model: BrownModel,
    /// The mutual information of neighbouring clusters, in nats.
    pub mutual_information: f64,
    /// How it was learnt.
    pub report: LearnReport,
}

/// Learns clusters of the words that were counted.
pub fn learn(
    counted: CountedText,
    config: &ClusterConfig,
    observer: &mut dyn Observer,
) -> Result<Clusters, Error> {
    let (needed, counted_to) = (config.distance(), counted.counts.pairs.len());
    if counted_to < needed {
        return Err(Error::Data(format!(
            "the pairs were counted up to {counted_to} places apart, and the context reaches {needed}; count again with \
             `--distance {needed}`, or choose a nearer context such as `--context lr{counted_to}`"
        )));
    }
    let learned = clusters::learn(&counted.counts.pairs, None, config, observer)?;
    let mutual_information = learned.report.figure("mutual information").unwrap_or(0.0);
    let model = BrownModel::new(counted, learned.model)
        .ok_or_else(|| Error::Data("the counts and the clusters do not fit together".to_owned()))?;
    Ok(Clusters { model, mutual_information, report: learned.report })
}
