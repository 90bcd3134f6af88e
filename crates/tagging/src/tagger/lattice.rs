//! The candidate labels of the words of a sentence, with sums and maxima over label sequences.
//!
//! ```text
//! α_i(y) = e_i(y) Σ_y' α_{i−1}(y') exp τ(y', y)        β_i(y) = Σ_y' exp τ(y, y') e_{i+1}(y') β_{i+1}(y')
//! p(y_i = y | x) = α_i(y) β_i(y) / Z
//! ```
//!
//! `e_i(y)` is the exponential of the word's score. Each α_i is divided by its sum, so that nothing leaves the range of
//! `f32`; the logarithms of these sums and of the largest `e_i` give log Z.

use super::transitions::Steps;

/// The candidates of all words of a sentence, for one layer of labels.
#[derive(Clone, Debug, Default)]
pub(super) struct Lattice {
    /// The candidates of word `i` are `starts[i]..starts[i + 1]`.
    starts: Vec<usize>,
    labels: Vec<u16>,
    scores: Vec<f32>,
    /// Exponentials of the scores minus the largest one of the word.
    powers: Vec<f32>,
    forward: Vec<f32>,
    backward: Vec<f32>,
    /// The matrix of steps into word `i` starts at `matrices[i]`: one row per candidate of the word before, one column
    /// per candidate of the word. Into the first word there is one row, and out of the last word one column.
    matrices: Vec<usize>,
    /// τ of all steps, and their exponentials.
    steps: Vec<f32>,
    step_powers: Vec<f32>,
    /// The values of the candidates of two neighbouring words for each factor of the transitions.
    from: Vec<u16>,
    to: Vec<u16>,
    /// For Viterbi: the best score up to here, and the previous candidate.
    best: Vec<f32>,
    before: Vec<u32>,
}

impl Lattice {
    pub(super) fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.labels.clear();
        self.scores.clear();
    }

    /// Adds a candidate of the current word.
    pub(super) fn candidate(&mut self, label: u16, score: f32) {
        self.labels.push(label);
        self.scores.push(score);
    }

    /// Ends the current word, which must have a candidate.
    pub(super) fn end_word(&mut self) {
        self.starts.push(self.labels.len());
    }

    /// Takes the transitions between all candidates of neighbouring words, before sums and maxima.
    pub(super) fn connect(&mut self, transitions: &impl Steps) {
        let Self { starts, labels, matrices, steps, from, to, .. } = self;
        matrices.clear();
        steps.clear();
        let (words, factors) = (starts.len().saturating_sub(1), transitions.factors());
        if words == 0 {
            return;
        }
        from.clear();
        from.extend((0..factors).map(|factor| transitions.value(factor, None)));
        for word in 0..=words {
            let own = labels.get(starts[word]..starts.get(word + 1).copied().unwrap_or(usize::MAX));
            let width = own.map_or(1, <[u16]>::len);
            // The values of the candidates, factor by factor, are looked up once and not for each pair.
            to.clear();
            for factor in 0..factors {
                match own {
                    Some(own) => to.extend(own.iter().map(|&label| transitions.value(factor, Some(label)))),
                    None => to.push(transitions.value(factor, None)),
                }
            }
            matrices.push(steps.len());
            let before = from.len() / factors.max(1);
            for one in 0..before {
                let start = steps.len();
                steps.resize(start + width, 0.0);
                let row = &mut steps[start..];
                for factor in 0..factors {
                    let weights = transitions.row(factor, from[factor * before + one]);
                    let values = &to[factor * width..][..width];
                    row.iter_mut()
                        .zip(values)
                        .for_each(|(step, &value)| *step += weights[usize::from(value)]);
                }
            }
            std::mem::swap(from, to);
        }
    }

    /// Multiplies all scores and transitions by a number, after [`connect`](Self::connect): the best sequences stay the
    /// same, the probabilities get nearer to each other if it is below 1.
    pub(super) fn temper(&mut self, by: f32) {
        self.scores.iter_mut().chain(&mut self.steps).for_each(|score| *score *= by);
    }

    /// The row of steps from a candidate, given by its place among those of the word before.
    #[inline]
    fn row<'l>(&self, list: &'l [f32], word: usize, from: usize) -> &'l [f32] {
        let width = match word + 1 < self.starts.len() {
            true => self.starts[word + 1] - self.starts[word],
            false => 1,
        };
        &list[self.matrices[word] + from * width..][..width]
    }

    pub(super) fn words(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub(super) fn labels_of(&self, word: usize) -> &[u16] {
        &self.labels[self.starts[word]..self.starts[word + 1]]
    }

    /// The probabilities of the candidates of a word, after [`sum`](Self::sum).
    pub(super) fn marginals_of(&self, word: usize) -> &[f32] {
        &self.forward[self.starts[word]..self.starts[word + 1]]
    }

    /// Calls `pair` with neighbouring labels and the probability of the pair, after [`sum`](Self::sum). The ends of the
    /// sentence are the label `None`.
    pub(super) fn pair_marginals(&self, mut pair: impl FnMut(Option<u16>, Option<u16>, f32)) {
        let words = self.words();
        if words == 0 {
            return;
        }
        for (&label, &marginal) in self.labels_of(0).iter().zip(self.marginals_of(0)) {
            pair(None, Some(label), marginal);
        }
        for word in 1..words {
            let (left, right) =
                (self.starts[word - 1]..self.starts[word], self.starts[word]..self.starts[word + 1]);
            // p(y', y) = p(y') exp τ(y', y) e(y) β(y) / Σ_y'' of the same.
            for (place, from) in left.enumerate() {
                let marginal = self.forward[from];
                if marginal < NEGLIGIBLE {
                    continue;
                }
                let row = self.row(&self.step_powers, word, place);
                let flow = |to: usize| row[to - right.start] * self.powers[to] * self.backward[to];
                let total: f32 = right.clone().map(flow).sum();
                if total > 0.0 {
                    for to in right.clone() {
                        pair(Some(self.labels[from]), Some(self.labels[to]), marginal * flow(to) / total);
                    }
                }
            }
        }
        for (&label, &marginal) in self.labels_of(words - 1).iter().zip(self.marginals_of(words - 1)) {
            pair(Some(label), None, marginal);
        }
    }

    /// Computes the marginals and log Z (forward–backward), after [`connect`](Self::connect).
    pub(super) fn sum(&mut self) -> f64 {
        let (words, all) = (self.words(), self.labels.len());
        self.step_powers.clear();
        self.step_powers.extend(self.steps.iter().map(|step| step.exp()));
        for list in [&mut self.powers, &mut self.forward, &mut self.backward] {
            list.clear();
            list.resize(all, 0.0);
        }
        let mut log_total = 0.0f64;
        for word in 0..words {
            let range = self.starts[word]..self.starts[word + 1];
            let most = self.scores[range.clone()].iter().copied().fold(f32::NEG_INFINITY, f32::max);
            log_total += f64::from(most);
            for at in range.clone() {
                self.powers[at] = (self.scores[at] - most).exp();
            }
            let width = range.len();
            let (done, own) = self.forward.split_at_mut(range.start);
            let own = &mut own[..width];
            let rows = self.step_powers[self.matrices[word]..].chunks_exact(width.max(1));
            match word {
                0 => rows.take(1).for_each(|row| own.copy_from_slice(row)),
                _ => {
                    for (before, row) in done[self.starts[word - 1]..].iter().zip(rows) {
                        own.iter_mut().zip(row).for_each(|(value, step)| *value += before * step);
                    }
                }
            }
            let mut total = 0.0;
            for (value, power) in own.iter_mut().zip(&self.powers[range.clone()]) {
                *value *= power;
                total += *value;
            }
            log_total += self.normalise(range, total);
        }
        let Some(last) = words.checked_sub(1) else { return 0.0 };
        let mut end = 0.0f32;
        for (place, at) in (self.starts[last]..self.starts[last + 1]).enumerate() {
            self.backward[at] = self.step_powers[self.matrices[words] + place];
            end += self.forward[at] * self.backward[at];
        }
        log_total += f64::from(end.max(f32::MIN_POSITIVE).ln());
        for word in (0..last).rev() {
            let mut largest = 0.0f32;
            for (place, at) in (self.starts[word]..self.starts[word + 1]).enumerate() {
                let next = self.starts[word + 1]..self.starts[word + 2];
                let row = self.row(&self.step_powers, word + 1, place).iter();
                let sum: f32 =
                    row.zip(next).map(|(step, to)| step * self.powers[to] * self.backward[to]).sum();
                self.backward[at] = sum;
                largest = largest.max(sum);
            }
            let scale = if largest > 0.0 { largest.recip() } else { 0.0 };
            self.backward[self.starts[word]..self.starts[word + 1]]
                .iter_mut()
                .for_each(|value| *value *= scale);
        }
        for word in 0..words {
            let range = self.starts[word]..self.starts[word + 1];
            let total: f32 = range.clone().map(|at| self.forward[at] * self.backward[at]).sum();
            let share = 1.0 / range.len() as f32;
            for at in range {
                let product = self.forward[at] * self.backward[at];
                self.forward[at] = if total > 0.0 { product / total } else { share };
            }
        }
        log_total
    }

    /// Divides the forward values of a word by their sum. If no label is reachable, all are treated as reachable.
    fn normalise(&mut self, range: std::ops::Range<usize>, total: f32) -> f64 {
        if total > 0.0 {
            self.forward[range].iter_mut().for_each(|value| *value /= total);
            return f64::from(total.ln());
        }
        let share = 1.0 / range.len() as f32;
        self.forward[range].fill(share);
        f64::from(f32::MIN_POSITIVE.ln())
    }

    /// Writes the best sequence to `best` and returns its score, after [`connect`](Self::connect).
    pub(super) fn decode(&mut self, best: &mut Vec<u16>) -> f32 {
        best.clear();
        let words = self.words();
        let Some(last) = words.checked_sub(1) else { return 0.0 };
        self.best.clear();
        self.before.clear();
        self.best.resize(self.labels.len(), f32::NEG_INFINITY);
        self.before.resize(self.labels.len(), 0);
        for word in 0..words {
            let range = self.starts[word]..self.starts[word + 1];
            let (done, own) = self.best.split_at_mut(range.start);
            let own = &mut own[..range.len()];
            let rows = self.steps[self.matrices[word]..].chunks_exact(range.len().max(1));
            match word {
                0 => rows.take(1).for_each(|row| own.copy_from_slice(row)),
                _ => {
                    let befores = &mut self.before[range.clone()];
                    let first = self.starts[word - 1];
                    for ((from, reached), row) in (first..).zip(&done[first..]).zip(rows) {
                        for ((best, before), step) in own.iter_mut().zip(befores.iter_mut()).zip(row) {
                            // Ties go to the first.
                            if reached + step > *best {
                                (*best, *before) = (reached + step, from as u32);
                            }
                        }
                    }
                }
            }
            own.iter_mut().zip(&self.scores[range]).for_each(|(best, score)| *best += score);
        }
        let ends = (self.starts[last]..self.starts[words])
            .zip(&self.steps[self.matrices[words]..])
            .map(|(at, step)| (at, self.best[at] + step));
        let (mut at, score) = first_best(ends);
        for _ in 0..words {
            best.push(self.labels[at]);
            at = self.before[at] as usize;
        }
        best.reverse();
        score
    }

    /// Writes the best label of each word after that of the word before, after [`connect`](Self::connect). That label is the
    /// one in `right`, which must be a candidate, where this is given, and the one just chosen otherwise.
    pub(super) fn decode_greedily(&self, right: Option<&[u16]>, best: &mut Vec<u16>) {
        best.clear();
        let words = self.words();
        let mut before = 0;
        for word in 0..words {
            let (labels, scores) = (self.labels_of(word), &self.scores[self.starts[word]..]);
            let steps = self.row(&self.steps, word, before).iter().zip(scores);
            let scored = steps.enumerate().map(|(place, (step, score))| match word + 1 < words {
                true => (place, step + score),
                // The last word also takes the step to the end of the sentence.
                false => (place, step + score + self.row(&self.steps, words, place)[0]),
            });
            let (chosen, _) = first_best(scored);
            best.push(labels[chosen]);
            let right = right.and_then(|right| labels.iter().position(|label| *label == right[word]));
            before = right.unwrap_or(chosen);
        }
    }

    /// The `most` best sequences with their scores, best first, after [`connect`](Self::connect).
    pub(super) fn decode_best(&self, most: usize) -> Vec<(Vec<u16>, f32)> {
        let words = self.words();
        let Some(last) = words.checked_sub(1) else { return vec![(Vec::new(), 0.0)] };
        // For each candidate, the best ways to reach it: score, previous candidate, its rank there.
        let mut ways: Vec<Vec<(f32, u32, u32)>> = Vec::with_capacity(self.labels.len());
        let keep = |mut list: Vec<(f32, u32, u32)>| {
            list.sort_by(|one, other| {
                other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)).then(one.2.cmp(&other.2))
            });
            list.truncate(most);
            list
        };
        for word in 0..words {
            for (place, at) in (self.starts[word]..self.starts[word + 1]).enumerate() {
                let own = self.scores[at];
                let list = match word {
                    0 => vec![(self.steps[place] + own, 0, 0)],
                    _ => (self.starts[word - 1]..self.starts[word])
                        .enumerate()
                        .flat_map(|(row, from)| {
                            let step = self.row(&self.steps, word, row)[place] + own;
                            let ranked = ways[from].iter().enumerate();
                            ranked.map(move |(rank, way)| (way.0 + step, from as u32, rank as u32))
                        })
                        .collect(),
                };
                ways.push(keep(list));
            }
        }
        let mut ends: Vec<(f32, u32, u32)> = Vec::new();
        for (at, ways) in ways.iter().enumerate().skip(self.starts[last]) {
            let step = self.steps[self.matrices[words] + at - self.starts[last]];
            let ranked = ways.iter().enumerate();
            ends.extend(ranked.map(|(rank, way)| (way.0 + step, at as u32, rank as u32)));
        }
        let trace = |(score, mut at, mut rank): (f32, u32, u32)| {
            let mut labels = Vec::with_capacity(words);
            for _ in 0..words {
                labels.push(self.labels[at as usize]);
                let way = ways[at as usize][rank as usize];
                (at, rank) = (way.1, way.2);
            }
            labels.reverse();
            (labels, score)
        };
        keep(ends).into_iter().map(trace).collect()
    }
}

/// Pairs whose left label is less probable are skipped.
const NEGLIGIBLE: f32 = 1e-5;

/// The best item with its score; ties go to the first.
fn first_best(scored: impl Iterator<Item = (usize, f32)>) -> (usize, f32) {
    scored.fold((0, f32::NEG_INFINITY), |best, one| if one.1 > best.1 { one } else { best })
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::transitions::Transitions;
    use super::*;

    /// A lattice and transitions with random scores, some words with few candidates.
    fn random(rng: &mut ChaCha8Rng, words: usize, labels: u16) -> (Lattice, Transitions) {
        let mut transitions = Transitions::new(usize::from(labels));
        transitions.change(|_, _, weight| *weight = rng.random_range(-2.0..2.0));
        let mut lattice = Lattice::default();
        lattice.clear();
        for _ in 0..words {
            let first = rng.random_range(0..labels);
            for label in first..labels {
                lattice.candidate(label, rng.random_range(-3.0..3.0));
            }
            lattice.end_word();
        }
        lattice.connect(&transitions);
        (lattice, transitions)
    }

    fn step(transitions: &Transitions, from: Option<u16>, to: Option<u16>) -> f32 {
        transitions.weights()[transitions.cell(from, to)]
    }

    /// All sequences with their scores.
    fn enumerate(lattice: &Lattice, transitions: &Transitions) -> Vec<(Vec<u16>, f64)> {
        let mut all = vec![(Vec::new(), 0.0f64)];
        for word in 0..lattice.words() {
            let mut longer = Vec::new();
            for (labels, score) in &all {
                for (&label, at) in lattice.labels_of(word).iter().zip(lattice.starts[word]..) {
                    let step = step(transitions, labels.last().copied(), Some(label)) + lattice.scores[at];
                    let mut labels: Vec<u16> = labels.clone();
                    labels.push(label);
                    longer.push((labels, score + f64::from(step)));
                }
            }
            all = longer;
        }
        for (labels, score) in &mut all {
            *score += f64::from(step(transitions, labels.last().copied(), None));
        }
        all.sort_by(|one, other| other.1.total_cmp(&one.1));
        all
    }

    #[test]
    fn sums_and_maxima_are_those_of_all_sequences() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for round in 0..60 {
            let (mut lattice, transitions) = random(&mut rng, 1 + round % 5, 2 + (round % 3) as u16);
            let all = enumerate(&lattice, &transitions);
            let mut best = Vec::new();
            let score = lattice.decode(&mut best);
            assert_eq!(best, all[0].0);
            assert!((f64::from(score) - all[0].1).abs() < 1e-4);
            let list = lattice.decode_best(7);
            assert_eq!(list.len(), all.len().min(7));
            for (one, other) in list.iter().zip(&all) {
                assert!((f64::from(one.1) - other.1).abs() < 1e-4);
            }
            let total: f64 = all.iter().map(|(_, score)| score.exp()).sum();
            let log_total = lattice.sum();
            assert!((log_total - total.ln()).abs() < 1e-4, "{log_total} {}", total.ln());
            let mut pairs = std::collections::BTreeMap::new();
            lattice.pair_marginals(|one, other, p| *pairs.entry((one, other)).or_insert(0.0) += f64::from(p));
            let mut expected = std::collections::BTreeMap::new();
            for (labels, score) in &all {
                let p = score.exp() / total;
                let ends = [None].into_iter().chain(labels.iter().map(|&label| Some(label))).chain([None]);
                for (one, other) in ends.clone().zip(ends.skip(1)) {
                    *expected.entry((one, other)).or_insert(0.0) += p;
                }
            }
            for (pair, p) in expected {
                assert!((pairs.get(&pair).copied().unwrap_or(0.0) - p).abs() < 1e-3, "{pair:?}");
            }
            for word in 0..lattice.words() {
                for (at, &label) in lattice.labels_of(word).iter().enumerate() {
                    let p: f64 = all
                        .iter()
                        .filter(|(labels, _)| labels[word] == label)
                        .map(|(_, score)| score.exp() / total)
                        .sum();
                    assert!((f64::from(lattice.marginals_of(word)[at]) - p).abs() < 1e-4);
                }
            }
        }
    }

    #[test]
    fn greedy_labels_are_the_best_after_the_label_before() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (mut behind, mut tries) = (0, 0);
        for words in 1..7 {
            let (mut lattice, transitions) = random(&mut rng, words, 4);
            lattice.connect(&transitions);
            let score = |word: usize, before: Option<u16>, label: u16| {
                let place = lattice.labels_of(word).iter().position(|own| *own == label).unwrap();
                let end = if word + 1 == words { step(&transitions, Some(label), None) } else { 0.0 };
                lattice.scores[lattice.starts[word] + place] + step(&transitions, before, Some(label)) + end
            };
            let right: Vec<u16> = (0..words).map(|word| lattice.labels_of(word)[0]).collect();
            let mut best = Vec::new();
            for history in [None, Some(&right[..])] {
                lattice.decode_greedily(history, &mut best);
                for (word, &chosen) in best.iter().enumerate() {
                    let before = word.checked_sub(1).map(|before| history.unwrap_or(&best)[before]);
                    for &other in lattice.labels_of(word) {
                        assert!(score(word, before, other) <= score(word, before, chosen));
                    }
                }
            }
            lattice.decode_greedily(None, &mut best);
            let greedy: f32 = (0..words)
                .map(|word| score(word, word.checked_sub(1).map(|before| best[before]), best[word]))
                .sum();
            let viterbi = lattice.decode(&mut best);
            assert!(greedy <= viterbi + 1e-4, "{greedy} {viterbi}");
            (behind, tries) = (behind + usize::from(greedy < viterbi - 1e-4), tries + 1);
        }
        assert!(0 < behind && behind < tries, "greedy and best sequences differ in some lattices only");
    }

    /// The derivative of log Z with respect to a score is the probability of its label; with respect to a transition,
    /// that of the pair.
    #[test]
    fn marginals_are_slopes() {
        const STEP: f32 = 0.02;
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        for _ in 0..20 {
            let (mut lattice, transitions) = random(&mut rng, 4, 3);
            lattice.sum();
            let marginals = lattice.forward.clone();
            let mut pairs = vec![0.0; transitions.weights().len()];
            lattice.pair_marginals(|from, to, p| pairs[transitions.cell(from, to)] += p);
            for (at, marginal) in marginals.into_iter().enumerate() {
                let total = |change: f32| {
                    let mut other = lattice.clone();
                    other.scores[at] += change;
                    other.sum()
                };
                let slope = (total(STEP) - total(-STEP)) / f64::from(2.0 * STEP);
                assert!((slope - f64::from(marginal)).abs() < 2e-3, "{slope} {marginal}");
            }
            for (cell, pair) in pairs.into_iter().enumerate() {
                let mut total = |change: f32| {
                    let mut other = transitions.clone();
                    other.set(cell, other.weights()[cell] + change);
                    lattice.connect(&other);
                    lattice.sum()
                };
                let slope = (total(STEP) - total(-STEP)) / f64::from(2.0 * STEP);
                assert!((slope - f64::from(pair)).abs() < 2e-3, "{slope} {pair}");
            }
        }
    }

    #[test]
    fn long_sentences_stay_in_range() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let (mut lattice, _) = random(&mut rng, 20_000, 4);
        assert!(lattice.sum().is_finite());
        assert!((0..20_000).all(|word| (lattice.marginals_of(word).iter().sum::<f32>() - 1.0).abs() < 1e-3));
    }
}
