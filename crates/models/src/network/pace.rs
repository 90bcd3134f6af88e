//! How many words a step of learning has, and how long it is.

use std::ops::RangeInclusive;

use super::adam::Step;
use super::random::Random;

/// Words per step: few in a small treebank, so that there are enough steps.
const BATCH: RangeInclusive<u64> = 32..=256;
/// Number of steps, as far as [`BATCH`] allows it.
const STEPS: u64 = 6400;

/// The course of learning from a known number of words.
#[derive(Clone, Debug)]
pub struct Pace {
    /// The size of the first step.
    rate: f32,
    steps: u64,
    /// The number of words to be learnt from in all, and so far.
    work: u64,
    done: u64,
}

impl Pace {
    /// Steps of a size that falls from `rate` to 0 over this many words.
    pub fn new(rate: f32, work: u64) -> Self {
        Self { rate, steps: 0, work, done: 0 }
    }

    /// The number of words after which a batch is full.
    pub fn batch_words(&self) -> usize {
        (self.work / STEPS).clamp(*BATCH.start(), *BATCH.end()) as usize
    }

    /// The next step, which learns from this many words.
    pub fn step(&mut self, words: usize) -> Step {
        self.steps += 1;
        let left = 1.0 - self.done as f32 / self.work.max(1) as f32;
        self.done += words as u64;
        Step::new(self.rate * left.max(0.0), self.steps)
    }
}

/// First weights: random for tables with this number of inputs, 0 for the others.
pub fn first_weights<const N: usize>(
    lengths: [usize; N],
    inputs: [Option<usize>; N],
    random: &mut Random,
) -> [Vec<f32>; N] {
    let mut tables = lengths.map(|length| vec![0.0; length]);
    for (table, inputs) in tables.iter_mut().zip(inputs) {
        let bound = inputs.map_or(0.0, |inputs| (6.0 / inputs as f32).sqrt());
        table.iter_mut().for_each(|value| *value = bound * (2.0 * random.uniform() - 1.0));
    }
    tables
}
