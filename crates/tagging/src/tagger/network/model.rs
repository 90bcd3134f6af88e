//! Learnt networks, and the scores of a sentence.

use super::super::facts::Facts;
use super::inputs::rows;
use super::layers::{Shape, Weights};
use models::log_linear::RoundedWeights;
use models::network::kernels::{Packed, add, dot, transpose, zeros};
use models::network::window::{REACH, WINDOW, fill_windows};

/// Networks whose scores are averaged.
#[derive(Clone, Debug)]
pub(in super::super) struct Networks {
    pub(super) members: Vec<Network>,
    /// Weight of their mean beside the scores of features.
    pub(super) weight: f32,
}

/// A learnt network.
#[derive(Clone, Debug)]
pub(in super::super) struct Network {
    pub(super) shape: Shape,
    pub(super) embeddings: RoundedWeights,
    pub(super) weights: Weights,
    /// The blocks of the first layer side by side: one word's share in all windows that it is part of.
    window: Packed,
    second: Packed,
    parts: Packed,
    /// The weights of each part.
    of_parts: Vec<f32>,
}

/// Scratch memory of a sentence, and what was computed for it.
#[derive(Clone, Default, Debug)]
pub(in super::super) struct Scratch {
    first: Vec<f32>,
    windows: Vec<f32>,
    /// For each network, the hidden numbers of all words.
    hidden: Vec<Vec<f32>>,
    /// The hidden numbers of words whose parts are all scored, and these scores.
    open: Vec<f32>,
    scores: Vec<f32>,
    /// The sums of networks' scores of all parts, one row per open word.
    sums: Vec<f32>,
}

impl Networks {
    pub(in super::super) fn new(members: Vec<Network>, weight: f32) -> Self {
        Self { members, weight }
    }

    /// What sums of scores of features and networks are multiplied by. Both kinds of scores are those of models of the same
    /// labels, so that their sum is too sure of itself; their weighted mean is not.
    pub(in super::super) fn temperature(&self) -> f32 {
        1.0 / (1.0 + self.weight)
    }

    /// How many numbers a word has that do not depend on its neighbours.
    pub(in super::super) fn word_numbers(&self) -> usize {
        self.members.iter().map(|member| WINDOW * member.shape.hidden).sum()
    }

    /// Adds these numbers to a list.
    pub(in super::super) fn read_word(&self, facts: &Facts, numbers: &mut Vec<f32>) {
        self.members.iter().for_each(|member| member.read_word(facts, numbers));
    }

    /// Reads a sentence of words given by these numbers. `open` says of which words all parts are scored.
    pub(in super::super) fn read<'n>(
        &self,
        words: impl Iterator<Item = (&'n [f32], bool)> + Clone,
        scratch: &mut Scratch,
    ) {
        let Scratch { first, windows, hidden, open, scores, sums } = scratch;
        hidden.resize_with(self.members.len(), Vec::new);
        let mut start = 0;
        sums.clear();
        for (member, hidden) in self.members.iter().zip(hidden) {
            let width = WINDOW * member.shape.hidden;
            let shares = words.clone().map(|(numbers, _)| &numbers[start..start + width]);
            member.read(shares, first, windows, hidden);
            start += width;
            open.clear();
            for ((_, is_open), numbers) in words.clone().zip(hidden.chunks_exact(member.shape.hidden)) {
                if is_open {
                    open.extend_from_slice(numbers);
                }
            }
            scores.clear();
            for _ in 0..open.len() / member.shape.hidden {
                scores.extend_from_slice(&member.weights.part_bias);
            }
            member.parts.multiply(open, scores);
            sums.resize(scores.len(), 0.0);
            add(sums, scores);
        }
    }

    /// Adds the weighted scores of all parts to those of the open word with this number.
    pub(in super::super) fn add_all(&self, open: usize, scratch: &Scratch, scores: &mut [f32]) {
        let weight = self.weight / self.members.len() as f32;
        let own = &scratch.sums[open * scores.len()..];
        scores.iter_mut().zip(own).for_each(|(score, sum)| *score += weight * sum);
    }

    /// Adds the weighted scores of some parts to those of the word at a place.
    pub(in super::super) fn add_some(&self, at: usize, parts: &[u16], scratch: &Scratch, scores: &mut [f32]) {
        let weight = self.weight / self.members.len() as f32;
        for (member, numbers) in self.members.iter().zip(&scratch.hidden) {
            let hidden = member.shape.hidden;
            let own = &numbers[at * hidden..][..hidden];
            for part in parts.iter().map(|&part| usize::from(part)) {
                let score = dot(own, &member.of_parts[part * hidden..][..hidden]);
                scores[part] += weight * (score + member.weights.part_bias[part]);
            }
        }
    }
}

impl Network {
    pub(super) fn new(shape: Shape, embeddings: RoundedWeights, weights: Weights) -> Self {
        let Shape { embedded, hidden, parts, .. } = shape;
        let mut blocks = Vec::with_capacity(weights.window.len());
        for row in 0..embedded {
            for block in 0..WINDOW {
                blocks.extend_from_slice(&weights.window[(block * embedded + row) * hidden..][..hidden]);
            }
        }
        let mut of_parts = Vec::new();
        transpose(&weights.parts, parts, &mut of_parts);
        Self {
            shape,
            embeddings,
            window: Packed::of(&blocks, WINDOW * hidden),
            second: Packed::of(&weights.second, hidden),
            parts: Packed::of(&weights.parts, parts),
            of_parts,
            weights,
        }
    }

    /// Adds a word's share in all windows that it is part of.
    fn read_word(&self, facts: &Facts, numbers: &mut Vec<f32>) {
        let Shape { embedded, hidden, bits, characters, .. } = self.shape;
        let mut input = vec![0.0; embedded];
        rows(facts, bits, characters, |row| {
            let row = &self.embeddings.values[row as usize * embedded..][..embedded];
            for (sum, &value) in input.iter_mut().zip(row) {
                *sum += f32::from(value) * self.embeddings.step;
            }
        });
        let start = numbers.len();
        numbers.resize(start + WINDOW * hidden, 0.0);
        self.window.multiply(&input, &mut numbers[start..]);
    }

    /// Computes the hidden numbers of all words.
    fn read<'n>(
        &self,
        shares: impl Iterator<Item = &'n [f32]>,
        first: &mut Vec<f32>,
        windows: &mut Vec<f32>,
        numbers: &mut Vec<f32>,
    ) {
        let hidden = self.shape.hidden;
        first.clear();
        for (at, share) in shares.enumerate() {
            // The word is the last of the window of the word before the one before it, and so on.
            first.resize((at + 1 + REACH) * hidden, 0.0);
            for (block, share) in share.chunks_exact(hidden).enumerate() {
                if let Some(center) = (at + REACH).checked_sub(block) {
                    add(&mut first[center * hidden..][..hidden], share);
                }
            }
        }
        first.truncate(first.len().saturating_sub(REACH * hidden));
        for numbers in first.chunks_exact_mut(hidden) {
            let biased = numbers.iter_mut().zip(&self.weights.window_bias);
            biased.for_each(|(number, bias)| *number = (*number + bias).max(0.0));
        }
        zeros(windows, first.len() * WINDOW);
        fill_windows(first, hidden, windows);
        numbers.clear();
        for _ in 0..first.len() / hidden {
            numbers.extend_from_slice(&self.weights.second_bias);
        }
        self.second.multiply(windows, numbers);
        numbers.iter_mut().zip(first.iter()).for_each(|(number, below)| *number = number.max(0.0) + below);
    }
}
