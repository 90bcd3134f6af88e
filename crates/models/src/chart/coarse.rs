//! Inside–outside over all spans of a small grammar.
//!
//! With `β(b,i,k)` the inside and `α(a,i,j)` the outside probability,
//!
//! ```text
//! β(a,i,j) = Σ_{a→bc} p(a→bc) M(b,c)            M(b,c)  = Σ_k β(b,i,k) β(c,k,j)
//! α(b,i,k) = Σ_j Σ_c W(b,c) β(c,k,j) + …        W(b,c)  = Σ_a α(a,i,j) p(a→bc)
//! µ(a,i,j) = α(a,i,j) β(a,i,j) / Z
//! ```
//!
//! The sums over split points come first, so that each rule is looked at once a span instead of once a split point; what
//! is left inside the innermost loops are products of a number with a row of a matrix, which vectorise. Rules with a
//! preterminal apply at one split point only and are walked directly.
//!
//! Cells are scaled by powers of two, `β = β̂ 2^e`. The outside numbers take the exponent `e_Z − e(i,j)` of their own cell,
//! so that `α̂ β̂ / Ẑ` is the posterior as it stands, and the factor between cells is the inside pass's own.
//!
//! Outside numbers whose posterior is negligible are dropped on the way down: most spans then cost nothing.

use super::emissions::Emissions;
use super::grammar::ChartGrammar;
use super::range::{self, EMPTY, power_of_two};
use super::{Mask, Triangle};

/// Scratch memory and results of inside–outside; kept between sentences.
#[derive(Clone, Debug, Default)]
pub struct CoarseChart {
    triangle: Triangle,
    /// Length of a row: the number of phrases, rounded up so that rows vectorise.
    stride: usize,
    /// β̂ of phrases, a row a cell.
    inside: Vec<f32>,
    /// α̂ of phrases, a row a cell.
    outside: Vec<f32>,
    /// e of each cell; of cells of one word that of the emissions.
    exponents: Vec<i32>,
    /// Phrases with β̂ > 0: those of cell `c` are `active[spans[c].0 .. spans[c].1]`.
    active: Vec<u32>,
    spans: Vec<(u32, u32)>,
    /// α̂ of preterminals, parallel to the emissions.
    tag_outside: Vec<f32>,
    /// M or W: a row for each left phrase.
    matrix: Vec<f32>,
    touched: Vec<bool>,
    /// For each right tag its emission in the word at hand, for rules with two preterminals.
    tag_row: Vec<f32>,
    partition: f32,
}

impl CoarseChart {
    /// The inside pass. Returns the natural logarithm of the sentence's probability, or `None` if it has no parse.
    pub fn inside(&mut self, grammar: &ChartGrammar, words: &Emissions) -> Option<f64> {
        self.reset(grammar, words);
        if words.words() == 0 {
            return None;
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, as was just asked.
            unsafe { self.fill_avx2(grammar, words) };
            return self.sum_roots(grammar, words);
        }
        self.fill(grammar, words);
        self.sum_roots(grammar, words)
    }

    /// The outside pass, after an inside pass with a parse; posteriors below `negligible` count as 0.
    pub fn outside(&mut self, grammar: &ChartGrammar, words: &Emissions, negligible: f32) {
        self.outside.clear();
        self.outside.resize(self.triangle.len() * self.stride, 0.0);
        self.tag_outside.clear();
        self.tag_outside.resize(words.tags.len(), 0.0);
        if self.partition <= 0.0 || words.words() == 0 {
            return;
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, as was just asked.
            unsafe { self.descend_avx2(grammar, words, negligible) };
            return;
        }
        self.descend(grammar, words, negligible);
    }

    /// The posterior of a phrase in a span of two or more words.
    pub fn posterior(&self, phrase: usize, start: usize, end: usize) -> f32 {
        let at = self.triangle.cell(start, end) * self.stride + phrase;
        self.inside[at] * self.outside[at] / self.partition
    }

    /// The posteriors of the preterminals of a word, parallel to its emissions.
    pub fn tag_posteriors<'c>(
        &'c self,
        words: &'c Emissions,
        position: usize,
    ) -> impl Iterator<Item = (usize, f32)> + 'c {
        let range = words.range(position);
        words
            .word(position)
            .zip(&self.tag_outside[range])
            .map(|((tag, value), outside)| (tag, value * outside / self.partition))
    }

    /// Keeps the symbols whose posterior reaches `threshold`.
    pub fn mask(&self, words: &Emissions, threshold: f32, mask: &mut Mask) {
        mask.clear(self.triangle);
        let n = self.triangle.words();
        for start in 0..n {
            for end in start + 1..=n {
                if end == start + 1 {
                    let kept =
                        self.tag_posteriors(words, start).filter(|&(_, posterior)| posterior >= threshold);
                    mask.symbols.extend(kept.map(|(tag, _)| tag as u32));
                } else {
                    let (from, to) = self.spans[self.triangle.cell(start, end)];
                    let active = &self.active[from as usize..to as usize];
                    let kept =
                        active.iter().filter(|&&p| self.posterior(p as usize, start, end) >= threshold);
                    mask.symbols.extend(kept.copied());
                }
                mask.end_cell();
            }
        }
    }

    /// Keeps every symbol with an inside probability above 0: what an exhaustive fine pass looks at.
    pub fn mask_reachable(&self, words: &Emissions, mask: &mut Mask) {
        mask.clear(self.triangle);
        let n = self.triangle.words();
        for start in 0..n {
            for end in start + 1..=n {
                if end == start + 1 {
                    mask.symbols.extend(words.word(start).map(|(tag, _)| tag as u32));
                } else {
                    let (from, to) = self.spans[self.triangle.cell(start, end)];
                    mask.symbols.extend_from_slice(&self.active[from as usize..to as usize]);
                }
                mask.end_cell();
            }
        }
    }

    fn reset(&mut self, grammar: &ChartGrammar, words: &Emissions) {
        self.triangle = Triangle::new(words.words());
        self.stride = grammar.phrases.next_multiple_of(16).max(16);
        let cells = self.triangle.len();
        self.inside.clear();
        self.inside.resize(cells * self.stride, 0.0);
        self.exponents.clear();
        self.exponents.resize(cells, EMPTY);
        self.active.clear();
        self.spans.clear();
        self.spans.resize(cells, (0, 0));
        self.matrix.resize(grammar.phrases * self.stride, 0.0);
        self.touched.clear();
        self.touched.resize(grammar.phrases, false);
        self.tag_row.clear();
        self.tag_row.resize(grammar.tags, 0.0);
        self.partition = 0.0;
        for position in 0..words.words() {
            self.exponents[self.triangle.cell(position, position + 1)] = words.exponent(position);
        }
    }

    fn sum_roots(&mut self, grammar: &ChartGrammar, words: &Emissions) -> Option<f64> {
        let n = self.triangle.words();
        let cell = self.triangle.cell(0, n);
        self.partition = if n == 1 {
            words.word(0).map(|(tag, value)| grammar.roots[grammar.phrases + tag] * value).sum()
        } else {
            let row = &self.inside[cell * self.stride..][..grammar.phrases];
            row.iter().zip(&grammar.roots).map(|(value, root)| value * root).sum()
        };
        (self.partition > 0.0).then(|| range::log(self.partition, self.exponents[cell]))
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn fill_avx2(&mut self, grammar: &ChartGrammar, words: &Emissions) {
        self.fill(grammar, words);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn descend_avx2(&mut self, grammar: &ChartGrammar, words: &Emissions, negligible: f32) {
        self.descend(grammar, words, negligible);
    }

    /// The largest sum of the exponents of two neighbouring cells: the scale of the cell they make.
    #[inline(always)]
    fn common_exponent(&self, start: usize, end: usize) -> i32 {
        let pairs = (start + 1..end).map(|split| {
            let left = self.exponents[self.triangle.cell(start, split)];
            let right = self.exponents[self.triangle.cell(split, end)];
            if left == EMPTY || right == EMPTY { EMPTY } else { left + right }
        });
        pairs.max().unwrap_or(EMPTY)
    }

    #[inline(always)]
    fn fill(&mut self, grammar: &ChartGrammar, words: &Emissions) {
        let (stride, triangle) = (self.stride, self.triangle);
        let mut sums = vec![0.0_f32; stride];
        let mut touched: Vec<u32> = Vec::new();
        for (start, end) in triangle.bottom_up(2) {
            let cell = triangle.cell(start, end);
            let scale = self.common_exponent(start, end);
            if scale == EMPTY {
                self.spans[cell] = (self.active.len() as u32, self.active.len() as u32);
                continue;
            }
            sums.fill(0.0);
            for split in start + 1..end {
                let (left, right) = (triangle.cell(start, split), triangle.cell(split, end));
                let (e_left, e_right) = (self.exponents[left], self.exponents[right]);
                if e_left == EMPTY || e_right == EMPTY {
                    continue;
                }
                let factor = power_of_two(e_left + e_right - scale);
                if factor == 0.0 {
                    continue;
                }
                let left_row = &self.inside[left * stride..][..stride];
                let right_row = &self.inside[right * stride..][..stride];
                match (split == start + 1, split + 1 == end) {
                    (true, true) => {
                        words.word(split).for_each(|(tag, value)| self.tag_row[tag] = value);
                        for (tag, value) in words.word(start) {
                            for entry in grammar.tag_tag.of(tag) {
                                let product = value * self.tag_row[entry.first as usize] * entry.weight;
                                sums[entry.second as usize] += product * factor;
                            }
                        }
                        words.word(split).for_each(|(tag, _)| self.tag_row[tag] = 0.0);
                    }
                    (true, false) => {
                        for (tag, value) in words.word(start) {
                            for entry in grammar.tag_phrase.of(tag) {
                                let product = value * right_row[entry.first as usize] * entry.weight;
                                sums[entry.second as usize] += product * factor;
                            }
                        }
                    }
                    (false, true) => {
                        for (tag, value) in words.word(split) {
                            for entry in grammar.phrase_tag.of(tag) {
                                let product = value * left_row[entry.first as usize] * entry.weight;
                                sums[entry.second as usize] += product * factor;
                            }
                        }
                    }
                    (false, false) => {
                        let (from, to) = self.spans[left];
                        for &phrase in &self.active[from as usize..to as usize] {
                            let phrase = phrase as usize;
                            let row = &mut self.matrix[phrase * stride..][..stride];
                            let value = left_row[phrase] * factor;
                            if self.touched[phrase] {
                                row.iter_mut().zip(right_row).for_each(|(sum, &right)| *sum += value * right);
                            } else {
                                row.iter_mut().zip(right_row).for_each(|(sum, &right)| *sum = value * right);
                                self.touched[phrase] = true;
                                touched.push(phrase as u32);
                            }
                        }
                    }
                }
            }
            for &phrase in &touched {
                let row = &self.matrix[phrase as usize * stride..][..stride];
                for entry in grammar.phrase_phrase.of(phrase as usize) {
                    sums[entry.second as usize] += entry.weight * row[entry.first as usize];
                }
                self.touched[phrase as usize] = false;
            }
            touched.clear();
            let exponent = range::normalise(&mut sums);
            let first = self.active.len() as u32;
            if exponent != EMPTY {
                self.exponents[cell] = scale + exponent;
                self.inside[cell * stride..][..stride].copy_from_slice(&sums);
                let alive = sums.iter().enumerate().filter(|&(_, &value)| value > 0.0);
                self.active.extend(alive.map(|(phrase, _)| phrase as u32));
            }
            self.spans[cell] = (first, self.active.len() as u32);
        }
    }

    #[inline(always)]
    fn descend(&mut self, grammar: &ChartGrammar, words: &Emissions, negligible: f32) {
        let (stride, triangle, n) = (self.stride, self.triangle, self.triangle.words());
        if n == 1 {
            for (at, (tag, _)) in words.word(0).enumerate() {
                self.tag_outside[at] = grammar.roots[grammar.phrases + tag];
            }
            return;
        }
        let top = triangle.cell(0, n) * stride;
        self.outside[top..top + grammar.phrases].copy_from_slice(&grammar.roots[..grammar.phrases]);
        let floor = negligible * self.partition;
        let mut parents: Vec<f32> = vec![0.0; stride];
        let mut rows: Vec<u32> = Vec::new();
        for (start, end) in triangle.top_down(2) {
            let cell = triangle.cell(start, end);
            if self.exponents[cell] == EMPTY {
                continue;
            }
            let mut alive = false;
            let inside = &self.inside[cell * stride..][..stride];
            let outside = &mut self.outside[cell * stride..][..stride];
            for ((parent, out), &ins) in parents.iter_mut().zip(outside).zip(inside) {
                if *out * ins < floor || *out == 0.0 {
                    *out = 0.0;
                } else {
                    alive = true;
                }
                *parent = *out;
            }
            if !alive {
                continue;
            }
            // W, for the split points with phrases on both sides.
            rows.clear();
            if end - start >= 4 {
                for phrase in 0..grammar.phrases {
                    let row = &mut self.matrix[phrase * stride..][..stride];
                    let mut fresh = true;
                    for entry in grammar.phrase_phrase.of(phrase) {
                        let value = parents[entry.second as usize];
                        if value > 0.0 {
                            if fresh {
                                row.fill(0.0);
                                rows.push(phrase as u32);
                                fresh = false;
                            }
                            row[entry.first as usize] += value * entry.weight;
                        }
                    }
                }
            }
            for split in start + 1..end {
                let (left, right) = (triangle.cell(start, split), triangle.cell(split, end));
                let (e_left, e_right) = (self.exponents[left], self.exponents[right]);
                if e_left == EMPTY || e_right == EMPTY {
                    continue;
                }
                let factor = power_of_two(e_left + e_right - self.exponents[cell]);
                if factor == 0.0 {
                    continue;
                }
                match (split == start + 1, split + 1 == end) {
                    (true, true) => {
                        for (left_at, (left_tag, left_value)) in words.range(start).zip(words.word(start)) {
                            for entry in grammar.tag_tag.of(left_tag) {
                                let above = parents[entry.second as usize] * entry.weight * factor;
                                if above > 0.0 {
                                    for (right_at, (right_tag, right_value)) in
                                        words.range(split).zip(words.word(split))
                                    {
                                        if right_tag == entry.first as usize {
                                            self.tag_outside[left_at] += above * right_value;
                                            self.tag_outside[right_at] += above * left_value;
                                        }
                                    }
                                }
                            }
                        }
                    }
                    (true, false) => {
                        for (at, (tag, value)) in words.range(start).zip(words.word(start)) {
                            let mut sum = 0.0;
                            for entry in grammar.tag_phrase.of(tag) {
                                let above = parents[entry.second as usize] * entry.weight * factor;
                                let phrase = right * stride + entry.first as usize;
                                sum += above * self.inside[phrase];
                                self.outside[phrase] += above * value;
                            }
                            self.tag_outside[at] += sum;
                        }
                    }
                    (false, true) => {
                        for (at, (tag, value)) in words.range(split).zip(words.word(split)) {
                            let mut sum = 0.0;
                            for entry in grammar.phrase_tag.of(tag) {
                                let above = parents[entry.second as usize] * entry.weight * factor;
                                let phrase = left * stride + entry.first as usize;
                                sum += above * self.inside[phrase];
                                self.outside[phrase] += above * value;
                            }
                            self.tag_outside[at] += sum;
                        }
                    }
                    (false, false) => {
                        for &phrase in &rows {
                            let phrase = phrase as usize;
                            let left_value = self.inside[left * stride + phrase];
                            if left_value == 0.0 {
                                continue;
                            }
                            let row = &self.matrix[phrase * stride..][..stride];
                            let right_inside = &self.inside[right * stride..][..stride];
                            self.outside[left * stride + phrase] += dot(row, right_inside) * factor;
                            let value = left_value * factor;
                            let right_outside = &mut self.outside[right * stride..][..stride];
                            right_outside.iter_mut().zip(row).for_each(|(out, &w)| *out += value * w);
                        }
                    }
                }
            }
        }
    }
}

/// The sum of products, in eight lanes whose order is fixed, so that vector and scalar code give the same number.
#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    lanes.iter().sum()
}
