//! Learns the pruner, then the parser and the labels.
//!
//! The parser is learnt by passive–aggressive updates with cost-augmented decoding (R. McDonald et al. 2005; K. Crammer
//! et al. 2006). For a sentence `x` with gold tree `y`,
//!
//! ```text
//! ŷ = argmax_y' w·φ(x, y') + cost(y, y')           cost: the number of wrong heads
//! w ← w + τ (φ(x, y) − φ(x, ŷ))      τ = min(C, (w·φ(x, ŷ) + cost(y, ŷ) − w·φ(x, y)) / ‖φ(x, y) − φ(x, ŷ)‖²)
//! ```
//!
//! and the weights are averaged over all steps. The sentences are shuffled anew for each epoch. All of it may be repeated
//! with other shuffles, whose averages are averaged again: scores are linear in the weights, so this adds up the scores of
//! several parsers in the time of one.

use corpus::dependency::pseudo_projective::PseudoLabels;
use corpus::format::conllu::Sentence;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::arc_features::Templates;
use super::calibration::{
    DEFAULT_LABEL_TEMPERATURE, DEFAULT_TEMPERATURE, NETWORK_LABEL_TEMPERATURE, NETWORK_ODDS,
    NETWORK_TEMPERATURE,
};
use super::clusters::ClusterPaths;
use super::config::{MstConfig, PruningConfig, Structure};
use super::difference::Difference;
use super::examples::{Example, Examples};
use super::labels::{LabelTraining, Labeler};
use super::model::{Form, Mst, Selection, templates};
use super::network::{NetworkTraining, Networks};
use super::pruner::{self, Pruner, PrunerTraining, Reach};
use super::search::{Question, Scoring, Search};
use super::weights::{Averaged, Bits, mean};
use super::words::Views;
use crate::arcs::{Candidates, Keep};
use models::confidence::Odds;
use models::learn::{LearnError, Learned, Learner, Observer, Progress};
use models::log_linear::RoundedWeights;

/// Number of sentences between two calls of the observer.
const ROUND: usize = 256;
/// The table of the pruner is smaller than that of the parser by this many bits.
const PRUNER_BITS: u32 = 2;
/// Number of streams of random numbers that a shuffle uses.
const STAGES: u64 = 8;
/// Learns a parser from trees.
#[derive(Clone, Debug, Default)]
pub struct MstLearner {
    /// Configuration.
    pub config: MstConfig,
    /// Word clusters used as features.
    pub clusters: Option<ClusterPaths>,
    /// Trees of other languages, which are learnt from without their words.
    pub source: Vec<Sentence>,
}

impl Learner for MstLearner {
    type Data = [Sentence];
    type Model = Mst;

    fn learn(&self, data: &[Sentence], observer: &mut dyn Observer) -> Result<Learned<Mst>, LearnError> {
        self.check()?;
        let config = &self.config;
        let mut progress = Progress::new(observer);
        progress.stage("read trees", None)?;
        let Examples { examples, labels, structure } =
            Examples::read(data, &self.source, config, &mut progress)?;
        let training = Training { config, clusters: self.clusters.as_ref(), structure, examples: &examples };
        let pruner = training.pruner(&mut progress)?;
        let candidates = training.candidates(&pruner, &mut progress)?;
        let networks = training.networks(&pruner.reach, labels.len(), &mut progress)?;
        let weights = training.parser(&candidates, &mut progress)?;
        let labeler = training.labels(labels.len(), &mut progress)?;
        let pseudo = match structure {
            Structure::PseudoProjective => Some(
                PseudoLabels::of_vocab(&labels).map_err(|error| LearnError::bad_data(error.to_string()))?,
            ),
            Structure::Projective | Structure::NonProjective => None,
        };
        progress.figure("labels", labels.len() as f64);
        let (temperature, label_temperature, odds) = match networks {
            Some(_) => (NETWORK_TEMPERATURE, NETWORK_LABEL_TEMPERATURE, NETWORK_ODDS),
            None => (DEFAULT_TEMPERATURE, DEFAULT_LABEL_TEMPERATURE, Odds::UNCHANGED),
        };
        let form = Form {
            order: config.order,
            structure,
            pruning: config.pruning,
            selection: match networks {
                Some(_) => Selection::Networks,
                None => Selection::Pruner,
            },
            lemmas: config.lemmas,
            bits: config.bits,
            choice: config.choice,
            temperature,
            label_temperature,
            odds,
        };
        let clusters = self.clusters.clone();
        Ok(progress.finish(Mst { form, labels, pseudo, clusters, pruner, weights, labeler, networks }))
    }
}

impl MstLearner {
    fn check(&self) -> Result<(), LearnError> {
        let config = &self.config;
        if !(10..=28).contains(&config.bits) {
            return Err(LearnError::bad_config(
                "the number of bits of a weight table must be between 10 and 28",
            ));
        }
        let sound = |pruning: &PruningConfig| pruning.ratio > 0.0 && pruning.ratio < 1.0;
        if !sound(&config.pruning) || !sound(&config.training_pruning) {
            return Err(LearnError::bad_config("the ratio of the pruner must be between 0 and 1"));
        }
        if let Some(network) = &config.network {
            let share = |share: f32| (0.0..1.0).contains(&share);
            let sizes = network.embedded.min(network.hidden) > 0 && network.bits <= 24 && network.members > 0;
            if !(sizes && share(network.dropout) && share(network.form_dropout)) {
                return Err(LearnError::bad_config("a size or a share of the network is out of range"));
            }
        }
        if config.shuffles == 0 {
            return Err(LearnError::bad_config("the number of shuffles must be at least 1"));
        }
        if !(config.choice.weight >= 0.0 && config.choice.weight.is_finite()) {
            return Err(LearnError::bad_config("the weight of the labels must not be below 0"));
        }
        Ok(())
    }
}

/// What the stages share.
struct Training<'a> {
    config: &'a MstConfig,
    clusters: Option<&'a ClusterPaths>,
    structure: Structure,
    examples: &'a [Example<'a>],
}

impl Training<'_> {
    fn templates(&self) -> Templates {
        templates(self.config.lemmas, self.clusters)
    }

    fn read(&self, views: &mut Views, example: &Example<'_>) {
        views.read(&example.words, self.config.lemmas, self.clusters);
    }

    /// Calls `learn` for every example of an epoch, in shuffled order, and checks the observer regularly.
    fn pass(
        &self,
        rng: &mut ChaCha8Rng,
        progress: &mut Progress<'_>,
        mut learn: impl FnMut(usize, &Example<'_>),
    ) -> Result<(), LearnError> {
        let mut order: Vec<usize> = (0..self.examples.len()).collect();
        order.shuffle(rng);
        for round in order.chunks(ROUND) {
            round.iter().for_each(|&at| learn(at, &self.examples[at]));
            progress.advance(round.len() as u64)?;
        }
        Ok(())
    }

    /// A random generator per stage and shuffle, so that these do not depend on each other.
    fn rng(&self, stage: u64, shuffle: usize) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.config.seed);
        rng.set_stream(stage + STAGES * shuffle as u64);
        rng
    }

    fn is_last(&self, shuffle: usize) -> bool {
        shuffle + 1 == self.config.shuffles
    }

    fn work(&self, epochs: usize, shuffles: usize) -> Option<u64> {
        Some((epochs * shuffles * self.examples.len()) as u64)
    }

    fn pruner(&self, progress: &mut Progress<'_>) -> Result<Pruner, LearnError> {
        progress.stage("learn pruner", self.work(self.config.pruner_epochs, 1))?;
        let mut training = PrunerTraining::new(Bits(self.config.bits - PRUNER_BITS));
        let mut rng = self.rng(1, 0);
        let mut views = Views::default();
        for example in self.examples {
            self.read(&mut views, example);
            training.learn_reach(&views, &example.heads);
        }
        for _ in 0..self.config.pruner_epochs {
            self.pass(&mut rng, progress, |_, example| {
                self.read(&mut views, example);
                training.learn(&views, &example.heads);
            })?;
        }
        Ok(training.finish())
    }

    /// The candidate arcs of each sentence.
    fn candidates(
        &self,
        pruner: &Pruner,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<Candidates>, LearnError> {
        progress.stage("prune", None)?;
        let scratch = || (Views::default(), pruner::Scratch::default());
        let each = self.examples.par_iter().map_init(scratch, |(views, scratch), example| {
            let mut candidates = Candidates::default();
            self.read(views, example);
            pruner.candidates(
                views,
                &self.config.training_pruning,
                Some(&example.heads),
                scratch,
                &mut candidates,
            );
            candidates
        });
        let candidates: Vec<Candidates> = each.collect();
        let arcs: usize = candidates.iter().map(Candidates::arcs).sum();
        let words: usize = candidates.iter().map(Candidates::words).sum();
        progress.figure("heads a word", (arcs as f64 / words as f64 * 100.0).round() / 100.0);
        Ok(candidates)
    }

    fn networks(
        &self,
        reach: &Reach,
        labels: usize,
        progress: &mut Progress<'_>,
    ) -> Result<Option<Networks>, LearnError> {
        let Some(config) = self.config.network else { return Ok(None) };
        progress.stage("learn networks", self.work(config.epochs, config.members))?;
        let words: usize = self.examples.iter().map(|example| example.words.len()).sum();
        let work = (words * config.epochs) as u64;
        let (mut views, mut candidates) = (Views::default(), Candidates::default());
        let mut members = Vec::with_capacity(config.members);
        let mut loss = 0.0;
        for member in 0..config.members {
            let mut rng = self.rng(4, member);
            let mut training = NetworkTraining::new(config, labels, work, rng.random());
            for _ in 0..config.epochs {
                training.take_loss();
                self.pass(&mut rng, progress, |_, example| {
                    self.read(&mut views, example);
                    reach.candidates(&views, &mut candidates);
                    training.learn(&views, &candidates, &example.heads, &example.labels);
                })?;
            }
            loss = training.take_loss();
            members.push(training.finish());
        }
        progress.figure("loss a word in the last pass", (loss / words as f64 * 1e4).round() / 1e4);
        Ok(Some(Networks { members, mix: config.mix }))
    }

    fn parser(
        &self,
        candidates: &[Candidates],
        progress: &mut Progress<'_>,
    ) -> Result<RoundedWeights, LearnError> {
        progress.stage("learn parser", self.work(self.config.epochs, self.config.shuffles))?;
        mean((0..self.config.shuffles).map(|shuffle| self.one_parser(shuffle, candidates, progress)))
    }

    /// The weights learnt from one order of the sentences.
    fn one_parser(
        &self,
        shuffle: usize,
        candidates: &[Candidates],
        progress: &mut Progress<'_>,
    ) -> Result<Vec<f32>, LearnError> {
        let bits = Bits(self.config.bits);
        let mut weights = Averaged::new(bits.len());
        let mut rng = self.rng(2, shuffle);
        let (mut views, mut search) = (Views::default(), Search::default());
        let (mut found, mut numbers) = (Vec::new(), Vec::new());
        let mut difference = Difference::default();
        let mut wrong = 0;
        for _ in 0..self.config.epochs {
            wrong = 0;
            self.pass(&mut rng, progress, |at, example| {
                self.read(&mut views, example);
                let scoring = Scoring {
                    values: &weights.now[..],
                    bits,
                    templates: self.templates(),
                    order: self.config.order,
                    structure: self.structure,
                };
                let question = Question {
                    views: &views,
                    candidates: &candidates[at],
                    gold: Some(&example.heads),
                    more: None,
                };
                let trees = search.score(&scoring, &question, Keep::Best);
                if trees.is_some_and(|trees| search.best(trees, &scoring, &question, &mut found).is_some()) {
                    numbers.clear();
                    numbers.extend(found.iter().map(|head| head.number() as u32));
                    let cost = numbers.iter().zip(&example.heads).filter(|(one, other)| one != other).count();
                    if cost > 0 {
                        wrong += cost;
                        difference.read(&scoring, &views, &example.heads, &numbers);
                        difference.update(cost as f32, self.config.aggressiveness, &mut weights);
                    }
                }
                weights.step();
            })?;
        }
        if self.is_last(shuffle) {
            progress.figure("wrong heads in the last pass", wrong as f64);
        }
        Ok(weights.average())
    }

    fn labels(&self, labels: usize, progress: &mut Progress<'_>) -> Result<Labeler, LearnError> {
        progress.stage("learn labels", self.work(self.config.label_epochs, self.config.shuffles))?;
        let weights =
            mean((0..self.config.shuffles).map(|shuffle| self.one_labeler(shuffle, labels, progress)))?;
        Ok(Labeler { weights, bits: Bits(self.config.bits), labels })
    }

    /// The weights of labels learnt from one order of the sentences.
    fn one_labeler(
        &self,
        shuffle: usize,
        labels: usize,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<f32>, LearnError> {
        let templates = self.templates();
        let mut training =
            LabelTraining::new(Bits(self.config.bits), labels, self.config.label_aggressiveness);
        let mut rng = self.rng(3, shuffle);
        let mut views = Views::default();
        let mut wrong = 0;
        for _ in 0..self.config.label_epochs {
            wrong = 0;
            self.pass(&mut rng, progress, |_, example| {
                self.read(&mut views, example);
                wrong += training.learn(&views, &example.heads, &example.labels, templates);
            })?;
        }
        if self.is_last(shuffle) {
            progress.figure("wrong labels in the last pass", wrong as f64);
        }
        Ok(training.average())
    }
}
