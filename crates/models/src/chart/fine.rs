//! Passes over what a mask leaves: inside, outside, Viterbi, max-rule.
//!
//! Cells with nothing left take no memory. The others hold a dense row over the fine phrases, so that a rule finds its
//! children by index, and the list of those that are allowed.

use super::emissions::Emissions;
use super::grammar::ChartGrammar;
use super::range::{self, EMPTY, power_of_two};
use super::{Mask, Triangle};

/// What the numbers of an upward pass are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Semiring {
    /// Probabilities of all derivations together.
    Sum,
    /// Probability of the best derivation.
    Max,
}

/// What a tree is chosen for, given rule posteriors (Goodman 1996; Petrov and Klein 2007).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objective {
    /// The sum of the posteriors: the expected number of correct rules.
    RuleSum,
    /// Their product: all rules at once.
    RuleProduct,
}

impl Objective {
    #[inline]
    fn of(self, posterior: f32) -> f32 {
        match self {
            Objective::RuleSum => posterior,
            Objective::RuleProduct => posterior.ln(),
        }
    }
}

/// How a symbol was made over its span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Backpointer {
    /// The rule's id.
    pub rule: u32,
    /// Left child, numbered as a symbol (preterminals after phrases).
    pub left: u32,
    /// Right child, likewise.
    pub right: u32,
    /// Where the left child ends.
    pub split: usize,
}

const NO_ROW: u32 = u32::MAX;

/// Scratch memory and results of the fine passes; kept between sentences.
#[derive(Clone, Debug, Default)]
pub struct FineChart {
    triangle: Triangle,
    stride: usize,
    /// For each cell the number of its row, or [`NO_ROW`].
    rows: Vec<u32>,
    /// Phrases that a row may have: those of row `r` are `allowed[starts[r]..starts[r + 1]]`.
    allowed: Vec<u32>,
    starts: Vec<u32>,
    inside: Vec<f32>,
    outside: Vec<f32>,
    /// What max-rule decoding has gained so far.
    gain: Vec<f32>,
    exponents: Vec<i32>,
    /// Outside numbers of preterminals, parallel to the emissions.
    tag_outside: Vec<f32>,
    tag_row: Vec<f32>,
    sums: Vec<f32>,
    partition: f32,
    root_exponent: i32,
}

impl FineChart {
    /// The upward pass over the fine symbols that stand for the coarse ones in `mask`. `members` gives the fine phrases of
    /// each coarse phrase; `words` must hold allowed preterminals only. Returns the logarithm of the probability of the
    /// sentence (or of its best derivation), or `None` if nothing spans it.
    pub fn inside(
        &mut self,
        grammar: &ChartGrammar,
        words: &Emissions,
        mask: &Mask,
        members: &[Vec<u32>],
        semiring: Semiring,
    ) -> Option<f64> {
        self.reset(grammar, words, mask, members);
        match semiring {
            Semiring::Sum => self.fill(grammar, words, |sum, product| *sum += product),
            Semiring::Max => self.fill(grammar, words, |best, product| *best = best.max(product)),
        }
        let n = self.triangle.words();
        if n == 0 {
            return None;
        }
        let scores = self.root_scores(grammar, words);
        self.partition = match semiring {
            Semiring::Sum => scores.iter().map(|&(_, score)| score).sum(),
            Semiring::Max => scores.iter().map(|&(_, score)| score).fold(0.0, f32::max),
        };
        self.root_exponent = self.exponent(words, 0, n);
        (self.partition > 0.0).then(|| range::log(self.partition, self.root_exponent))
    }

    fn reset(&mut self, grammar: &ChartGrammar, words: &Emissions, mask: &Mask, members: &[Vec<u32>]) {
        self.triangle = mask.triangle();
        self.stride = grammar.phrases.max(1);
        self.rows.clear();
        self.rows.resize(self.triangle.len(), NO_ROW);
        self.allowed.clear();
        self.starts.clear();
        self.starts.push(0);
        for (start, end) in self.triangle.bottom_up(2) {
            let symbols = mask.symbols(start, end);
            if symbols.is_empty() {
                continue;
            }
            self.rows[self.triangle.cell(start, end)] = self.starts.len() as u32 - 1;
            for &symbol in symbols {
                self.allowed.extend_from_slice(&members[symbol as usize]);
            }
            self.starts.push(self.allowed.len() as u32);
        }
        let rows = self.starts.len() - 1;
        self.inside.clear();
        self.inside.resize(rows * self.stride, 0.0);
        self.exponents.clear();
        self.exponents.resize(rows, EMPTY);
        self.tag_row.clear();
        self.tag_row.resize(grammar.tags, 0.0);
        self.sums.clear();
        self.sums.resize(self.stride, 0.0);
        self.partition = 0.0;
        self.root_exponent = 0;
        debug_assert_eq!(words.words(), self.triangle.words());
    }

    /// The row of a span of two or more words, if it has one with something in it.
    #[inline]
    fn row(&self, start: usize, end: usize) -> Option<usize> {
        let row = self.rows[self.triangle.cell(start, end)];
        (row != NO_ROW && self.exponents[row as usize] != EMPTY).then_some(row as usize)
    }

    /// The exponent of a span, of whatever width; [`EMPTY`] if it holds nothing.
    #[inline]
    fn exponent(&self, words: &Emissions, start: usize, end: usize) -> i32 {
        if end == start + 1 {
            words.exponent(start)
        } else {
            self.row(start, end).map_or(EMPTY, |row| self.exponents[row])
        }
    }

    #[inline]
    fn allowed(&self, row: usize) -> &[u32] {
        &self.allowed[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// The split points at which both sides hold something, with the sum of their exponents.
    fn splits<'c>(
        &'c self,
        words: &'c Emissions,
        start: usize,
        end: usize,
    ) -> impl Iterator<Item = (usize, i32)> + 'c {
        (start + 1..end).filter_map(move |split| {
            let left = self.exponent(words, start, split);
            let right = self.exponent(words, split, end);
            (left != EMPTY && right != EMPTY).then(|| (split, left + right))
        })
    }

    #[inline(always)]
    fn fill(&mut self, grammar: &ChartGrammar, words: &Emissions, add: impl Fn(&mut f32, f32)) {
        let stride = self.stride;
        let mut sums = std::mem::take(&mut self.sums);
        let mut tag_row = std::mem::take(&mut self.tag_row);
        for (start, end) in self.triangle.bottom_up(2) {
            let row = self.rows[self.triangle.cell(start, end)];
            if row == NO_ROW {
                continue;
            }
            let row = row as usize;
            let Some(scale) = self.splits(words, start, end).map(|(_, exponent)| exponent).max() else {
                continue;
            };
            sums.fill(0.0);
            for (split, exponent) in self.splits(words, start, end) {
                let factor = power_of_two(exponent - scale);
                if factor == 0.0 {
                    continue;
                }
                match (split == start + 1, split + 1 == end) {
                    (true, true) => {
                        words.word(split).for_each(|(tag, value)| tag_row[tag] = value);
                        for (tag, value) in words.word(start) {
                            for entry in grammar.tag_tag.of(tag) {
                                let product = value * tag_row[entry.first as usize] * entry.weight * factor;
                                add(&mut sums[entry.second as usize], product);
                            }
                        }
                        words.word(split).for_each(|(tag, _)| tag_row[tag] = 0.0);
                    }
                    (true, false) => {
                        let Some(right) = self.row(split, end) else { continue };
                        let right = &self.inside[right * stride..][..stride];
                        for (tag, value) in words.word(start) {
                            for entry in grammar.tag_phrase.of(tag) {
                                let product = value * right[entry.first as usize] * entry.weight * factor;
                                add(&mut sums[entry.second as usize], product);
                            }
                        }
                    }
                    (false, true) => {
                        let Some(left) = self.row(start, split) else { continue };
                        let left = &self.inside[left * stride..][..stride];
                        for (tag, value) in words.word(split) {
                            for entry in grammar.phrase_tag.of(tag) {
                                let product = value * left[entry.first as usize] * entry.weight * factor;
                                add(&mut sums[entry.second as usize], product);
                            }
                        }
                    }
                    (false, false) => {
                        let (Some(left), Some(right)) = (self.row(start, split), self.row(split, end)) else {
                            continue;
                        };
                        let right_row = &self.inside[right * stride..][..stride];
                        for &phrase in self.allowed(left) {
                            let value = self.inside[left * stride + phrase as usize] * factor;
                            if value > 0.0 {
                                for entry in grammar.phrase_phrase.of(phrase as usize) {
                                    let product = value * right_row[entry.first as usize] * entry.weight;
                                    add(&mut sums[entry.second as usize], product);
                                }
                            }
                        }
                    }
                }
            }
            // Only what the mask allows is kept; the rest of the row stays 0.
            let allowed = &self.allowed[self.starts[row] as usize..self.starts[row + 1] as usize];
            let target = &mut self.inside[row * stride..][..stride];
            for &phrase in allowed {
                target[phrase as usize] = sums[phrase as usize];
            }
            let exponent = range::normalise(target);
            self.exponents[row] = if exponent == EMPTY { EMPTY } else { scale + exponent };
        }
        self.sums = sums;
        self.tag_row = tag_row;
    }

    /// The symbols that can be the root, with their scaled scores.
    fn root_scores(&self, grammar: &ChartGrammar, words: &Emissions) -> Vec<(u32, f32)> {
        let n = self.triangle.words();
        if n == 1 {
            return words
                .word(0)
                .map(|(tag, value)| {
                    ((grammar.phrases + tag) as u32, value * grammar.roots[grammar.phrases + tag])
                })
                .collect();
        }
        let Some(row) = self.row(0, n) else { return Vec::new() };
        let inside = &self.inside[row * self.stride..][..self.stride];
        self.allowed(row)
            .iter()
            .map(|&phrase| (phrase, inside[phrase as usize] * grammar.roots[phrase as usize]))
            .collect()
    }

    /// The downward pass, after an upward pass in [`Semiring::Sum`].
    pub fn outside(&mut self, grammar: &ChartGrammar, words: &Emissions) {
        let stride = self.stride;
        self.outside.clear();
        self.outside.resize(self.inside.len(), 0.0);
        self.tag_outside.clear();
        self.tag_outside.resize(words.tags.len(), 0.0);
        let n = self.triangle.words();
        if n == 1 {
            for (at, (tag, _)) in words.word(0).enumerate() {
                self.tag_outside[at] = grammar.roots[grammar.phrases + tag];
            }
        } else if let Some(row) = self.row(0, n) {
            for &phrase in &self.allowed[self.starts[row] as usize..self.starts[row + 1] as usize] {
                self.outside[row * stride + phrase as usize] = grammar.roots[phrase as usize];
            }
        }
        for (start, end) in self.triangle.top_down(2) {
            self.for_each_rule(grammar, words, start, end, |chart, item| {
                let above = chart.outside[item.parent] * item.weight;
                if above > 0.0 {
                    match item.left {
                        Place::Phrase(at) => chart.outside[at] += above * item.right_value,
                        Place::Tag(at) => chart.tag_outside[at] += above * item.right_value,
                    }
                    match item.right {
                        Place::Phrase(at) => chart.outside[at] += above * item.left_value,
                        Place::Tag(at) => chart.tag_outside[at] += above * item.left_value,
                    }
                }
            });
        }
    }

    /// The posterior of a phrase in a span of two or more words, after an outside pass.
    pub fn posterior(&self, phrase: usize, start: usize, end: usize) -> f32 {
        self.row(start, end).map_or(0.0, |row| {
            let at = row * self.stride + phrase;
            self.inside[at] * self.outside[at] / self.partition
        })
    }

    /// The posteriors of the preterminals of a word, after an outside pass.
    pub fn tag_posteriors<'c>(
        &'c self,
        words: &'c Emissions,
        position: usize,
    ) -> impl Iterator<Item = (usize, f32)> + 'c {
        let outside = &self.tag_outside[words.range(position)];
        words
            .word(position)
            .zip(outside)
            .map(|((tag, value), outside)| (tag, value * outside / self.partition))
    }

    /// For each symbol of each span the best sum (or sum of logarithms) of rule posteriors below it, after an outside pass.
    pub fn max_rule(&mut self, grammar: &ChartGrammar, words: &Emissions, objective: Objective) {
        self.gain.clear();
        self.gain.resize(self.inside.len(), f32::NEG_INFINITY);
        for (start, end) in self.triangle.bottom_up(2) {
            self.for_each_rule(grammar, words, start, end, |chart, item| {
                let gain = chart.gain_of(&item, words, objective);
                let best = &mut chart.gain[item.parent];
                *best = best.max(gain);
            });
        }
    }

    /// What a rule gains with the best of what is below it.
    #[inline(always)]
    fn gain_of(&self, item: &Item, words: &Emissions, objective: Objective) -> f32 {
        let posterior =
            self.outside[item.parent] * item.weight * item.left_value * item.right_value / self.partition;
        let below = |place: Place| match place {
            Place::Phrase(at) => self.gain[at],
            Place::Tag(at) => objective.of(words.values[at] * self.tag_outside[at] / self.partition),
        };
        objective.of(posterior) + below(item.left) + below(item.right)
    }

    /// The best root for max-rule decoding.
    pub fn best_gaining_root(&self, grammar: &ChartGrammar, words: &Emissions) -> Option<u32> {
        let n = self.triangle.words();
        if n == 1 {
            return best(self.root_scores(grammar, words).into_iter());
        }
        let row = self.row(0, n)?;
        let candidates = self.allowed(row).iter().filter(|&&phrase| grammar.roots[phrase as usize] > 0.0);
        best(candidates.map(|&phrase| (phrase, self.gain[row * self.stride + phrase as usize])))
    }

    /// The best root for the upward pass that was run last.
    pub fn best_root(&self, grammar: &ChartGrammar, words: &Emissions) -> Option<u32> {
        best(self.root_scores(grammar, words).into_iter())
    }

    /// The symbol (preterminals after phrases) with the largest upward score in a span, and the score's logarithm.
    pub fn best_symbol(
        &self,
        grammar: &ChartGrammar,
        words: &Emissions,
        start: usize,
        end: usize,
    ) -> Option<(u32, f64)> {
        let scored: Vec<(u32, f32)> = if end == start + 1 {
            words.word(start).map(|(tag, value)| ((grammar.phrases + tag) as u32, value)).collect()
        } else {
            let row = self.row(start, end)?;
            let inside = &self.inside[row * self.stride..][..self.stride];
            self.allowed(row).iter().map(|&phrase| (phrase, inside[phrase as usize])).collect()
        };
        let symbol = best(scored.iter().copied())?;
        let value = scored.iter().find(|&&(s, _)| s == symbol)?.1;
        (value > 0.0).then(|| (symbol, range::log(value, self.exponent(words, start, end))))
    }

    /// All ways to make `parent` over `start..end` with their scaled inside scores.
    pub(super) fn ways<'c>(
        &'c self,
        grammar: &'c ChartGrammar,
        words: &'c Emissions,
        parent: u32,
        start: usize,
        end: usize,
    ) -> impl Iterator<Item = (Backpointer, f32)> + 'c {
        let scale = self.exponent(words, start, end);
        self.splits(words, start, end).flat_map(move |(split, exponent)| {
            let factor = if scale == EMPTY { 0.0 } else { power_of_two(exponent - scale) };
            grammar.by_parent.of(parent as usize).iter().filter_map(move |entry| {
                let left = self.value(grammar, words, entry.first, start, split);
                let right = self.value(grammar, words, entry.second, split, end);
                let score = left * right * entry.weight * factor;
                let way = Backpointer { rule: entry.rule, left: entry.first, right: entry.second, split };
                (score > 0.0).then_some((way, score))
            })
        })
    }

    /// The scaled upward score of a symbol (preterminals after phrases) in a span.
    fn value(&self, grammar: &ChartGrammar, words: &Emissions, symbol: u32, start: usize, end: usize) -> f32 {
        match (symbol as usize).checked_sub(grammar.phrases) {
            None if end > start + 1 => {
                self.row(start, end).map_or(0.0, |row| self.inside[row * self.stride + symbol as usize])
            }
            Some(tag) if end == start + 1 => {
                words.word(start).find(|&(t, _)| t == tag).map_or(0.0, |(_, value)| value)
            }
            _ => 0.0,
        }
    }

    /// The best way to make `parent` over `start..end`, after [`Semiring::Max`].
    pub fn best_way(
        &self,
        grammar: &ChartGrammar,
        words: &Emissions,
        parent: u32,
        start: usize,
        end: usize,
    ) -> Option<Backpointer> {
        let mut best: Option<(Backpointer, f32)> = None;
        for (way, score) in self.ways(grammar, words, parent, start, end) {
            if best.is_none_or(|(_, top)| score > top) {
                best = Some((way, score));
            }
        }
        best.map(|(way, _)| way)
    }

    /// The best way to make `parent` over `start..end`, after [`max_rule`](Self::max_rule).
    pub fn best_gaining_way(
        &self,
        grammar: &ChartGrammar,
        words: &Emissions,
        parent: u32,
        (start, end): (usize, usize),
        objective: Objective,
    ) -> Option<Backpointer> {
        let row = self.row(start, end)?;
        let outside = self.outside[row * self.stride + parent as usize];
        let gain =
            |symbol: u32, start: usize, end: usize| match (symbol as usize).checked_sub(grammar.phrases) {
                None => self.row(start, end).map(|row| self.gain[row * self.stride + symbol as usize]),
                Some(tag) => {
                    let (_, posterior) = self.tag_posteriors(words, start).find(|&(t, _)| t == tag)?;
                    Some(objective.of(posterior))
                }
            };
        let mut best: Option<(Backpointer, f32)> = None;
        for (way, score) in self.ways(grammar, words, parent, start, end) {
            let (Some(left), Some(right)) =
                (gain(way.left, start, way.split), gain(way.right, way.split, end))
            else {
                continue;
            };
            let total = objective.of(score * outside / self.partition) + left + right;
            if best.is_none_or(|(_, top)| total > top) {
                best = Some((way, total));
            }
        }
        best.map(|(way, _)| way)
    }

    /// Calls `visit` for every rule that makes a symbol of the span `start..end`, at every split point.
    #[inline(always)]
    fn for_each_rule(
        &mut self,
        grammar: &ChartGrammar,
        words: &Emissions,
        start: usize,
        end: usize,
        mut visit: impl FnMut(&mut Self, Item),
    ) {
        let stride = self.stride;
        let Some(row) = self.row(start, end) else { return };
        let base = row * stride;
        for split in start + 1..end {
            let (e_left, e_right) = (self.exponent(words, start, split), self.exponent(words, split, end));
            if e_left == EMPTY || e_right == EMPTY {
                continue;
            }
            let factor = power_of_two(e_left + e_right - self.exponents[row]);
            match (split == start + 1, split + 1 == end) {
                (true, true) => {
                    for (left_at, (left_tag, left_value)) in words.range(start).zip(words.word(start)) {
                        for entry in grammar.tag_tag.of(left_tag) {
                            for (right_at, (right_tag, right_value)) in
                                words.range(split).zip(words.word(split))
                            {
                                if right_tag == entry.first as usize {
                                    let item = Item {
                                        parent: base + entry.second as usize,
                                        weight: entry.weight * factor,
                                        left: Place::Tag(left_at),
                                        right: Place::Tag(right_at),
                                        left_value,
                                        right_value,
                                    };
                                    visit(self, item);
                                }
                            }
                        }
                    }
                }
                (true, false) => {
                    let Some(right_row) = self.row(split, end) else { continue };
                    for (left_at, (tag, left_value)) in words.range(start).zip(words.word(start)) {
                        for entry in grammar.tag_phrase.of(tag) {
                            let right = right_row * stride + entry.first as usize;
                            let right_value = self.inside[right];
                            if right_value > 0.0 {
                                let item = Item {
                                    parent: base + entry.second as usize,
                                    weight: entry.weight * factor,
                                    left: Place::Tag(left_at),
                                    right: Place::Phrase(right),
                                    left_value,
                                    right_value,
                                };
                                visit(self, item);
                            }
                        }
                    }
                }
                (false, true) => {
                    let Some(left_row) = self.row(start, split) else { continue };
                    for (right_at, (tag, right_value)) in words.range(split).zip(words.word(split)) {
                        for entry in grammar.phrase_tag.of(tag) {
                            let left = left_row * stride + entry.first as usize;
                            let left_value = self.inside[left];
                            if left_value > 0.0 {
                                let item = Item {
                                    parent: base + entry.second as usize,
                                    weight: entry.weight * factor,
                                    left: Place::Phrase(left),
                                    right: Place::Tag(right_at),
                                    left_value,
                                    right_value,
                                };
                                visit(self, item);
                            }
                        }
                    }
                }
                (false, false) => {
                    let (Some(left_row), Some(right_row)) = (self.row(start, split), self.row(split, end))
                    else {
                        continue;
                    };
                    for at in self.starts[left_row] as usize..self.starts[left_row + 1] as usize {
                        let phrase = self.allowed[at] as usize;
                        let left = left_row * stride + phrase;
                        let left_value = self.inside[left];
                        if left_value == 0.0 {
                            continue;
                        }
                        for entry in grammar.phrase_phrase.of(phrase) {
                            let right = right_row * stride + entry.first as usize;
                            let right_value = self.inside[right];
                            if right_value > 0.0 {
                                let item = Item {
                                    parent: base + entry.second as usize,
                                    weight: entry.weight * factor,
                                    left: Place::Phrase(left),
                                    right: Place::Phrase(right),
                                    left_value,
                                    right_value,
                                };
                                visit(self, item);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Where a child's numbers are.
#[derive(Clone, Copy)]
enum Place {
    /// At this index of the phrase rows.
    Phrase(usize),
    /// At this index of the emissions.
    Tag(usize),
}

/// One rule at one split point of one span.
#[derive(Clone, Copy)]
struct Item {
    /// Index of the parent in the phrase rows.
    parent: usize,
    /// The rule's probability with the factor between the cells' scales.
    weight: f32,
    left: Place,
    right: Place,
    left_value: f32,
    right_value: f32,
}

/// The symbol with the largest score; the first of several.
fn best(scored: impl Iterator<Item = (u32, f32)>) -> Option<u32> {
    let mut best: Option<(u32, f32)> = None;
    for (symbol, score) in scored {
        if score.is_finite() && best.is_none_or(|(_, top)| score > top) {
            best = Some((symbol, score));
        }
    }
    best.map(|(symbol, _)| symbol)
}
