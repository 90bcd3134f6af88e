//! Selects the candidate heads of a word, by a light model of each word's head alone.
//!
//! ```text
//! p(h | m) = exp s(h, m) / Σ_h' exp s(h', m)
//! ```
//!
//! with a few features of every pair of words. Words choose their heads independently of each other; the later stages
//! build the tree over the few heads that are left. The model is learnt by stochastic gradient descent with AdaGrad (J.
//! Duchi, E. Hazan and Y. Singer, JMLR 2011).
//!
//! First, a table of the largest distance at which words of two universal tags were seen as head and modifier excludes
//! longer arcs.
//!
//! In a parser with networks, these select the heads when parsing, and the pruner only when learning.
//!
//! Being light, the pruner fits the training sentences little better than new ones, so the parser sees in training the
//! choices that it will face later.

use super::arc_features::{light, one_per_line};
use super::config::PruningConfig;
use super::hashing::cross;
use super::weights::{Bits, Table};
use super::words::{View, Views};
use crate::arcs::Candidates;
use models::log_linear::RoundedWeights;

/// The largest distance of a word from its head, by the universal tags of both and the direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    /// By hash: pairs that share a table position have the larger of their distances.
    pub(super) distances: Vec<u32>,
}

impl Reach {
    /// Table size, a power of two: there are fewer than a thousand pairs of universal tags.
    pub(super) const PLACES: usize = 1 << 12;

    fn place(views: &Views, head: usize, modifier: usize) -> usize {
        let direction = u64::from(head < modifier);
        let pair = cross(views.of(head, View::Upos), views.of(modifier, View::Upos), 7 + direction);
        (pair >> 20) as usize % Self::PLACES
    }

    fn learn(&mut self, views: &Views, heads: &[u32]) {
        for (modifier, &head) in (1..).zip(heads) {
            let seen = &mut self.distances[Self::place(views, head as usize, modifier)];
            *seen = (*seen).max(modifier.abs_diff(head as usize) as u32);
        }
    }

    /// All heads within reach of each word and the word before it; all others for a word that has none within reach.
    pub(super) fn candidates(&self, views: &Views, candidates: &mut Candidates) {
        candidates.clear();
        for modifier in 1..=views.words() {
            let others = (0..=views.words() as u32).filter(|&head| head as usize != modifier);
            candidates.push(others.clone().filter(|&head| self.covers(views, head as usize, modifier)));
            let heads = candidates.of(modifier);
            let before = modifier as u32 - 1;
            if heads.is_empty() {
                candidates.extend_last(others);
            } else if !heads.contains(&before) {
                candidates.extend_last([before]);
            }
        }
    }

    /// Whether an arc is no longer than the longest seen arc of its kind.
    #[inline]
    fn covers(&self, views: &Views, head: usize, modifier: usize) -> bool {
        self.distances[Self::place(views, head, modifier)] as usize >= modifier.abs_diff(head)
    }
}

/// The light model.
#[derive(Clone, Debug)]
pub(super) struct Pruner {
    pub(super) reach: Reach,
    pub(super) weights: RoundedWeights,
    pub(super) bits: Bits,
}

/// Scratch memory for one sentence.
#[derive(Clone, Default, Debug)]
pub(super) struct Scratch {
    places: Vec<u32>,
    scores: Vec<f32>,
    /// The heads considered, and the end of their table positions.
    met: Vec<(u32, u32)>,
    order: Vec<u32>,
}

impl Pruner {
    /// The candidate heads; always including the previous word, so that there is a projective tree, and `gold` if
    /// given.
    pub(super) fn candidates(
        &self,
        views: &Views,
        config: &PruningConfig,
        gold: Option<&[u32]>,
        scratch: &mut Scratch,
        candidates: &mut Candidates,
    ) {
        candidates.clear();
        for modifier in 1..=views.words() {
            head_scores(views, modifier, &self.reach, self.bits, &self.weights, scratch);
            let Scratch { scores, order, .. } = &mut *scratch;
            order.clear();
            order.extend(
                (0..).zip(scores.iter()).filter(|(_, score)| score.is_finite()).map(|(head, _)| head),
            );
            let by_score =
                |a: &u32, b: &u32| scores[*b as usize].total_cmp(&scores[*a as usize]).then(a.cmp(b));
            let most = config.heads.max(1);
            if most < order.len() {
                order.select_nth_unstable_by(most - 1, by_score);
                order.truncate(most);
            }
            let best = order.iter().map(|&head| scores[head as usize]).fold(f32::NEG_INFINITY, f32::max);
            let least = best + config.ratio.ln();
            order.retain(|&head| scores[head as usize] >= least);
            let gold = gold.map(|gold| gold[modifier - 1]);
            for needed in [Some(modifier as u32 - 1), gold].into_iter().flatten() {
                if !order.contains(&needed) {
                    order.push(needed);
                }
            }
            candidates.push(order.iter().copied());
        }
    }
}

/// The scores of all heads of one word within reach, the root first; those of others are −∞. If none is within reach,
/// all are scored.
#[inline]
fn head_scores<T: Table + ?Sized>(
    views: &Views,
    modifier: usize,
    reach: &Reach,
    bits: Bits,
    weights: &T,
    scratch: &mut Scratch,
) {
    let Scratch { places, scores, met, .. } = scratch;
    scores.clear();
    scores.resize(views.words() + 1, f32::NEG_INFINITY);
    places.clear();
    met.clear();
    for covered in [true, false] {
        for_each_head(views, modifier, |head, between| {
            if reach.covers(views, head, modifier) == covered {
                let start = places.len();
                light(views, head, modifier, between, bits, places);
                weights.ask(one_per_line(&places[start..]));
                met.push((head as u32, places.len() as u32));
            }
        });
        if !met.is_empty() {
            break;
        }
    }
    let mut start = 0;
    for &(head, end) in met.iter() {
        scores[head as usize] = weights.sum(&places[start..end as usize]);
        start = end as usize;
    }
}

/// Calls `call` for every head with the bits of the tags between it and the word.
#[inline]
fn for_each_head(views: &Views, modifier: usize, mut call: impl FnMut(usize, u32)) {
    let mut between = 0;
    for head in (0..modifier).rev() {
        call(head, between);
        between |= views.tag_bits[head];
    }
    between = 0;
    for head in modifier + 1..=views.words() {
        call(head, between);
        between |= views.tag_bits[head];
    }
}

/// The pruner during training.
pub(super) struct PrunerTraining {
    reach: Reach,
    weights: Vec<f32>,
    /// Sums of squared gradients.
    squares: Vec<f32>,
    bits: Bits,
    scratch: Scratch,
}

/// The step size before AdaGrad scales it.
const RATE: f32 = 0.1;
/// Smaller gradients are ignored: most heads are out of the question after a few hundred sentences.
const LEAST_GRADIENT: f32 = 2e-3;

impl PrunerTraining {
    pub(super) fn new(bits: Bits) -> Self {
        Self {
            reach: Reach { distances: vec![0; Reach::PLACES] },
            weights: vec![0.0; bits.len()],
            squares: vec![1e-2; bits.len()],
            bits,
            scratch: Scratch::default(),
        }
    }

    /// Updates the distance table from one sentence. Must be called for all sentences first.
    pub(super) fn learn_reach(&mut self, views: &Views, gold: &[u32]) {
        self.reach.learn(views, gold);
    }

    /// Learns from one sentence with heads `gold`; returns the sum of their −log p.
    pub(super) fn learn(&mut self, views: &Views, gold: &[u32]) -> f64 {
        let mut loss = 0.0;
        for modifier in 1..=views.words() {
            head_scores(views, modifier, &self.reach, self.bits, &self.weights[..], &mut self.scratch);
            let Scratch { places, scores, .. } = &mut self.scratch;
            let best = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let mut total = 0.0;
            for score in scores.iter_mut() {
                *score = (*score - best).exp();
                total += *score;
            }
            let right = gold[modifier - 1] as usize;
            loss -= f64::from((scores[right] / total).max(f32::MIN_POSITIVE).ln());
            for_each_head(views, modifier, |head, between| {
                let gradient = scores[head] / total - f32::from(u8::from(head == right));
                if gradient.abs() < LEAST_GRADIENT {
                    return;
                }
                places.clear();
                light(views, head, modifier, between, self.bits, places);
                for &place in places.iter() {
                    let square = &mut self.squares[place as usize];
                    *square += gradient * gradient;
                    self.weights[place as usize] -= RATE * gradient / square.sqrt();
                }
            });
        }
        loss
    }

    pub(super) fn finish(self) -> Pruner {
        Pruner { reach: self.reach, weights: RoundedWeights::round(&self.weights), bits: self.bits }
    }
}
