//! Compares two predictions.

use eval::attachment::AttachmentMetric;
use eval::brackets::BracketMetric;
use eval::counts::Ratio;
use eval::entities::EntityMetric;
use eval::report::ComparisonReport;
use eval::significance::{BootstrapConfig, paired_bootstrap};

use super::score::Scores;
use crate::Error;

/// Tests whether the second prediction is better than the first, metric by metric, by the paired bootstrap. Both must
/// have been scored against the same gold corpus.
pub fn compare(
    first: &Scores,
    second: &Scores,
    config: &BootstrapConfig,
) -> Result<Vec<ComparisonReport>, Error> {
    let pairs: Vec<(&str, Vec<Ratio>, Vec<Ratio>)> = match (first, second) {
        (Scores::Brackets(one), Scores::Brackets(other)) => [
            ("f1", BracketMetric::F1),
            ("precision", BracketMetric::Precision),
            ("recall", BracketMetric::Recall),
            ("exact", BracketMetric::Exact),
            ("tags", BracketMetric::Tags),
        ]
        .map(|(name, metric)| (name, one.ratios(metric), other.ratios(metric)))
        .into(),
        (
            Scores::Attachment { attachment: one, tags: tags_one },
            Scores::Attachment { attachment: other, tags: tags_other },
        ) => {
            let figures = [
                ("uas", AttachmentMetric::Uas),
                ("las", AttachmentMetric::Las),
                ("clas", AttachmentMetric::Clas),
            ];
            let mut pairs: Vec<_> =
                figures.map(|(name, metric)| (name, one.ratios(metric), other.ratios(metric))).into();
            pairs.push(("upos", tags_one.upos.ratios(), tags_other.upos.ratios()));
            pairs
        }
        (Scores::Entities(one), Scores::Entities(other)) => [
            ("f1", EntityMetric::F1),
            ("precision", EntityMetric::Precision),
            ("recall", EntityMetric::Recall),
        ]
        .map(|(name, metric)| (name, one.ratios(metric), other.ratios(metric)))
        .into(),
        _ => {
            return Err(Error::Data(
                "cannot compare the two predictions: they must be of the same kind, over the same words"
                    .to_owned(),
            ));
        }
    };
    let report = |(name, one, other): (&str, Vec<Ratio>, Vec<Ratio>)| {
        Ok(ComparisonReport::new(name, &paired_bootstrap(&one, &other, config)?))
    };
    pairs.into_iter().map(report).collect()
}
