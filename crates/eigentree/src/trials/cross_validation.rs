//! Cross-validation.

use corpus::split::{FoldOrder, folds};
use models::learn::{Observer, Silent};
use models::quality::Quality;
use serde::Serialize;

use super::data::TrialData;
use super::family::TrialFamily;
use super::run::{Figure, run_trial};
use crate::Error;

/// Configuration of cross-validation.
#[derive(Clone, Debug)]
pub struct CrossValidationConfig {
    /// What is trained.
    pub family: TrialFamily,
    /// Training effort.
    pub quality: Quality,
    /// Number of folds.
    pub folds: usize,
    /// Random seed.
    pub seed: u64,
}

impl CrossValidationConfig {
    /// Ten folds of a family, with the default effort.
    pub fn new(family: TrialFamily) -> Self {
        Self { family, quality: Quality::default(), folds: 10, seed: 1 }
    }
}

/// The scores of one fold.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FoldScore {
    /// Sentences trained on.
    pub trained: usize,
    /// Sentences scored.
    pub scored: usize,
    /// The scores.
    pub figures: Vec<Figure>,
}

/// The result of cross-validation.
#[derive(Clone, PartialEq, Debug)]
pub struct CrossValidation {
    /// What was trained.
    pub family: TrialFamily,
    /// Number of documents, if folds consist of whole documents.
    pub documents: Option<usize>,
    /// In order.
    pub folds: Vec<FoldScore>,
}

/// Trains on all folds but one and scores on that one, in turn. Where the data marks documents, each stays in one fold;
/// else sentences are dealt at random.
pub fn cross_validate(
    data: &TrialData,
    config: &CrossValidationConfig,
    observer: &mut dyn Observer,
) -> Result<CrossValidation, Error> {
    let documents = data.documents().filter(|documents| documents.len() >= config.folds);
    let blocks: Vec<std::ops::Range<usize>> = match &documents {
        Some(documents) => documents.clone(),
        None => (0..data.len()).map(|number| number..number + 1).collect(),
    };
    let dealt = folds(blocks.len(), config.folds, FoldOrder::Shuffled(config.seed))
        .map_err(|error| Error::Data(error.to_string()))?;
    observer.stage("train and score", Some(dealt.len() as u64));
    let mut scores = Vec::with_capacity(dealt.len());
    for fold in dealt {
        let numbers =
            |part: &[usize]| -> Vec<usize> { part.iter().flat_map(|&block| blocks[block].clone()).collect() };
        let (train, test) = (data.part(&numbers(&fold.rest)), data.part(&numbers(&fold.held_out)));
        let figures = run_trial(config.family, config.quality, (&train, &test), config.seed, &mut Silent)?;
        scores.push(FoldScore { trained: train.len(), scored: test.len(), figures });
        observer.advance(1);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    let documents = documents.map(|documents| documents.len());
    Ok(CrossValidation { family: config.family, documents, folds: scores })
}

impl CrossValidation {
    /// For each figure: name, mean over folds, standard deviation, and the half width of the 95 % interval of the mean
    /// by Student's distribution. Folds share training data, so the interval is rather too narrow.
    pub fn summary(&self) -> Vec<(String, f64, f64, f64)> {
        let names = self.folds.first().map(|fold| &fold.figures[..]).unwrap_or_default();
        let summarize = |figure: &Figure| {
            let of_fold = |fold: &FoldScore| {
                fold.figures.iter().find(|other| other.name == figure.name).map(|f| f.value)
            };
            let values: Vec<f64> = self.folds.iter().filter_map(of_fold).collect();
            let (mean, deviation, half) = mean_and_interval(&values);
            (figure.name.clone(), mean, deviation, half)
        };
        names.iter().map(summarize).collect()
    }
}

/// Mean, standard deviation, and half the width of the 95 % interval of the mean.
pub(super) fn mean_and_interval(values: &[f64]) -> (f64, f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count.max(1.0);
    if values.len() < 2 {
        return (mean, 0.0, f64::NAN);
    }
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let deviation = variance.sqrt();
    (mean, deviation, student(values.len() - 1) * deviation / count.sqrt())
}

/// The 97.5 % quantile of Student's distribution.
fn student(freedom: usize) -> f64 {
    const QUANTILES: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
        2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048,
        2.045, 2.042,
    ];
    QUANTILES.get(freedom.saturating_sub(1)).copied().unwrap_or(1.96)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_of_known_values() {
        let (mean, deviation, half) = mean_and_interval(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(mean, 3.0);
        assert!((deviation - 2.5_f64.sqrt()).abs() < 1e-12);
        assert!((half - 2.776 * 0.5_f64.sqrt()).abs() < 1e-3);
    }
}
