//! Learning curves.

use corpus::split::{FoldOrder, folds};
use models::learn::{Observer, Silent};
use models::quality::Quality;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde::Serialize;

use super::data::TrialData;
use super::family::TrialFamily;
use super::power_law::{Ceiling, PowerLaw, interval};
use super::run::{Figure, run_trial};
use crate::Error;

/// Configuration of a learning curve.
#[derive(Clone, Debug)]
pub struct CurveConfig {
    /// What is trained.
    pub family: TrialFamily,
    /// Training effort.
    pub quality: Quality,
    /// Numbers of sentences to train on; none for [`points`](Self::points) sizes that double up to all sentences.
    pub sizes: Vec<usize>,
    /// Number of sizes.
    pub points: usize,
    /// Number of random parts of each size.
    pub repeats: usize,
    /// Number of resamples behind the band.
    pub resamples: usize,
    /// Random seed.
    pub seed: u64,
}

impl CurveConfig {
    /// The defaults for a family.
    pub fn new(family: TrialFamily) -> Self {
        Self {
            family,
            quality: Quality::default(),
            sizes: Vec::new(),
            points: 6,
            repeats: 3,
            resamples: 1000,
            seed: 1,
        }
    }
}

/// One training run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CurvePoint {
    /// Sentences trained on.
    pub sentences: usize,
    /// Words in them.
    pub words: usize,
    /// Number of the random part, from 1.
    pub repeat: usize,
    /// The scores.
    pub figures: Vec<Figure>,
}

/// What a figure is expected to be with more data.
#[derive(Clone, PartialEq, Debug)]
pub struct Forecast {
    /// The figure.
    pub name: String,
    /// The fitted law.
    pub law: PowerLaw,
    /// Size as a multiple of the data, words, expected value, and the interval that holds 95 % of the resamples.
    pub values: Vec<(f64, f64, f64, (f64, f64))>,
    /// For the plot: words, expected value, interval, over the whole range.
    pub band: Vec<(f64, f64, (f64, f64))>,
    /// The law fitted without the largest size, as a test: its value there with interval, and what was measured.
    pub tested: Option<(f64, (f64, f64), f64)>,
}

/// A learning curve.
#[derive(Clone, PartialEq, Debug)]
pub struct LearningCurve {
    /// What was trained.
    pub family: TrialFamily,
    /// All runs, by size.
    pub points: Vec<CurvePoint>,
    /// One per figure, if there are enough sizes.
    pub forecasts: Vec<Forecast>,
    /// Sentences and words of all training data.
    pub all: (usize, usize),
    /// Sentences that were scored.
    pub held_out: usize,
}

/// Multiples of the data at which the law is evaluated.
const MULTIPLES: [f64; 4] = [1.0, 2.0, 4.0, 8.0];

/// Trains on growing parts of `data` and scores on `held_out`, or on a tenth of the data if there is none.
pub fn learning_curve(
    data: &TrialData,
    held_out: Option<&TrialData>,
    config: &CurveConfig,
    observer: &mut dyn Observer,
) -> Result<LearningCurve, Error> {
    let (rest, tenth);
    let (train, test) = match held_out {
        Some(test) => (data, test),
        None => {
            let fold = folds(data.len(), 10, FoldOrder::Shuffled(config.seed));
            let fold = fold.map_err(|error| Error::Data(error.to_string()))?.swap_remove(0);
            (rest, tenth) = (data.part(&fold.rest), data.part(&fold.held_out));
            (&rest, &tenth)
        }
    };
    let sizes = sizes(train.len(), config)?;
    let runs = |size: usize| if size == train.len() { 1 } else { config.repeats.max(1) };
    observer.stage("train and score", Some(sizes.iter().map(|&size| runs(size) as u64).sum()));
    let mut points = Vec::new();
    for &size in &sizes {
        for repeat in 0..runs(size) {
            let order = shuffled(train.len(), config.seed.wrapping_add(repeat as u64));
            let mut numbers = order[..size].to_vec();
            numbers.sort_unstable();
            let part = train.part(&numbers);
            let seed = config.seed.wrapping_add(repeat as u64);
            let figures = run_trial(config.family, config.quality, (&part, test), seed, &mut Silent)?;
            points.push(CurvePoint { sentences: size, words: part.words(), repeat: repeat + 1, figures });
            observer.advance(1);
            if observer.cancelled() {
                return Err(Error::Cancelled);
            }
        }
    }
    let all = (train.len(), train.words());
    let forecasts = forecasts(&points, all.1, config);
    Ok(LearningCurve { family: config.family, points, forecasts, all, held_out: test.len() })
}

/// Rising sizes, each at most the number of sentences.
fn sizes(sentences: usize, config: &CurveConfig) -> Result<Vec<usize>, Error> {
    let mut sizes = config.sizes.clone();
    if sizes.is_empty() {
        sizes = (0..config.points.max(1)).map(|halvings| sentences >> halvings.min(40)).collect();
    }
    if let Some(&size) = sizes.iter().find(|&&size| size > sentences) {
        return Err(Error::Data(format!(
            "the curve is to have a point at {size} sentences, but there are only {sentences} to train on"
        )));
    }
    // Fewer sentences are no treebank.
    sizes.retain(|&size| size >= 10);
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.is_empty() {
        return Err(Error::Data(format!("{sentences} sentences are too few for a learning curve")));
    }
    Ok(sizes)
}

/// A random order, the same on every machine.
fn shuffled(items: usize, seed: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut order: Vec<usize> = (0..items).collect();
    for last in (1..items).rev() {
        order.swap(last, (rng.next_u64() % (last as u64 + 1)) as usize);
    }
    order
}

fn forecasts(points: &[CurvePoint], words: usize, config: &CurveConfig) -> Vec<Forecast> {
    let names = points.first().map(|point| &point.figures[..]).unwrap_or_default();
    let forecast = |(at, figure): (usize, &Figure)| {
        let ceiling = match config.family {
            TrialFamily::Deptree | TrialFamily::Automaton => Ceiling::None,
            _ => Ceiling::At(100.0),
        };
        let value = |point: &CurvePoint| Some((point.words as f64, point.figures.get(at)?.value));
        let values: Vec<(f64, f64)> = points.iter().filter_map(value).collect();
        let law = PowerLaw::fit(&values, ceiling)?;
        let samples = law.resamples(&values, ceiling, config.resamples, config.seed);
        let around = |n: f64| interval(samples.iter().map(|law| law.at(n)).collect());
        let at_multiple = |multiple: f64| {
            let n = multiple * words as f64;
            Some((multiple, n, law.at(n), around(n)?))
        };
        let least = values.iter().map(|&(n, _)| n).fold(f64::INFINITY, f64::min);
        let most = MULTIPLES[MULTIPLES.len() - 1] * words as f64;
        let steps = (0..=40).map(|step| least * (most / least).powf(f64::from(step) / 40.0));
        Some(Forecast {
            name: figure.name.clone(),
            law,
            values: MULTIPLES.into_iter().filter_map(at_multiple).collect(),
            band: steps.filter_map(|n| Some((n, law.at(n), around(n)?))).collect(),
            tested: tested(&values, ceiling, config),
        })
    };
    names.iter().enumerate().filter_map(forecast).collect()
}

/// Fits without the largest size, and compares there.
fn tested(values: &[(f64, f64)], ceiling: Ceiling, config: &CurveConfig) -> Option<(f64, (f64, f64), f64)> {
    let largest = values.iter().map(|&(n, _)| n).fold(0.0, f64::max);
    let smaller: Vec<(f64, f64)> = values.iter().copied().filter(|&(n, _)| n < 0.95 * largest).collect();
    let measured: Vec<f64> = values.iter().filter(|&&(n, _)| n >= 0.95 * largest).map(|&(_, y)| y).collect();
    let law = PowerLaw::fit(&smaller, ceiling)?;
    let samples = law.resamples(&smaller, ceiling, config.resamples, config.seed);
    let around = interval(samples.iter().map(|law| law.at(largest)).collect())?;
    Some((law.at(largest), around, measured.iter().sum::<f64>() / measured.len() as f64))
}
