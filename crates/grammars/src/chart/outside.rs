//! The downward pass.

use super::emissions::Emissions;
use super::grammar::ChartGrammar;
use super::kernel::{self, Arithmetic, Gathered, Sum};
use super::range::{EMPTY, power_of_two};
use super::storage::Chart;

/// Scratch memory for one span of a downward pass.
#[derive(Default)]
struct Span {
    /// Outside values of the span's phrases; negligible ones are 0.
    parents: Vec<f32>,
    /// The phrases that are a left child of some parent, and W, one row per phrase.
    phrases: Vec<u32>,
    weights: Vec<f32>,
    /// W transposed: one row per right child, one column per phrase in `phrases`.
    transposed: Vec<f32>,
    /// For each phrase, its row in W plus one; 0 if it has none.
    place: Vec<u32>,
    /// The phrases that occur in some left cell, as bits.
    present: Vec<u64>,
    /// Starts of the left and right cells' rows and the factors between scales, at split points with two phrases.
    left_rows: Vec<u32>,
    right_rows: Vec<u32>,
    factors: Vec<f32>,
    /// 0, 1, 2, …
    counting: Vec<u32>,
    products: Vec<f32>,
    packed: Vec<f32>,
}

impl Chart {
    /// Computes the outside values after an upward pass in [`Semiring::Sum`](super::Semiring::Sum). Phrases whose
    /// posterior is below `negligible` get the outside value 0, and everything below them is skipped.
    pub fn outside(&mut self, grammar: &ChartGrammar, words: &Emissions, negligible: f32) {
        self.outside.clear();
        self.outside.resize(self.inside.len(), 0.0);
        self.tag_outside.clear();
        self.tag_outside.resize(words.tags.len(), 0.0);
        let n = words.words();
        if self.partition <= 0.0 || n == 0 {
            return;
        }
        if n == 1 {
            for (at, (tag, _)) in words.word(0).enumerate() {
                self.tag_outside[at] = grammar.roots[grammar.phrases + tag];
            }
            return;
        }
        if let Some(row) = self.row(0, n) {
            self.outside[row * self.stride..][..grammar.phrases]
                .copy_from_slice(&grammar.roots[..grammar.phrases]);
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: AVX2 and FMA were detected just above.
            unsafe { self.descend_avx2(grammar, words, negligible) };
            return;
        }
        self.descend::<Sum>(grammar, words, negligible);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn descend_avx2(&mut self, grammar: &ChartGrammar, words: &Emissions, negligible: f32) {
        self.descend::<kernel::FusedSum>(grammar, words, negligible);
    }

    #[inline(always)]
    fn descend<A: Arithmetic>(&mut self, grammar: &ChartGrammar, words: &Emissions, negligible: f32) {
        let floor = negligible * self.partition;
        let widest = grammar.phrases.max(grammar.right_width) as u32;
        let mut span = Span {
            parents: vec![0.0; self.stride],
            place: vec![0; grammar.phrases],
            counting: (0..widest).collect(),
            ..Span::default()
        };
        for (start, end) in self.triangle.top_down(2) {
            let Some(row) = self.row(start, end) else { continue };
            if self.drop_negligible(row, floor, &mut span.parents) {
                self.descend_to_tags(grammar, words, &span.parents, (start, end), self.exponents[row]);
                if end - start >= 4 {
                    self.descend_to_phrases::<A>(
                        grammar,
                        &mut span,
                        (start, end),
                        (self.exponents[row], floor),
                    );
                }
            }
        }
    }

    /// Sets negligible outside values of a row to 0 and copies the others; `false` if none is left.
    #[inline(always)]
    fn drop_negligible(&mut self, row: usize, floor: f32, parents: &mut [f32]) -> bool {
        let range = row * self.stride..(row + 1) * self.stride;
        let mut alive = false;
        for ((parent, out), &inside) in
            parents.iter_mut().zip(&mut self.outside[range.clone()]).zip(&self.inside[range])
        {
            let joint = *out * inside;
            let kept = joint >= floor && joint > 0.0;
            *out = if kept { *out } else { 0.0 };
            alive |= kept;
            *parent = *out;
        }
        alive
    }

    /// Rules with a preterminal: the first and the last split point.
    #[inline(always)]
    fn descend_to_tags(
        &mut self,
        grammar: &ChartGrammar,
        words: &Emissions,
        parents: &[f32],
        (start, end): (usize, usize),
        scale: i32,
    ) {
        let stride = self.stride;
        let factor = |left: i32, right: i32| {
            if left == EMPTY || right == EMPTY { 0.0 } else { power_of_two(left + right - scale) }
        };
        if end == start + 2 {
            let factor = factor(words.exponent(start), words.exponent(start + 1));
            for (left_at, (left_tag, left_value)) in words.range(start).zip(words.word(start)) {
                for (right_at, (right_tag, right_value)) in words.range(start + 1).zip(words.word(start + 1))
                {
                    for entry in grammar.tag_tag.with_first(left_tag, right_tag) {
                        let above = parents[entry.second as usize] * entry.weight * factor;
                        self.tag_outside[left_at] += above * right_value;
                        self.tag_outside[right_at] += above * left_value;
                    }
                }
            }
            return;
        }
        if let Some(right) = self.row(start + 1, end) {
            let factor = factor(words.exponent(start), self.exponents[right]);
            for (at, (tag, value)) in words.range(start).zip(words.word(start)) {
                for entry in grammar.tag_phrase.of(tag) {
                    let above = parents[entry.second as usize] * entry.weight * factor;
                    let child = right * stride + entry.first as usize;
                    self.tag_outside[at] += above * self.inside[child];
                    self.outside[child] += above * value;
                }
            }
        }
        if let Some(left) = self.row(start, end - 1) {
            let factor = factor(self.exponents[left], words.exponent(end - 1));
            for (at, (tag, value)) in words.range(end - 1).zip(words.word(end - 1)) {
                for entry in grammar.phrase_tag.of(tag) {
                    let above = parents[entry.second as usize] * entry.weight * factor;
                    let child = left * stride + entry.first as usize;
                    self.tag_outside[at] += above * self.inside[child];
                    self.outside[child] += above * value;
                }
            }
        }
    }

    /// Rules with two phrases: W once, then all split points.
    #[inline(always)]
    fn descend_to_phrases<A: Arithmetic>(
        &mut self,
        grammar: &ChartGrammar,
        span: &mut Span,
        (start, end): (usize, usize),
        (scale, floor): (i32, f32),
    ) {
        let (stride, width) = (self.stride, grammar.right_width);
        let Span {
            parents,
            phrases,
            weights,
            transposed,
            place,
            present,
            left_rows,
            right_rows,
            factors,
            counting,
            products,
            packed,
        } = span;
        // Only phrases that occur in some left cell can pass anything on.
        present.clear();
        present.resize(self.bit_words, 0_u64);
        for split in start + 2..end - 1 {
            if let (Some(left), Some(_)) = (self.row(start, split), self.row(split, end)) {
                let bits = &self.bits[left * self.bit_words..][..self.bit_words];
                present.iter_mut().zip(bits).for_each(|(union, word)| *union |= word);
            }
        }
        phrases.clear();
        weights.clear();
        let mut total = 0.0;
        for (parent, &value) in parents.iter().enumerate().filter(|&(_, &value)| value > 0.0) {
            for entry in grammar.phrase_phrase.of(parent) {
                if present[entry.first as usize / 64] >> (entry.first % 64) & 1 == 0 {
                    continue;
                }
                let slot = &mut place[entry.first as usize];
                if *slot == 0 {
                    phrases.push(entry.first);
                    weights.resize(phrases.len() * width, 0.0);
                    *slot = phrases.len() as u32;
                }
                let weight = value * entry.weight;
                weights[(*slot as usize - 1) * width + entry.second as usize] += weight;
                total += weight;
            }
        }
        if phrases.is_empty() {
            return;
        }
        left_rows.clear();
        right_rows.clear();
        factors.clear();
        for split in start + 2..end - 1 {
            let (Some(left), Some(right)) = (self.row(start, split), self.row(split, end)) else { continue };
            let factor = power_of_two(self.exponents[left] + self.exponents[right] - scale);
            // Scaled inside values are below 2, so this bounds what passes through the split point.
            if factor > 0.0 && factor * total * 4.0 >= floor {
                left_rows.push((left * stride) as u32);
                right_rows.push((right * stride) as u32);
                factors.push(factor);
            }
        }
        if factors.is_empty() {
            phrases.iter().for_each(|&phrase| place[phrase as usize] = 0);
            return;
        }

        let right = Gathered { data: &self.inside, rows: left_rows, columns: phrases };
        products.resize((factors.len() * width).max(products.len()), 0.0);
        kernel::multiply::<A>(right, weights, width, packed, products);
        for ((&row, &factor), sums) in right_rows.iter().zip(&*factors).zip(products.chunks_exact(width)) {
            let target = &mut self.outside[row as usize..][..width];
            target.iter_mut().zip(sums).for_each(|(out, sum)| *out += sum * factor);
        }

        let columns = phrases.len().next_multiple_of(8);
        transposed.clear();
        transposed.resize(width * columns, 0.0);
        // W is sparse: visiting the rules again costs less than transposing it value by value.
        for (parent, &value) in parents.iter().enumerate().filter(|&(_, &value)| value > 0.0) {
            for entry in grammar.phrase_phrase.of(parent) {
                if let Some(at) = (place[entry.first as usize] as usize).checked_sub(1) {
                    transposed[entry.second as usize * columns + at] += value * entry.weight;
                }
            }
        }
        phrases.iter().for_each(|&phrase| place[phrase as usize] = 0);
        let left = Gathered { data: &self.inside, rows: right_rows, columns: &counting[..width] };
        products.resize((factors.len() * columns).max(products.len()), 0.0);
        kernel::multiply::<A>(left, transposed, columns, packed, products);
        for ((&row, &factor), sums) in left_rows.iter().zip(&*factors).zip(products.chunks_exact(columns)) {
            for (&phrase, sum) in phrases.iter().zip(sums) {
                self.outside[(row + phrase) as usize] += sum * factor;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Allowed, Semiring};
    use crate::grammar::{TreebankCounts, Weights};
    use corpus::tree::normal_form::NormalForm;

    /// The vectorised passes give the same values as the portable ones, up to rounding.
    #[test]
    fn vectorised_and_portable_passes_agree() {
        let trees = corpus::synthetic::sample_treebank(corpus::synthetic::english(), 300, 3).unwrap();
        let mut counts = TreebankCounts::default();
        for tree in trees {
            counts.add(&NormalForm::default().apply(tree)).unwrap();
        }
        let (table, rules, roots) = counts.rule_counts();
        let weights = Weights::relative_frequencies(&table, &rules, &roots);
        let grammar = ChartGrammar::new(&table, &weights, counts.symbol_table().phrases());
        let mut words = Emissions::default();
        for position in 0..14 {
            words.push_word((0..grammar.tags).filter(|tag| (tag + position) % 3 == 0).map(|tag| (tag, 1e-3)));
        }
        for semiring in [Semiring::Sum, Semiring::Max] {
            let mut dispatched = Chart::default();
            dispatched.inside(&grammar, &words, Allowed::All, semiring).expect("a derivation");
            let mut portable = Chart::default();
            portable.reset(&grammar, &words, Allowed::All);
            portable.fill_portable(&grammar, &words, Allowed::All, semiring);
            close(&dispatched.inside, &portable.inside);
            assert_eq!(dispatched.exponents, portable.exponents);
            if semiring == Semiring::Sum {
                dispatched.outside(&grammar, &words, 0.0);
                let mut other = dispatched.clone();
                let row = other.row(0, 14).expect("the whole sentence");
                other.outside.fill(0.0);
                other.tag_outside.fill(0.0);
                other.outside[row * other.stride..][..grammar.phrases]
                    .copy_from_slice(&grammar.roots[..grammar.phrases]);
                other.descend::<Sum>(&grammar, &words, 0.0);
                close(&dispatched.outside, &other.outside);
                close(&dispatched.tag_outside, &other.tag_outside);
            }
        }
    }

    fn close(one: &[f32], other: &[f32]) {
        assert_eq!(one.len(), other.len());
        assert!(one.iter().any(|&value| value > 0.0));
        for (a, b) in one.iter().zip(other) {
            assert!((a - b).abs() <= 1e-4 * a.abs().max(b.abs()), "{a} and {b}");
        }
    }
}
