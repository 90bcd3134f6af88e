//! The baseline: EM in the basis of the states.
//!
//! Upward messages `β_j(h) = o(x_j|h) Π_{children c} Σ_h' t_{d(c)}(h'|h) β_c(h')`, downward messages in the other
//! direction, and posteriors of states and arcs from their products: the forward–backward algorithm for trees.
//! Emissions and transitions get a small pseudo-count, so that nothing becomes impossible. The model has the same type
//! as the spectral one: in the basis of the states, `D(y) = diag(y)` and `y_x` is the row `o(x|·)`.

use corpus::dependency::Direction;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::model::{Operators, Product};
use super::start::clustered;
use super::valences::Valences;
use super::{Children, Conditioning, Deptree, EmConfig, EmStart, Observations, TreeSites, TreeWords};
use models::learn::{LearnError, Learned, Learner, Observer, Progress};

/// Number of trees per parallel task.
const CHUNK: usize = 256;
/// Added to expected counts.
const PSEUDO_COUNT: f64 = 1e-3;
/// States of a word that its subtree makes less probable than this, all states together 1, are not counted.
const NEGLIGIBLE: f64 = 1e-5;

/// Learns a [`Deptree`] from trees by EM.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EmLearner {
    /// Configuration.
    pub config: EmConfig,
}

/// The parameters, or the expected counts they are estimated from. Row-major: `steps[d][child][head]`,
/// `shows[symbol][state]`.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) k: usize,
    pub(super) root: Vec<f64>,
    pub(super) steps: Vec<Vec<f64>>,
    pub(super) shows: Vec<f64>,
    pub(super) valences: Option<Valences>,
    log_likelihood: f64,
}

impl Learner for EmLearner {
    type Data = [TreeWords];
    type Model = Deptree;

    fn learn(&self, data: &[TreeWords], observer: &mut dyn Observer) -> Result<Learned<Deptree>, LearnError> {
        let config = &self.config;
        if config.states == 0 {
            return Err(LearnError::bad_config("the number of states is 0; it must be at least 1"));
        }
        let mut progress = Progress::new(observer);
        progress.stage("observe", None)?;
        let observations = Observations::of_trees(data.iter(), config.observe, config.min_count);
        let sites = TreeSites::of_trees(data, &observations);
        progress.figure("symbols", observations.len() as f64);
        let mut table = match config.start {
            EmStart::Random => Table::random(config, observations.len()),
            EmStart::Spectral { kappa } => {
                clustered(&sites, observations.len(), (config, kappa), &mut progress)?
            }
        };
        progress.stage("steps", Some(config.steps as u64))?;
        for _ in 0..config.steps {
            table = table.step(&sites);
            progress.advance(1)?;
        }
        progress.figure("log-likelihood", table.log_likelihood);
        Ok(progress.finish(table.into_model(observations)))
    }
}

impl Table {
    pub(super) fn zero(k: usize, symbols: usize, children: Children) -> Self {
        // If children are counted, the nearest has steps of its own.
        let steps = if children == Children::Counted { 4 } else { 2 };
        Self {
            k,
            root: vec![0.0; k],
            steps: vec![vec![0.0; k * k]; steps],
            shows: vec![0.0; symbols * k],
            valences: (children == Children::Counted).then(|| Valences::zero(k)),
            log_likelihood: 0.0,
        }
    }

    /// Random parameters. Numbers of children start alike in all states.
    fn random(config: &EmConfig, symbols: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(config.seed);
        let mut table = Self::zero(config.states, symbols, config.children);
        let Self { root, steps, shows, .. } = &mut table;
        for entry in root.iter_mut().chain(steps.iter_mut().flatten()).chain(shows) {
            *entry = rng.random_range(0.5..1.5);
        }
        table.normalise();
        table
    }

    /// Turns counts into probabilities.
    pub(super) fn normalise(&mut self) {
        let k = self.k;
        let Self { root, steps, shows, valences, .. } = self;
        let total: f64 = root.iter().map(|count| count + PSEUDO_COUNT).sum();
        root.iter_mut().for_each(|count| *count = (*count + PSEUDO_COUNT) / total);
        for columns in steps.iter_mut().chain([shows]) {
            normalise_columns(columns, k);
        }
        if let Some(valences) = valences {
            valences.normalise(|columns| normalise_columns(columns, k));
        }
    }

    fn children(&self) -> Children {
        if self.valences.is_some() { Children::Counted } else { Children::Given }
    }

    /// One EM step: expected counts under these parameters, normalised. Its log-likelihood is that of these parameters.
    fn step(&self, sites: &[TreeSites]) -> Self {
        let symbols = self.shows.len() / self.k;
        let parts: Vec<Self> = sites
            .par_chunks(CHUNK)
            .map(|trees| {
                let mut counts = Self::zero(self.k, symbols, self.children());
                let mut messages = Messages::default();
                trees.iter().for_each(|tree| self.count(tree, &mut messages, &mut counts));
                counts
            })
            .collect();
        let mut sum = Self::zero(self.k, symbols, self.children());
        for part in parts {
            let add = |sum: &mut [f64], part: &[f64]| sum.iter_mut().zip(part).for_each(|(s, p)| *s += p);
            add(&mut sum.root, &part.root);
            sum.steps.iter_mut().zip(&part.steps).for_each(|(sum, part)| add(sum, part));
            add(&mut sum.shows, &part.shows);
            if let (Some(sum), Some(part)) = (&mut sum.valences, &part.valences) {
                sum.add(part);
            }
            sum.log_likelihood += part.log_likelihood;
        }
        // Arcs were counted without the factor t(h_word | h_head), which is the same for all of them.
        for (counts, steps) in sum.steps.iter_mut().zip(&self.steps) {
            counts.iter_mut().zip(steps).for_each(|(count, t)| *count *= t);
        }
        sum.normalise();
        sum
    }

    /// Adds the expected counts of a tree.
    fn count(&self, tree: &TreeSites, messages: &mut Messages, counts: &mut Self) {
        let k = self.k;
        let Some(root) = tree.root() else { return };
        let Messages { up, to_head, down, ratio } = messages;
        up.clear();
        for &symbol in &tree.symbols {
            up.extend(&self.shows[symbol as usize * k..][..k]);
        }
        if let Some(valences) = &self.valences {
            let rows = up.chunks_exact_mut(k).zip(&tree.children);
            rows.for_each(|(row, &children)| valences.multiply(row, children));
        }
        to_head.clear();
        to_head.resize(tree.len() * k, 0.0);
        // Upwards: every message is normalised to sum 1, and the divisor goes into the likelihood.
        for (word, head, side) in tree.arcs() {
            counts.log_likelihood += scale(&mut up[word * k..][..k]);
            let message = &mut to_head[word * k..][..k];
            let step = &self.steps[tree.step(word, side, self.steps.len())];
            for (b, row) in up[word * k..][..k].iter().zip(step.chunks_exact(k)) {
                message.iter_mut().zip(row).for_each(|(out, t)| *out += b * t);
            }
            up[head * k..][..k].iter_mut().zip(message).for_each(|(up, m)| *up *= *m);
        }
        let top = &mut up[root * k..][..k];
        top.iter_mut().zip(&self.root).for_each(|(up, p)| *up *= p);
        counts.log_likelihood += scale(top);
        // Downwards: the posterior of each word's state, starting at the root.
        down.clear();
        down.resize(tree.len() * k, 0.0);
        down[root * k..][..k].copy_from_slice(top);
        counts.root.iter_mut().zip(&*top).for_each(|(count, p)| *count += p);
        let arcs: Vec<(usize, usize, Direction)> = tree.arcs().collect();
        for &(word, head, side) in arcs.iter().rev() {
            // p(h_head, h_word | x) = p(h_head | x) / message(h_head) · t(h_word | h_head) · β(h_word).
            ratio.clear();
            let of_head = down[head * k..][..k].iter().zip(&to_head[word * k..][..k]);
            ratio.extend(of_head.map(|(p, message)| if *message > 0.0 { p / message } else { 0.0 }));
            let step = tree.step(word, side, self.steps.len());
            let steps = self.steps[step].chunks_exact(k);
            let counted = counts.steps[step].chunks_exact_mut(k);
            let of_word = up[word * k..][..k].iter().zip(&mut down[word * k..][..k]);
            for (((beta, down), row), counted) in of_word.zip(steps).zip(counted) {
                // Most symbols have few states.
                if *beta < NEGLIGIBLE {
                    continue;
                }
                *down = beta * dot(row, ratio);
                counted.iter_mut().zip(&*ratio).for_each(|(count, ratio)| *count += beta * ratio);
            }
        }
        for (&symbol, posterior) in tree.symbols.iter().zip(down.chunks_exact(k)) {
            let row = &mut counts.shows[symbol as usize * k..][..k];
            row.iter_mut().zip(posterior).for_each(|(count, p)| *count += p);
        }
        if let Some(valences) = &mut counts.valences {
            let posteriors = down.chunks_exact(k).zip(&tree.children);
            posteriors.for_each(|(posterior, &children)| valences.count(posterior, children));
        }
    }

    fn into_model(self, observations: Observations) -> Deptree {
        let k = self.k;
        let Self { root: start, steps, shows, valences, .. } = self;
        let product = Product::Diagonal;
        Deptree {
            observations,
            dimension: k,
            operators: Operators { start, end: vec![1.0; k], steps, product },
            duals: shows,
            valences,
            conditioning: Conditioning::default(),
        }
    }
}

/// Turns the columns of counts, one per state, into probabilities.
fn normalise_columns(columns: &mut [f64], k: usize) {
    let mut totals = vec![0.0; k];
    for row in columns.chunks_exact(k) {
        totals.iter_mut().zip(row).for_each(|(total, count)| *total += count + PSEUDO_COUNT);
    }
    for row in columns.chunks_exact_mut(k) {
        row.iter_mut().zip(&totals).for_each(|(count, total)| *count = (*count + PSEUDO_COUNT) / total);
    }
}

/// Scratch memory for one tree.
#[derive(Default)]
struct Messages {
    up: Vec<f64>,
    to_head: Vec<f64>,
    down: Vec<f64>,
    ratio: Vec<f64>,
}

/// The inner product, in four sums that the processor can form at the same time.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4.remainder().iter().zip(b4.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 4];
    for (a, b) in a4.zip(b4) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    sums.iter().sum::<f64>() + rest
}

/// Normalises values to sum 1; returns the logarithm of their previous sum.
fn scale(row: &mut [f64]) -> f64 {
    let sum: f64 = row.iter().sum();
    if sum > 0.0 {
        row.iter_mut().for_each(|entry| *entry /= sum);
        sum.ln()
    } else {
        0.0
    }
}
