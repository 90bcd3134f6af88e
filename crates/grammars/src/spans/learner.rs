//! Learns the weights as a conditional random field: AdaGrad on the log-likelihood of the right trees.
//!
//! ```text
//! ∂/∂θ_f −log p(t | x) = Σ_parts (µ(part) − [part ∈ t]) φ_f(part)
//! ```
//!
//! One step per sentence, in an order that is shuffled for every pass. Parts that the model is certain of change nothing
//! and are passed over, which is most of them after the first pass. The result is the mean of the weights after each of
//! the later passes.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::calibration::{Calibration, Curve};
use super::config::SpanConfig;
use super::examples::Example;
use super::features::{Places, Templates};
use super::inference::{Posteriors, Scores};
use super::mixture;
use super::model::{GrammarWeights, Scratch, SpanModel, bounded, score};
use super::network::{self, NetworkConfig, NetworkTraining, Networks};
use super::weights::Training;
use models::learn::{LearnError, Progress};

/// Slopes below this change no weight.
const NEGLIGIBLE: f32 = 1e-3;
/// The rate and the damping of the few weights of the grammar, which see every part.
const GRAMMAR_RATE: f32 = 0.02;
const GRAMMAR_DAMPING: f32 = 1.0;
/// Of this many blocks of examples, one is kept from the learner to calibrate confidences.
const BLOCKS: usize = 20;
const BLOCK: usize = 25;
/// Number of sentences between two calls of the observer.
const ROUND: usize = 256;

/// Learns a [`SpanModel`] from judged sentences.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpanLearner {
    pub(crate) config: SpanConfig,
}

impl SpanLearner {
    /// Learns from examples.
    pub(crate) fn learn(
        &self,
        examples: &[Example],
        progress: &mut Progress<'_>,
    ) -> Result<SpanModel, LearnError> {
        let config = &self.config;
        let words = examples.iter().map(|example| example.lattice.words).sum();
        let (held_out, mut order): (Vec<usize>, Vec<usize>) =
            (0..examples.len()).partition(|at| at / BLOCK % BLOCKS == BLOCKS - 1);
        progress.stage("learn spans", Some((config.epochs * order.len()) as u64))?;
        let reached = examples.iter().filter(|example| example.reached).count();
        progress.figure("judged trees", examples.len() as f64);
        progress.figure("right trees among those left", reached as f64);
        let mut descent = Descent {
            weights: Training::new(config.bits(words), config.rate, config.damping),
            size: 1 << config.bits(words),
            grammar: GrammarWeights::START.array(),
            squares: [0.0; 5],
            places: Places::default(),
            scores: Scores::default(),
            posteriors: Posteriors::default(),
        };
        let mut grammar_sums = [0.0_f32; 5];
        let mut summed = 0;
        let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
        for epoch in 0..config.epochs {
            order.shuffle(&mut rng);
            let mut loss = 0.0;
            for round in order.chunks(ROUND) {
                for &at in round {
                    loss += descent.step(&examples[at]);
                }
                progress.advance(round.len() as u64)?;
            }
            progress.figure("mean loss", loss / order.len().max(1) as f64);
            if 2 * (epoch + 1) >= config.epochs {
                summed += 1;
                descent.weights.remember();
                grammar_sums.iter_mut().zip(descent.grammar).for_each(|(sum, weight)| *sum += weight);
            }
        }
        let share = 1.0 / summed.max(1) as f32;
        let mut model = SpanModel {
            templates: examples.first().map_or_else(Templates::default, |example| example.view.templates),
            weights: descent.weights.average(),
            grammar: GrammarWeights::from_array(grammar_sums.map(|sum| sum * share)),
            networks: None,
            calibration: Calibration::default(),
            least_posterior: config.least_posterior,
            frequent: config.frequent,
        };
        if config.network.members > 0 {
            self.add_networks(&mut model, examples, (&mut order, &held_out), progress)?;
        }
        model.calibration = calibrate(&model, held_out.iter().map(|&at| &examples[at]));
        Ok(model)
    }

    /// Learns networks from the trees of `order` and weighs them against the features.
    fn add_networks(
        &self,
        model: &mut SpanModel,
        examples: &[Example],
        (order, held_out): (&mut [usize], &[usize]),
        progress: &mut Progress<'_>,
    ) -> Result<(), LearnError> {
        let NetworkConfig { members, epochs, .. } = self.config.network;
        let words: usize = order.iter().map(|&at| examples[at].lattice.words).sum();
        progress.stage("learn networks", Some((members * epochs * order.len()) as u64))?;
        let mut learnt = Vec::with_capacity(members);
        for member in 0..members {
            let seed = self.config.seed.wrapping_add(member as u64);
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut training = NetworkTraining::new(self.config.network, (epochs * words) as u64, seed);
            for _ in 0..epochs {
                order.shuffle(&mut rng);
                let mut loss = 0.0;
                for round in order.chunks(ROUND) {
                    loss += round.iter().map(|&at| training.learn(&examples[at])).sum::<f64>();
                    progress.advance(round.len() as u64)?;
                }
                progress.figure("mean loss of networks", loss / order.len().max(1) as f64);
            }
            learnt.push(training.finish());
        }
        let networks = Networks::new(learnt, 1.0);
        let mut scratch = network::Scratch::default();
        let [of_features, of_networks] =
            mixture::fit(model, held_out.iter().map(|&at| &examples[at]), |example, scores| {
                networks.add(&example.view, &example.lattice, &mut scratch, scores);
            });
        progress.figure("weight of features", of_features.into());
        progress.figure("weight of networks", of_networks.into());
        model.weights.step *= of_features;
        model.grammar = GrammarWeights::from_array(model.grammar.array().map(|weight| weight * of_features));
        model.networks = Some(networks.with_weight(of_networks));
        Ok(())
    }
}

/// Compares the posteriors of constituents in the trees chosen for some examples with the treebank.
fn calibrate<'e>(model: &SpanModel, examples: impl Iterator<Item = &'e Example>) -> Calibration {
    let (mut words, mut phrases) = (Vec::new(), Vec::new());
    let mut scratch = Scratch::default();
    for example in examples {
        scratch.lattice.clone_from(&example.lattice);
        scratch.view.clone_from(&example.view);
        model.score(&mut scratch);
        scratch.for_each_chosen(|scratch, node| {
            let own = &scratch.lattice.nodes[node];
            let points = if own.end - own.start == 1 { &mut words } else { &mut phrases };
            points.push((scratch.posteriors.nodes[node], example.in_treebank[node]));
        });
    }
    Calibration { words: Curve::fit(&words), phrases: Curve::fit(&phrases) }
}

/// Weights while they are learnt, with scratch memory.
struct Descent {
    weights: Training,
    size: usize,
    grammar: [f32; 5],
    squares: [f32; 5],
    places: Places,
    scores: Scores,
    posteriors: Posteriors,
}

impl Descent {
    /// Takes one step; returns the loss before it.
    fn step(&mut self, example: &Example) -> f64 {
        let Self { weights, size, grammar, squares, places, scores, posteriors } = self;
        let lattice = &example.lattice;
        places.fill(&example.view, lattice, *size);
        score(lattice, places, grammar, |places| weights.sum(places), scores);
        let total = posteriors.fill(lattice, scores);
        let right = example.right_score(scores);
        let mut slopes = [0.0_f32; 5];
        for (node, (&posterior, &right)) in posteriors.nodes.iter().zip(&example.right_nodes).enumerate() {
            let slope = posterior - f32::from(u8::from(right));
            if slope.abs() > NEGLIGIBLE {
                weights.descend(places.of_node(node), slope);
                for (kind, value) in GrammarWeights::node_features(lattice, node) {
                    slopes[kind] += slope * value;
                }
            }
        }
        for (at, (&posterior, &right)) in posteriors.branches.iter().zip(&example.right_branches).enumerate()
        {
            let slope = posterior - f32::from(u8::from(right));
            if slope.abs() > NEGLIGIBLE {
                weights.descend(places.of_branch(at), slope);
                slopes[0] += slope * bounded(lattice.branches[at].log);
            }
        }
        for ((weight, squares), slope) in grammar.iter_mut().zip(squares).zip(slopes) {
            *squares += slope * slope;
            *weight -= GRAMMAR_RATE * slope / (*squares + GRAMMAR_DAMPING).sqrt();
        }
        total - right
    }
}
