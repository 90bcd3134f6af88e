//! Decoding by posteriors of rules or of constituents.
//!
//! With `µ(a→bc,i,k,j) = α(a,i,j) p(a→bc) β(b,i,k) β(c,k,j) / Z`, the tree that maximises `Σ µ` has the largest
//! expected number of correct rules (Goodman 1996). The tree that maximises `Π µ` is most likely to have all rules
//! right (Petrov and Klein 2007). With `µ(a,i,j) = α(a,i,j) β(a,i,j) / Z` instead, the largest sum has the largest expected
//! number of correct constituents. All are found by the usual dynamic program with posteriors as scores. Phrases whose
//! posterior the outside pass found negligible are left out.

use super::emissions::Emissions;
use super::grammar::ChartGrammar;
use super::range::{EMPTY, power_of_two};
use super::storage::{Chart, best};
use super::ways::Way;

/// The objective that a tree maximises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Objective {
    /// The sum of the posteriors of its rules.
    RuleSum,
    /// The product of the posteriors of its rules.
    RuleProduct,
    /// The sum of the posteriors of its symbols over their spans.
    ConstituentSum,
}

impl Objective {
    /// What a rule contributes.
    #[inline]
    fn of(self, posterior: f32) -> f32 {
        match self {
            Objective::RuleSum => posterior,
            Objective::RuleProduct => posterior.ln(),
            Objective::ConstituentSum => 0.0,
        }
    }

    /// What a preterminal contributes.
    #[inline]
    fn of_tag(self, posterior: f32) -> f32 {
        match self {
            Objective::RuleSum | Objective::ConstituentSum => posterior,
            Objective::RuleProduct => posterior.ln(),
        }
    }
}

impl Chart {
    /// Computes, after an outside pass, the largest gain of a tree below each phrase of each span.
    pub fn max_rule(&mut self, grammar: &ChartGrammar, words: &Emissions, objective: Objective) {
        self.gain.clear();
        self.gain.resize(self.inside.len(), f32::NEG_INFINITY);
        let stride = self.stride;
        let tag_gain: Vec<f32> = (0..words.tags.len())
            .map(|at| objective.of_tag(words.values[at] * self.tag_outside[at] / self.partition))
            .collect();
        self.gaining.clear();
        self.gaining.resize(self.rows.len(), false);
        let mut alive: Vec<usize> = Vec::new();
        for (start, end) in self.triangle.bottom_up(2) {
            let Some(row) = self.row(start, end) else { continue };
            let parents = row * stride..(row + 1) * stride;
            alive.clear();
            let kept =
                self.outside[parents.clone()].iter().enumerate().filter(|&(_, &outside)| outside > 0.0);
            alive.extend(kept.map(|(phrase, _)| phrase));
            if alive.is_empty() {
                continue;
            }
            for split in start + 1..end {
                let (e_left, e_right) =
                    (self.exponent(words, start, split), self.exponent(words, split, end));
                if e_left == EMPTY || e_right == EMPTY || !self.gains(start, split) || !self.gains(split, end)
                {
                    continue;
                }
                let factor = power_of_two(e_left + e_right - self.exponents[row]) / self.partition;
                let rise = |chart: &mut Self, parent: u32, weight: f32, values: f32, below: f32| {
                    let at = parents.start + parent as usize;
                    let outside = chart.outside[at];
                    if outside > 0.0 {
                        let gain = objective.of(outside * weight * factor * values) + below;
                        chart.gain[at] = chart.gain[at].max(gain);
                    }
                };
                match (split == start + 1, split + 1 == end) {
                    (true, true) => {
                        for (left_at, (left_tag, left)) in words.range(start).zip(words.word(start)) {
                            for (right_at, (right_tag, right)) in words.range(split).zip(words.word(split)) {
                                for entry in grammar.tag_tag.with_first(left_tag, right_tag) {
                                    let below = tag_gain[left_at] + tag_gain[right_at];
                                    rise(self, entry.second, entry.weight, left * right, below);
                                }
                            }
                        }
                    }
                    (true, false) => {
                        let Some(right) = self.row(split, end) else { continue };
                        for (at, (tag, value)) in words.range(start).zip(words.word(start)) {
                            for entry in grammar.tag_phrase.of(tag) {
                                let child = right * stride + entry.first as usize;
                                let below = tag_gain[at] + self.gain[child];
                                if below > f32::NEG_INFINITY {
                                    rise(self, entry.second, entry.weight, value * self.inside[child], below);
                                }
                            }
                        }
                    }
                    (false, true) => {
                        let Some(left) = self.row(start, split) else { continue };
                        for (at, (tag, value)) in words.range(split).zip(words.word(split)) {
                            for entry in grammar.phrase_tag.of(tag) {
                                let child = left * stride + entry.first as usize;
                                let below = tag_gain[at] + self.gain[child];
                                if below > f32::NEG_INFINITY {
                                    rise(self, entry.second, entry.weight, value * self.inside[child], below);
                                }
                            }
                        }
                    }
                    (false, false) => {
                        let (Some(left), Some(right)) = (self.row(start, split), self.row(split, end)) else {
                            continue;
                        };
                        for &parent in &alive {
                            for entry in grammar.phrase_phrase.of(parent) {
                                let left = left * stride + entry.first as usize;
                                let right = right * stride + entry.second as usize;
                                let below = self.gain[left] + self.gain[right];
                                if below > f32::NEG_INFINITY {
                                    let values = self.inside[left] * self.inside[right];
                                    rise(self, parent as u32, entry.weight, values, below);
                                }
                            }
                        }
                    }
                }
            }
            if objective == Objective::ConstituentSum {
                for &phrase in &alive {
                    self.gain[parents.start + phrase] += self.posterior(phrase, start, end);
                }
            }
            let gaining = alive.iter().any(|&phrase| self.gain[parents.start + phrase] > f32::NEG_INFINITY);
            self.gaining[self.triangle.cell(start, end)] = gaining;
        }
    }

    /// Whether some symbol of a span can be used.
    #[inline]
    fn gains(&self, start: usize, end: usize) -> bool {
        end == start + 1 || self.gaining[self.triangle.cell(start, end)]
    }

    /// The root with the largest gain.
    pub fn best_gaining_root(&self, grammar: &ChartGrammar, words: &Emissions) -> Option<u32> {
        let n = self.triangle.words();
        if n == 1 {
            return self.best_root(grammar, words);
        }
        let row = self.row(0, n)?;
        let roots = self.active(row).into_iter().filter(|&phrase| grammar.root(phrase) > 0.0);
        best(roots.map(|phrase| (phrase, self.gain[row * self.stride + phrase as usize])))
            .map(|(root, _)| root)
    }

    /// The way to derive `parent` over a span with the largest gain, after [`max_rule`](Self::max_rule).
    pub fn best_gaining_way(
        &self,
        grammar: &ChartGrammar,
        words: &Emissions,
        parent: u32,
        (start, end): (usize, usize),
        objective: Objective,
    ) -> Option<Way> {
        let row = self.row(start, end)?;
        let outside = self.outside[row * self.stride + parent as usize];
        let gain =
            |symbol: u32, start: usize, end: usize| match (symbol as usize).checked_sub(grammar.phrases) {
                None => self
                    .row(start, end)
                    .map_or(f32::NEG_INFINITY, |row| self.gain[row * self.stride + symbol as usize]),
                Some(tag) => {
                    let posterior =
                        self.tag_posteriors(words, start).find(|&(t, _)| t == tag).map_or(0.0, |(_, p)| p);
                    objective.of_tag(posterior)
                }
            };
        let mut top: Option<(Way, f32)> = None;
        let wanted = move |split| self.gains(start, split) && self.gains(split, end);
        for (way, score) in self.ways_at(grammar, words, parent, (start, end), wanted) {
            let below = gain(way.left, start, way.split) + gain(way.right, way.split, end);
            let total = objective.of(score * outside / self.partition) + below;
            if total > f32::NEG_INFINITY && top.is_none_or(|(_, best)| total > best) {
                top = Some((way, total));
            }
        }
        top.map(|(way, _)| way)
    }
}
