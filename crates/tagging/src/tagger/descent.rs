//! Learns θ and τ by AdaGrad, sentence by sentence.
//!
//! ```text
//! g(i, y)  = p(y_i = y | x) − [y is right at i]                  for each feature of word i that was seen with y
//! g(y', y) = Σ_i p(y_{i−1} = y', y_i = y | x) − [the pair is right]
//! h ← h + g²,   θ ← θ − η g / √(h + δ)
//! ```
//!
//! For the perceptron, `p` is 1 for the best sequence and 0 for all others; for the greedy one, `p(y_i = y | y_{i−1}, x)` is 1
//! for the best label after the right one, so that every word is learnt by itself. A sentence whose labels are almost certain
//! changes nothing and is not visited again. The result is the mean of the weights after each of the later passes.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::chain::Chain;
use super::closed::ClosedWords;
use super::config::{Objective, TaggerConfig};
use super::examples::Examples;
use super::layer::Layer;
use super::model::candidates;
use super::prefixes::BundleScores;
use super::transitions::Transitions;
use super::vectors::VectorRows;
use models::learn::{LearnError, Progress};
use models::log_linear::Rows;

/// Gradients below this change no weight.
const NEGLIGIBLE: f32 = 1e-3;

/// Number of sentences between two calls of the observer.
const CHUNK: usize = 256;

/// The weights during training, with the training data.
pub(super) struct Descent<'a> {
    config: &'a TaggerConfig,
    examples: &'a Examples,
    layers: &'a [Layer],
    closed: &'a ClosedWords,
    pub(super) rows: Rows,
    pub(super) vectors: Option<VectorRows<'a>>,
    /// One per layer.
    pub(super) chains: Vec<Chain>,
    /// Total number of parts in all layers.
    all: usize,
    /// The scores of all parts, word by word.
    scores: Vec<f32>,
    /// The scores of the bundles of one word.
    of_bundles: BundleScores,
    picked: Vec<u16>,
    /// Parts of the bundles of one word.
    touched: Vec<u16>,
    /// The gradients of one word.
    slopes: Vec<f32>,
    active: Vec<(u16, f32)>,
}

impl<'a> Descent<'a> {
    pub(super) fn new(
        config: &'a TaggerConfig,
        examples: &'a Examples,
        layers: &'a [Layer],
        closed: &'a ClosedWords,
        transitions: Vec<Vec<Transitions>>,
        rows: Rows,
        vectors: Option<VectorRows<'a>>,
    ) -> Self {
        let all = layers.last().map_or(0, Layer::end);
        Self {
            config,
            examples,
            layers,
            closed,
            rows,
            vectors,
            chains: transitions.into_iter().map(Chain::new).collect(),
            all,
            scores: Vec::new(),
            of_bundles: BundleScores::default(),
            picked: Vec::new(),
            touched: Vec::new(),
            slopes: vec![0.0; all],
            active: Vec::new(),
        }
    }

    /// Updates the weights and returns the number of passes in their sums.
    pub(super) fn run(&mut self, progress: &mut Progress<'_>) -> Result<usize, LearnError> {
        let config = self.config;
        let mut order: Vec<usize> = (0..self.examples.sentences()).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
        let mut summed = 0;
        progress.stage("weights", Some((config.passes * order.len()) as u64))?;
        for pass in 0..config.passes {
            order.shuffle(&mut rng);
            let mut certain = Vec::new();
            for chunk in order.chunks(CHUNK) {
                certain
                    .extend(chunk.iter().copied().filter(|&sentence| self.visit(sentence) < config.certain));
                progress.advance(chunk.len() as u64)?;
            }
            certain.sort_unstable();
            order.sort_unstable();
            order.retain(|sentence| certain.binary_search(sentence).is_err());
            if 2 * (pass + 1) >= config.passes {
                self.rows.sum();
                self.vectors.iter_mut().for_each(VectorRows::sum);
                self.chains.iter_mut().for_each(Chain::sum);
                summed += 1;
            }
        }
        Ok(summed)
    }

    /// Learns from one sentence; returns how far its least certain label is from certain.
    fn visit(&mut self, sentence: usize) -> f32 {
        self.score(sentence);
        for number in 0..self.layers.len() {
            self.layer_slopes(sentence, number);
        }
        let (rate, damping) = (self.config.rate, self.config.damping);
        let mut doubt = 0.0f32;
        for (at, word) in self.examples.words(sentence).enumerate() {
            self.active.clear();
            self.touched.clear();
            for (number, (layer, chain)) in self.layers.iter().zip(&self.chains).enumerate() {
                let gold = word.bundles[number];
                let mut certainty = 0.0;
                let best = chain.best.get(at).copied();
                for (place, &label) in chain.lattice.labels_of(at).iter().enumerate() {
                    let p = match self.config.objective {
                        Objective::Likelihood => chain.lattice.marginals_of(at)[place],
                        Objective::Perceptron | Objective::Greedy => f32::from(u8::from(best == Some(label))),
                    };
                    let right = label == gold;
                    if right {
                        certainty = p;
                    }
                    let slope = p - f32::from(u8::from(right));
                    if slope.abs() > NEGLIGIBLE {
                        for &part in layer.parts_of(label) {
                            self.slopes[usize::from(part)] += slope;
                            self.touched.push(part);
                        }
                    }
                }
                doubt = doubt.max(1.0 - certainty);
            }
            self.touched.sort_unstable();
            self.touched.dedup();
            for &part in &self.touched {
                // The gradients of bundles that share a part may cancel out.
                let slope = &mut self.slopes[usize::from(part)];
                match slope.abs() > NEGLIGIBLE {
                    true => self.active.push((part, *slope)),
                    false => *slope = 0.0,
                }
            }
            if self.active.is_empty() {
                continue;
            }
            for &row in word.features {
                self.rows.descend(row, &self.slopes, &self.active, rate, damping);
            }
            if let Some(vectors) = &mut self.vectors {
                vectors.descend(self.examples.vectors(sentence), at, &self.active, rate, damping);
            }
            self.active.iter().for_each(|&(part, _)| self.slopes[usize::from(part)] = 0.0);
        }
        self.chains.iter_mut().for_each(|chain| chain.step(rate, damping));
        doubt
    }

    /// Scores the parts of labels of all words of a sentence.
    fn score(&mut self, sentence: usize) {
        let words = self.examples.words(sentence).len();
        self.scores.clear();
        self.scores.resize(words * self.all, 0.0);
        let of_words = self.scores.chunks_exact_mut(self.all.max(1));
        for (at, (word, scores)) in self.examples.words(sentence).zip(of_words).enumerate() {
            word.features.iter().for_each(|&row| self.rows.add_weights(row, scores));
            let Some(vectors) = &self.vectors else { continue };
            let rows = self.examples.vectors(sentence);
            // Words with few labels are scored for these only; scoring all would take most of the time.
            match self.closed.get(word.known) {
                Some(closed) => vectors.add_scores(rows, at, closed.parts.iter().copied(), scores),
                None => vectors.add_scores(rows, at, 0..self.all as u16, scores),
            }
        }
    }

    /// Runs forward–backward (or decodes) on one layer and computes the gradients of its transitions.
    fn layer_slopes(&mut self, sentence: usize, number: usize) {
        let (layer, chain) = (&self.layers[number], &mut self.chains[number]);
        let limits = (self.config.beam, self.config.candidates);
        chain.lattice.clear();
        for (word, scores) in self.examples.words(sentence).zip(self.scores.chunks_exact(self.all.max(1))) {
            let closed = self.closed.get(word.known).map(|closed| &closed.bundles[number][..]);
            candidates(limits, layer, closed, scores, &mut self.of_bundles, &mut self.picked);
            let gold = word.bundles[number];
            if !self.picked.contains(&gold) {
                self.picked.push(gold);
            }
            for &bundle in &self.picked {
                chain.lattice.candidate(bundle, layer.score(bundle, scores));
            }
            chain.lattice.end_word();
        }
        chain.lattice.connect(&layer.steps(&chain.transitions));
        match self.config.objective {
            Objective::Likelihood => {
                chain.lattice.sum();
                chain.add_marginals(layer);
            }
            Objective::Perceptron => {
                let mut best = std::mem::take(&mut chain.best);
                chain.lattice.decode(&mut best);
                chain.add_pairs(layer, best.iter().copied(), 1.0);
                chain.best = best;
            }
            Objective::Greedy => {
                let right: Vec<u16> =
                    self.examples.words(sentence).map(|word| word.bundles[number]).collect();
                let mut best = std::mem::take(&mut chain.best);
                chain.lattice.decode_greedily(Some(&right), &mut best);
                chain.add_steps(layer, &right, &best, 1.0);
                chain.best = best;
            }
        }
        chain.add_pairs(layer, self.examples.words(sentence).map(|word| word.bundles[number]), -1.0);
    }
}
