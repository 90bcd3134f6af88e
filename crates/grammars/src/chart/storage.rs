//! The memory of a chart.

use super::emissions::Emissions;
use super::grammar::ChartGrammar;
use super::mask::Allowed;
use super::range::{self, EMPTY};
use super::{Mask, Triangle};

pub(super) const NO_ROW: u32 = u32::MAX;

/// Scratch memory and results of all passes over one sentence, reused between sentences.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    pub(super) triangle: Triangle,
    /// Length of a row: the number of phrases, rounded up so that rows vectorise.
    pub(super) stride: usize,
    /// For each cell of two or more words the index of its row, or [`NO_ROW`] if the mask allows nothing there.
    pub(super) rows: Vec<u32>,
    /// β̂: one row of phrases per non-empty cell. Phrases that the mask excludes are 0.
    pub(super) inside: Vec<f32>,
    /// α̂ in the same layout; 0 where the posterior is negligible.
    pub(super) outside: Vec<f32>,
    /// The max-rule gain below a phrase; minus infinity where the posterior is negligible.
    pub(super) gain: Vec<f32>,
    /// For each cell, whether max-rule decoding can use it.
    pub(super) gaining: Vec<bool>,
    /// The exponent of each row; [`EMPTY`] if all its values are 0.
    pub(super) exponents: Vec<i32>,
    /// The phrases of a row with β̂ > 0: `bit_words` words per row, one bit per phrase.
    pub(super) bits: Vec<u64>,
    pub(super) bit_words: usize,
    /// α̂ of preterminals, parallel to the emissions.
    pub(super) tag_outside: Vec<f32>,
    /// Ẑ, with the exponent of the topmost cell.
    pub(super) partition: f32,
    pub(super) span: super::inside::Span,
}

impl Chart {
    /// Makes room for a sentence.
    pub(super) fn reset(&mut self, grammar: &ChartGrammar, words: &Emissions, allowed: Allowed<'_>) {
        self.triangle = Triangle::new(words.words());
        self.stride = grammar.phrases.next_multiple_of(8).max(8);
        self.rows.clear();
        self.rows.resize(self.triangle.len(), NO_ROW);
        let mut rows = 0;
        for (start, end) in self.triangle.bottom_up(2) {
            if !allowed.is_empty(start, end) {
                self.rows[self.triangle.cell(start, end)] = rows;
                rows += 1;
            }
        }
        let rows = rows as usize;
        self.inside.clear();
        self.inside.resize(rows * self.stride, 0.0);
        self.exponents.clear();
        self.exponents.resize(rows, EMPTY);
        self.bit_words = self.stride.div_ceil(64);
        self.bits.clear();
        self.bits.resize(rows * self.bit_words, 0);
        self.partition = 0.0;
    }

    /// The row of a span of two or more words, if it is not empty.
    #[inline]
    pub(super) fn row(&self, start: usize, end: usize) -> Option<usize> {
        let row = self.rows[self.triangle.cell(start, end)];
        (row != NO_ROW && self.exponents[row as usize] != EMPTY).then_some(row as usize)
    }

    /// The exponent of a span of any width; [`EMPTY`] if it is empty.
    #[inline]
    pub(super) fn exponent(&self, words: &Emissions, start: usize, end: usize) -> i32 {
        if end == start + 1 {
            words.exponent(start)
        } else {
            self.row(start, end).map_or(EMPTY, |row| self.exponents[row])
        }
    }

    #[inline]
    pub(super) fn inside_row(&self, row: usize) -> &[f32] {
        &self.inside[row * self.stride..][..self.stride]
    }

    /// The phrases of a row with a positive value.
    pub(super) fn active(&self, row: usize) -> Vec<u32> {
        let mut active = Vec::new();
        for_each_bit(&self.bits[row * self.bit_words..][..self.bit_words], |phrase| active.push(phrase));
        active
    }

    /// The split points with non-empty cells on both sides, with the sum of their exponents.
    #[inline]
    pub(super) fn splits<'c>(
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

    /// The scaled inside value of a symbol (preterminals after phrases) in a span.
    pub(super) fn value(
        &self,
        grammar: &ChartGrammar,
        words: &Emissions,
        symbol: u32,
        start: usize,
        end: usize,
    ) -> f32 {
        match (symbol as usize).checked_sub(grammar.phrases) {
            None if end > start + 1 => {
                self.row(start, end).map_or(0.0, |row| self.inside_row(row)[symbol as usize])
            }
            Some(tag) if end == start + 1 => {
                words.word(start).find(|&(t, _)| t == tag).map_or(0.0, |(_, value)| value)
            }
            _ => 0.0,
        }
    }

    /// The symbols (preterminals after phrases) of a span with their scaled inside values.
    pub(super) fn symbols(
        &self,
        grammar: &ChartGrammar,
        words: &Emissions,
        start: usize,
        end: usize,
    ) -> Vec<(u32, f32)> {
        if end == start + 1 {
            return words.word(start).map(|(tag, value)| ((grammar.phrases + tag) as u32, value)).collect();
        }
        let Some(row) = self.row(start, end) else { return Vec::new() };
        let inside = self.inside_row(row);
        self.active(row).into_iter().map(|phrase| (phrase, inside[phrase as usize])).collect()
    }

    /// The symbol with the largest inside value in a span, and the logarithm of that value.
    pub fn best_symbol(
        &self,
        grammar: &ChartGrammar,
        words: &Emissions,
        start: usize,
        end: usize,
    ) -> Option<(u32, f64)> {
        let (symbol, value) = best(self.symbols(grammar, words, start, end))?;
        (value > 0.0).then(|| (symbol, range::log(value, self.exponent(words, start, end))))
    }

    /// The posterior of a phrase in a span of two or more words, after an outside pass.
    pub fn posterior(&self, phrase: usize, start: usize, end: usize) -> f32 {
        self.row(start, end).map_or(0.0, |row| {
            let at = row * self.stride + phrase;
            self.inside[at] * self.outside[at] / self.partition
        })
    }

    /// The preterminals of a word with their posteriors, after an outside pass.
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

    /// Keeps in `mask` the symbols whose posterior reaches `threshold`, after an outside pass.
    pub fn mask(&self, words: &Emissions, threshold: f32, mask: &mut Mask) {
        mask.clear(self.triangle);
        let n = self.triangle.words();
        let floor = threshold * self.partition;
        for start in 0..n {
            for end in start + 1..=n {
                let mut keep = |symbol: u32, inside: f32, outside: f32| {
                    let joint = inside * outside;
                    if joint > 0.0 && joint >= floor {
                        mask.symbols.push(symbol);
                    }
                };
                if end == start + 1 {
                    for at in words.range(start) {
                        keep(words.tags[at], words.values[at], self.tag_outside[at]);
                    }
                } else if let Some(row) = self.row(start, end) {
                    let at = row * self.stride;
                    for_each_bit(&self.bits[row * self.bit_words..][..self.bit_words], |phrase| {
                        let at = at + phrase as usize;
                        keep(phrase, self.inside[at], self.outside[at]);
                    });
                }
                mask.end_cell();
            }
        }
    }
}

/// The entry with the largest value; the first of equals.
pub(super) fn best(scored: impl IntoIterator<Item = (u32, f32)>) -> Option<(u32, f32)> {
    let mut best: Option<(u32, f32)> = None;
    for (symbol, score) in scored {
        if score.is_finite() && best.is_none_or(|(_, top)| score > top) {
            best = Some((symbol, score));
        }
    }
    best
}

/// Calls `visit` for each bit that is set, in order.
#[inline(always)]
pub(super) fn for_each_bit(words: &[u64], mut visit: impl FnMut(u32)) {
    for (at, &word) in words.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            visit(at as u32 * 64 + rest.trailing_zeros());
            rest &= rest - 1;
        }
    }
}
