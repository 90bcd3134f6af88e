//! The upward pass.

use super::emissions::Emissions;
use super::grammar::{ChartGrammar, Entry};
use super::kernel::{self, Arithmetic, Gathered, Max, Sum};
use super::mask::Allowed;
use super::range::{self, EMPTY, power_of_two};
use super::storage::{Chart, NO_ROW, best, for_each_bit};

/// How an upward pass combines derivations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Semiring {
    /// Total probability of all derivations.
    Sum,
    /// Probability of the best derivation.
    Max,
}

/// Scratch memory for one span of an upward pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Span {
    sums: Vec<f32>,
    tag_row: Vec<f32>,
    /// Starts of the left cells' rows, at split points with phrases on both sides.
    left_rows: Vec<u32>,
    /// The right cells' rows at the same split points, scaled.
    right: Vec<f32>,
    /// The phrases that occur in some left cell, and M: one row of zeros, then one row per phrase.
    phrases: Vec<u32>,
    products: Vec<f32>,
    /// For each phrase the start of its row in M; 0, the row of zeros, if it has none.
    place: Vec<u32>,
    bits: Vec<u64>,
    packed: Vec<f32>,
    /// The phrases allowed in the span.
    allowed: Vec<u32>,
}

impl Chart {
    /// Fills the chart with `grammar` over `words`, restricted to `allowed`. Returns the natural logarithm of the
    /// probability of the sentence or of its best derivation, or `None` if there is no derivation.
    pub fn inside(
        &mut self,
        grammar: &ChartGrammar,
        words: &Emissions,
        allowed: Allowed<'_>,
        semiring: Semiring,
    ) -> Option<f64> {
        self.reset(grammar, words, allowed);
        let n = words.words();
        if n == 0 {
            return None;
        }
        self.fill_dispatched(grammar, words, allowed, semiring);
        let roots = self.root_scores(grammar, words);
        self.partition = match semiring {
            Semiring::Sum => roots.iter().map(|&(_, score)| score).sum(),
            Semiring::Max => roots.iter().map(|&(_, score)| score).fold(0.0, f32::max),
        };
        (self.partition > 0.0).then(|| range::log(self.partition, self.exponent(words, 0, n)))
    }

    /// The possible root symbols with their scaled scores.
    pub(super) fn root_scores(&self, grammar: &ChartGrammar, words: &Emissions) -> Vec<(u32, f32)> {
        let mut scores = self.symbols(grammar, words, 0, self.triangle.words());
        scores.iter_mut().for_each(|(symbol, score)| *score *= grammar.root(*symbol));
        scores
    }

    /// The best root according to the last pass.
    pub fn best_root(&self, grammar: &ChartGrammar, words: &Emissions) -> Option<u32> {
        best(self.root_scores(grammar, words)).map(|(symbol, _)| symbol)
    }

    fn fill_dispatched(
        &mut self,
        grammar: &ChartGrammar,
        words: &Emissions,
        allowed: Allowed<'_>,
        semiring: Semiring,
    ) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: AVX2 and FMA were detected just above.
            unsafe { self.fill_avx2(grammar, words, allowed, semiring) };
            return;
        }
        self.fill_portable(grammar, words, allowed, semiring);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn fill_avx2(
        &mut self,
        grammar: &ChartGrammar,
        words: &Emissions,
        allowed: Allowed<'_>,
        semiring: Semiring,
    ) {
        match semiring {
            Semiring::Sum => self.fill::<kernel::FusedSum>(grammar, words, allowed),
            Semiring::Max => self.fill::<Max>(grammar, words, allowed),
        }
    }

    /// The pass for processors without AVX2.
    pub(super) fn fill_portable(
        &mut self,
        grammar: &ChartGrammar,
        words: &Emissions,
        allowed: Allowed<'_>,
        semiring: Semiring,
    ) {
        match semiring {
            Semiring::Sum => self.fill::<Sum>(grammar, words, allowed),
            Semiring::Max => self.fill::<Max>(grammar, words, allowed),
        }
    }

    #[inline(always)]
    fn fill<A: Arithmetic>(&mut self, grammar: &ChartGrammar, words: &Emissions, allowed: Allowed<'_>) {
        let mut span = std::mem::take(&mut self.span);
        span.sums.clear();
        span.sums.resize(self.stride, 0.0);
        span.tag_row.clear();
        span.tag_row.resize(grammar.tags, 0.0);
        span.place.clear();
        span.place.resize(grammar.phrases, 0);
        for (start, end) in self.triangle.bottom_up(2) {
            let row = self.rows[self.triangle.cell(start, end)];
            if row == NO_ROW {
                continue;
            }
            let Some(scale) = self.splits(words, start, end).map(|(_, exponent)| exponent).max() else {
                continue;
            };
            span.sums.fill(0.0);
            allowed.list_phrases(grammar.phrases, start, end, &mut span.allowed);
            self.add_tag_rules::<A>(grammar, words, &mut span, (start, end), scale);
            if end - start >= 4 {
                self.add_phrase_rules::<A>(grammar, &mut span, (start, end), scale);
            }
            self.keep(row as usize, &span, scale);
        }
        self.span = span;
    }

    /// Rules with a preterminal: the first and the last split point.
    #[inline(always)]
    fn add_tag_rules<A: Arithmetic>(
        &self,
        grammar: &ChartGrammar,
        words: &Emissions,
        span: &mut Span,
        (start, end): (usize, usize),
        scale: i32,
    ) {
        let factor = |split: usize| {
            let (left, right) = (self.exponent(words, start, split), self.exponent(words, split, end));
            if left == EMPTY || right == EMPTY { 0.0 } else { power_of_two(left + right - scale) }
        };
        let sums = &mut span.sums;
        if end == start + 2 {
            let factor = factor(start + 1);
            words.word(start + 1).for_each(|(tag, value)| span.tag_row[tag] = value * factor);
            for (tag, value) in words.word(start) {
                for entry in grammar.tag_tag.of(tag) {
                    let sum = &mut sums[entry.second as usize];
                    *sum = A::add(*sum, value * span.tag_row[entry.first as usize], entry.weight);
                }
            }
            words.word(start + 1).for_each(|(tag, _)| span.tag_row[tag] = 0.0);
            return;
        }
        if let Some(right) = self.row(start + 1, end) {
            let (right, factor) = (self.inside_row(right), factor(start + 1));
            for (tag, value) in words.word(start) {
                for entry in grammar.tag_phrase.of(tag) {
                    let sum = &mut sums[entry.second as usize];
                    *sum = A::add(*sum, value * factor * right[entry.first as usize], entry.weight);
                }
            }
        }
        if let Some(left) = self.row(start, end - 1) {
            let (left, factor) = (self.inside_row(left), factor(end - 1));
            for (tag, value) in words.word(end - 1) {
                for entry in grammar.phrase_tag.of(tag) {
                    let sum = &mut sums[entry.second as usize];
                    *sum = A::add(*sum, value * factor * left[entry.first as usize], entry.weight);
                }
            }
        }
    }

    /// Rules with two phrases: M over all inner split points, then each rule once.
    #[inline(always)]
    fn add_phrase_rules<A: Arithmetic>(
        &self,
        grammar: &ChartGrammar,
        span: &mut Span,
        (start, end): (usize, usize),
        scale: i32,
    ) {
        let width = grammar.right_width;
        let Span { sums, left_rows, right, phrases, products, place, bits, packed, allowed, .. } = span;
        left_rows.clear();
        right.clear();
        bits.clear();
        bits.extend(std::iter::repeat_n(0, self.bit_words));
        for split in start + 2..end - 1 {
            let (Some(left), Some(right_row)) = (self.row(start, split), self.row(split, end)) else {
                continue;
            };
            let factor = power_of_two(self.exponents[left] + self.exponents[right_row] - scale);
            if factor == 0.0 {
                continue;
            }
            left_rows.push((left * self.stride) as u32);
            right.extend(self.inside_row(right_row)[..width].iter().map(|value| value * factor));
            let present = &self.bits[left * self.bit_words..][..self.bit_words];
            bits.iter_mut().zip(present).for_each(|(union, word)| *union |= word);
        }
        if left_rows.is_empty() {
            return;
        }
        bits.iter_mut().zip(&grammar.left_children).for_each(|(union, word)| *union &= word);
        phrases.clear();
        for_each_bit(bits, |phrase| phrases.push(phrase));
        products.resize(((phrases.len() + 1) * width).max(products.len()), 0.0);
        products[..width].fill(0.0);
        let left = Gathered { data: &self.inside, rows: phrases, columns: left_rows };
        kernel::multiply::<A>(left, right, width, packed, &mut products[width..]);
        for (at, &phrase) in phrases.iter().enumerate() {
            place[phrase as usize] = ((at + 1) * width) as u32;
        }
        let product = |entry: &Entry| products[place[entry.first as usize] as usize + entry.second as usize];
        for &parent in &*allowed {
            // Four sums at once, to hide the latency of the additions.
            let entries = grammar.phrase_phrase.of(parent as usize);
            let mut parts = [sums[parent as usize], 0.0, 0.0, 0.0];
            let mut fours = entries.chunks_exact(4);
            for four in &mut fours {
                for (part, entry) in parts.iter_mut().zip(four) {
                    *part = A::add(*part, entry.weight, product(entry));
                }
            }
            for entry in fours.remainder() {
                parts[0] = A::add(parts[0], entry.weight, product(entry));
            }
            sums[parent as usize] = parts[1..].iter().fold(parts[0], |sum, &part| A::add(sum, 1.0, part));
        }
        phrases.iter().for_each(|&phrase| place[phrase as usize] = 0);
    }

    /// Stores the sums of the phrases allowed in a span.
    #[inline(always)]
    fn keep(&mut self, row: usize, span: &Span, scale: i32) {
        let target = &mut self.inside[row * self.stride..][..self.stride];
        for &phrase in &span.allowed {
            target[phrase as usize] = span.sums[phrase as usize];
        }
        let exponent = range::normalise(target);
        if exponent != EMPTY {
            self.exponents[row] = scale + exponent;
            let bits = &mut self.bits[row * self.bit_words..][..self.bit_words];
            for (word, values) in bits.iter_mut().zip(target.chunks(64)) {
                *word = values
                    .iter()
                    .enumerate()
                    .fold(0, |word, (bit, &value)| word | u64::from(value > 0.0) << bit);
            }
        }
    }
}
