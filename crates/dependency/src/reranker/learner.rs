//! Learns to choose among lists: a log-linear model or an averaged perceptron.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::features::{Features, REAL, features_of};
use super::log_linear::{Example, choose_penalty};
use super::model::Weights;
use super::{FeatureSet, GoldList, Reranker};
use crate::deptree::{Deptree, Scratch};
use models::learn::{LearnError, Learned, Learner, Observer, Progress};

/// Configuration of re-ranking.
#[derive(Clone, PartialEq, Debug)]
pub struct RerankConfig {
    /// The features used.
    pub features: FeatureSet,
    /// The learner of the weights.
    pub method: RerankMethod,
    /// Number of passes over the lists.
    pub epochs: usize,
    /// Initial weight of the parser's own score in the perceptron, per standard deviation within lists. Other features
    /// start at 0.
    pub trust: f64,
    /// Seed of the order of lists.
    pub seed: u64,
}

impl Default for RerankConfig {
    fn default() -> Self {
        Self {
            features: FeatureSet::default(),
            method: RerankMethod::default(),
            epochs: 10,
            trust: 20.0,
            seed: 1,
        }
    }
}

/// The learner of the weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RerankMethod {
    /// A log-linear model with an L2 penalty that held-out lists choose.
    #[default]
    LogLinear,
    /// The averaged perceptron of Dhillon et al. (2012).
    Perceptron,
}

/// The figure of the report that compares models: words that get their head in held-out lists. Log-linear models have it.
pub const RIGHT: &str = "right words of held-out lists";

/// Learns a [`Reranker`] from lists with gold trees.
#[derive(Clone, Debug, Default)]
pub struct RerankLearner {
    /// Configuration.
    pub config: RerankConfig,
    /// The latent tree model that gives `log p̂`.
    pub deptree: Option<Deptree>,
    /// Latent tree models for the lists of each part of the treebank, learnt from the other parts. Without them training
    /// lists are scored by the model that has seen their trees.
    pub parts: Vec<Deptree>,
}

/// Weights with the sums needed for their average.
struct Averaged {
    now: Weights,
    /// Σ update · step at which it was made.
    late: Weights,
    step: f64,
}

impl Learner for RerankLearner {
    type Data = [GoldList];
    type Model = Reranker;

    fn learn(&self, data: &[GoldList], observer: &mut dyn Observer) -> Result<Learned<Reranker>, LearnError> {
        let Self { config, deptree, parts } = self;
        if data.is_empty() {
            return Err(LearnError::bad_data("no lists to learn from; give at least one sentence"));
        }
        if config.features.has_latent() && deptree.is_none() {
            return Err(LearnError::bad_config("features of latent trees need a latent tree model"));
        }
        let mut progress = Progress::new(observer);
        progress.stage("features", None)?;
        let lists: Vec<(Vec<Features>, usize)> = data
            .par_iter()
            .map_init(Scratch::default, |scratch, gold| {
                let model = parts.get(gold.part).or(deptree.as_ref());
                (features_of(&gold.list, config.features, model, scratch), gold.oracle())
            })
            .collect();
        if config.method == RerankMethod::LogLinear {
            return self.log_linear(data, lists, progress);
        }
        let mut weights = Averaged::new(spread(&lists), config.trust);
        progress.stage("epochs", Some(config.epochs as u64))?;
        let mut order: Vec<usize> = (0..lists.len()).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
        let mut mistakes = 0;
        for _ in 0..config.epochs {
            order.shuffle(&mut rng);
            mistakes = 0;
            for &index in &order {
                let (trees, oracle) = &lists[index];
                let found = weights.now.best(trees);
                let gold = &data[index];
                let candidates = gold.list.candidates();
                // Trees with equally many correct words cause no update.
                let missed = gold.correct(&candidates[*oracle]) - gold.correct(&candidates[found]);
                if missed > 0 {
                    mistakes += 1;
                    weights.update(&trees[*oracle], &trees[found]);
                }
                weights.step += 1.0;
            }
            progress.advance(1)?;
        }
        progress.figure("mistakes", f64::from(mistakes));
        let model = Reranker { set: config.features, deptree: deptree.clone(), weights: weights.average() };
        Ok(progress.finish(model))
    }
}

impl RerankLearner {
    /// Learns a log-linear model.
    fn log_linear(
        &self,
        data: &[GoldList],
        lists: Vec<(Vec<Features>, usize)>,
        mut progress: Progress<'_>,
    ) -> Result<Learned<Reranker>, LearnError> {
        let spread = spread(&lists);
        let correct = |gold: &GoldList| -> Vec<u32> {
            gold.list.candidates().iter().map(|candidate| gold.correct(candidate) as u32).collect()
        };
        let examples: Vec<Example> =
            data.iter().zip(lists).map(|(gold, (trees, _))| Example::new(trees, correct(gold))).collect();
        progress.stage("weights", None)?;
        let chosen = choose_penalty(&examples, spread, self.config.epochs, self.config.seed);
        if let Some(penalty) = chosen.penalty {
            progress.figure("penalty", penalty);
        }
        if let Some(right) = chosen.held_out {
            progress.figure(RIGHT, right as f64);
        }
        let weights = chosen.weights;
        let model = Reranker { set: self.config.features, deptree: self.deptree.clone(), weights };
        Ok(progress.finish(model))
    }
}

impl Averaged {
    fn new(spread: [f64; REAL], trust: f64) -> Self {
        let mut now = Weights::zero(spread);
        now.real[0] = trust;
        Self { now, late: Weights::zero(spread), step: 1.0 }
    }

    fn update(&mut self, right: &Features, wrong: &Features) {
        for (features, sign) in [(right, 1.0), (wrong, -1.0)] {
            for i in 0..REAL {
                let change = sign * features.real[i] / self.now.spread[i];
                self.now.real[i] += change;
                self.late.real[i] += change * self.step;
            }
            for &at in &features.sparse {
                self.now.sparse[at as usize] += sign;
                self.late.sparse[at as usize] += sign * self.step;
            }
        }
    }

    fn average(self) -> Weights {
        let Self { mut now, late, step } = self;
        now.real.iter_mut().zip(late.real).for_each(|(now, late)| *now -= late / step);
        now.sparse.iter_mut().zip(late.sparse).for_each(|(now, late)| *now -= late / step);
        now
    }
}

/// The standard deviation of each real-valued feature within lists.
fn spread(lists: &[(Vec<Features>, usize)]) -> [f64; REAL] {
    let mut squares = [0.0; REAL];
    let mut count = 0.0;
    for (trees, _) in lists {
        for (i, square) in squares.iter_mut().enumerate() {
            let mean = trees.iter().map(|tree| tree.real[i]).sum::<f64>() / trees.len() as f64;
            *square += trees.iter().map(|tree| (tree.real[i] - mean).powi(2)).sum::<f64>();
        }
        count += trees.len() as f64;
    }
    squares.map(|square| {
        let spread = (square / count.max(1.0)).sqrt();
        if spread > 0.0 && spread.is_finite() { spread } else { 1.0 }
    })
}
