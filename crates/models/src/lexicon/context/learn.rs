//! Learning the weights: AdaGrad on the log-likelihood of the labels.
//!
//! ```text
//! g = q(y | x, i) − [y is right]        for each feature of the token and each label that the feature was seen with
//! h(f, y) ← h(f, y) + g²,   θ(f, y) ← θ(f, y) − η g / √(h(f, y) + δ)
//! ```
//!
//! A token whose label is almost certain changes nothing and is not visited again: most of a treebank is learnt in one pass, and
//! the others take the time. The result is the mean of the weights after each of the later passes.

use super::super::ContextConfig;
use super::features::{Sentence, Template};
use super::key_table::KeyTable;
use super::model::ContextModel;

/// Labels to choose from, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct CandidateSet(pub(in super::super) u32);

/// A token to learn from; its features are `uses[start..]` up to those of the next one.
struct Example {
    label: u16,
    candidates: CandidateSet,
    start: usize,
}

/// θ(f, y) on its way.
#[derive(Clone, Copy)]
struct Entry {
    label: u32,
    weight: f32,
    /// h(f, y).
    squares: f32,
    /// Sum of the weights after the passes that count.
    sum: f32,
}

/// Slopes below this change no weight.
const NEGLIGIBLE: f32 = 1e-3;
/// Labels whose score is this much below the best have no probability.
const HOPELESS: f32 = 12.0;

/// Collects tokens, then learns from them.
pub(in super::super) struct ContextLearner {
    config: ContextConfig,
    table: KeyTable,
    names: Vec<u32>,
    counts: Vec<u32>,
    uses: Vec<u32>,
    examples: Vec<Example>,
}

impl ContextLearner {
    pub(in super::super) fn new(config: &ContextConfig) -> Self {
        Self {
            config: config.clone(),
            table: KeyTable::default(),
            names: Vec::new(),
            counts: Vec::new(),
            uses: Vec::new(),
            examples: Vec::new(),
        }
    }

    /// Adds a token with its label, which is one of the candidates.
    pub(in super::super) fn add(
        &mut self,
        sentence: Sentence<'_>,
        at: usize,
        template: Template,
        label: u16,
        candidates: CandidateSet,
    ) {
        self.examples.push(Example { label, candidates, start: self.uses.len() });
        let Self { table, names, counts, uses, .. } = self;
        sentence.features(at, template, |name| {
            let number = table.insert(name);
            if number == names.len() {
                names.push(name);
                counts.push(0);
            }
            counts[number] += 1;
            uses.push(number as u32);
        });
    }

    /// Learns. `sets` are the labels of each [`CandidateSet`]; labels are numbered below `labels`.
    pub(in super::super) fn learn(mut self, sets: &[Vec<u16>], labels: usize) -> ContextModel {
        self.drop_rare();
        let (starts, mut entries) = self.supported(labels);
        let passes = self.descend(sets, labels, &starts, &mut entries);
        finish(self.names, &starts, &entries, passes)
    }

    /// Keeps the features that were seen often enough, renumbered.
    fn drop_rare(&mut self) {
        let mut numbers: Vec<Option<u32>> = Vec::with_capacity(self.counts.len());
        let mut kept = 0;
        for (old, &count) in self.counts.iter().enumerate() {
            numbers.push((count >= self.config.least_count).then_some(kept as u32));
            if count >= self.config.least_count {
                self.names[kept] = self.names[old];
                kept += 1;
            }
        }
        self.names.truncate(kept);
        self.table = KeyTable::default();
        self.counts = Vec::new();
        let mut write = 0;
        for example in 0..self.examples.len() {
            let range = self.range(example);
            self.examples[example].start = write;
            for read in range {
                if let Some(number) = numbers[self.uses[read] as usize] {
                    self.uses[write] = number;
                    write += 1;
                }
            }
        }
        self.uses.truncate(write);
    }

    /// Where the features of an example stand. Reads the start of the next one, so that examples may be rewritten in order.
    fn range(&self, example: usize) -> std::ops::Range<usize> {
        let end = self.examples.get(example + 1).map_or(self.uses.len(), |next| next.start);
        self.examples[example].start..end
    }

    /// An entry for each feature and each label that it was seen with; entries of feature `f` are `starts[f]..starts[f + 1]`.
    fn supported(&self, labels: usize) -> (Vec<u32>, Vec<Entry>) {
        // The labels of each feature, by counting sort.
        let mut ends = vec![0u32; self.names.len() + 1];
        self.uses.iter().for_each(|&feature| ends[feature as usize + 1] += 1);
        for feature in 0..self.names.len() {
            ends[feature + 1] += ends[feature];
        }
        let mut seen = vec![0u16; self.uses.len()];
        let mut next = ends.clone();
        for (number, example) in self.examples.iter().enumerate() {
            for &feature in &self.uses[self.range(number)] {
                let at = &mut next[feature as usize];
                seen[*at as usize] = example.label;
                *at += 1;
            }
        }
        let mut starts = Vec::with_capacity(self.names.len() + 1);
        let mut entries: Vec<Entry> = Vec::new();
        let mut last = vec![u32::MAX; labels];
        for feature in 0..self.names.len() {
            let start = entries.len();
            starts.push(start as u32);
            for &label in &seen[ends[feature] as usize..ends[feature + 1] as usize] {
                if last[usize::from(label)] != feature as u32 {
                    last[usize::from(label)] = feature as u32;
                    entries.push(Entry { label: u32::from(label), weight: 0.0, squares: 0.0, sum: 0.0 });
                }
            }
            entries[start..].sort_unstable_by_key(|entry| entry.label);
        }
        starts.push(entries.len() as u32);
        (starts, entries)
    }

    /// Changes the weights, and says how many passes their sums are of.
    fn descend(&self, sets: &[Vec<u16>], labels: usize, starts: &[u32], entries: &mut [Entry]) -> usize {
        let row = |feature: u32| starts[feature as usize] as usize..starts[feature as usize + 1] as usize;
        let mut order: Vec<u32> = (0..self.examples.len() as u32).collect();
        shuffle(&mut order);
        let mut slopes = vec![0.0f32; labels];
        let mut summed = 0;
        for pass in 0..self.config.passes {
            order.retain(|&number| {
                let example = &self.examples[number as usize];
                let features = &self.uses[self.range(number as usize)];
                slopes.fill(f32::NEG_INFINITY);
                let candidates = &sets[example.candidates.0 as usize];
                candidates.iter().for_each(|&label| slopes[usize::from(label)] = 0.0);
                for &feature in features {
                    entries[row(feature)]
                        .iter()
                        .for_each(|entry| slopes[entry.label as usize] += entry.weight);
                }
                to_probabilities(&mut slopes, candidates);
                let right = &mut slopes[usize::from(example.label)];
                *right -= 1.0;
                if *right > -self.config.certain {
                    return false;
                }
                for &feature in features {
                    for entry in &mut entries[row(feature)] {
                        let slope = slopes[entry.label as usize];
                        if slope.abs() > NEGLIGIBLE {
                            entry.squares += slope * slope;
                            entry.weight -=
                                self.config.rate * slope / (entry.squares + self.config.damping).sqrt();
                        }
                    }
                }
                true
            });
            if 2 * (pass + 1) >= self.config.passes {
                entries.iter_mut().for_each(|entry| entry.sum += entry.weight);
                summed += 1;
            }
        }
        summed
    }
}

/// Turns scores into probabilities, of labels other than the candidates into 0.
fn to_probabilities(scores: &mut [f32], candidates: &[u16]) {
    let best = candidates.iter().map(|&label| scores[usize::from(label)]).fold(f32::NEG_INFINITY, f32::max);
    let mut total = 0.0;
    for score in scores.iter_mut() {
        *score = if *score > best - HOPELESS { (*score - best).exp() } else { 0.0 };
        total += *score;
    }
    scores.iter_mut().for_each(|score| *score /= total);
}

/// A fixed permutation, so that neighbouring examples are not of one text.
fn shuffle(order: &mut [u32]) {
    let mut state = 1u64;
    for at in (1..order.len()).rev() {
        // The multiplier and increment of Knuth's linear congruential generator.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(at, (state >> 33) as usize % (at + 1));
    }
}

/// Rounds the mean weights to eight bits, and leaves out what rounds to nothing.
fn finish(names: Vec<u32>, starts: &[u32], entries: &[Entry], passes: usize) -> ContextModel {
    let largest = entries.iter().map(|entry| entry.sum.abs()).fold(0.0, f32::max);
    let step = largest / 127.0;
    let mean_step = step / passes.max(1) as f32;
    let mut model = ContextModel { starts: vec![0], step: mean_step, ..ContextModel::default() };
    for (name, range) in names.into_iter().zip(starts.windows(2)) {
        for entry in &entries[range[0] as usize..range[1] as usize] {
            let weight = (entry.sum / step).round() as i8;
            if weight != 0 {
                model.labels.push(entry.label as u16);
                model.weights.push(weight);
            }
        }
        if model.labels.len() as u32 > *model.starts.last().unwrap_or(&0) {
            model.names.push(name);
            model.starts.push(model.labels.len() as u32);
        }
    }
    model.index = KeyTable::with_capacity(model.names.len());
    model.names.iter().for_each(|&name| {
        model.index.insert(name);
    });
    model
}
