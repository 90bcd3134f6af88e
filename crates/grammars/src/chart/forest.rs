//! A packed forest: the rule applications of a sentence that matter, extracted from a chart.
//!
//! A rule `a → b c` over `i..j` with the split point `k` has the posterior
//!
//! ```text
//! µ(a→bc,i,k,j) = α(a,i,j) p(a→bc) β(b,i,k) β(c,k,j) / Z
//! ```
//!
//! and all but a few are negligible. A model that is costly to apply, such as one with latent states, then runs over
//! those few alone. Applications that differ only in the split point are grouped in a [`Bundle`], since such a model
//! does most of its work once per rule and span. Everything in a forest is part of some complete tree within it: items
//! that lost their children or cannot reach a root are dropped too.

use std::ops::Range;

use super::emissions::Emissions;
use super::grammar::ChartGrammar;
use super::range::{EMPTY, power_of_two};
use super::storage::Chart;

/// A symbol over a span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    /// The symbol, with preterminals after phrases.
    pub symbol: u32,
    /// The first word.
    pub start: u32,
    /// The word after the last.
    pub end: u32,
}

/// A rule at a parent, with its split points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// The rule's id.
    pub rule: u32,
    /// The item of the parent.
    pub parent: u32,
    first: u32,
    end: u32,
}

impl Bundle {
    /// The indices of its split points in [`Forest::all_splits`].
    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// The children of a rule at one split point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Split {
    /// The item of the left child.
    pub left: u32,
    /// The item of the right child.
    pub right: u32,
    /// The posterior of the rule application.
    pub posterior: f32,
}

/// Items, bundles and split points, bottom-up. Reused between sentences to keep its memory.
///
/// Items are the preterminals of all words from left to right, then phrases by width and start. Bundles are sorted by
/// parent, then by rule; split points by bundle, then from left to right.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Forest {
    words: usize,
    items: Vec<Item>,
    /// For each preterminal, its index in the emissions.
    emissions: Vec<u32>,
    /// The bundles of item `x` are `bundles[starts[x]..starts[x + 1]]`.
    starts: Vec<u32>,
    bundles: Vec<Bundle>,
    splits: Vec<Split>,
    roots: Vec<(u32, f32)>,
    /// Scratch memory: the new id of each item, or [`GONE`].
    renumbered: Vec<u32>,
}

const GONE: u32 = u32::MAX;

impl Forest {
    /// The number of words in the sentence.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Whether the forest has no tree.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// All items, children before parents.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The number of preterminal items; they come first.
    pub fn preterminals(&self) -> usize {
        self.emissions.len()
    }

    /// For each preterminal, its index in the [`Emissions`] that the forest was built from.
    pub fn emissions(&self) -> &[u32] {
        &self.emissions
    }

    /// All bundles, in the order of their parents.
    pub fn bundles(&self) -> &[Bundle] {
        &self.bundles
    }

    /// The bundles of one parent.
    #[inline]
    pub fn bundles_of(&self, item: usize) -> &[Bundle] {
        &self.bundles[self.bundle_range(item)]
    }

    /// The indices of one parent's bundles.
    #[inline]
    pub fn bundle_range(&self, item: usize) -> Range<usize> {
        self.starts[item] as usize..self.starts[item + 1] as usize
    }

    /// All split points, in the order of their bundles: the rule applications.
    pub fn all_splits(&self) -> &[Split] {
        &self.splits
    }

    /// The split points of a bundle.
    #[inline]
    pub fn splits(&self, bundle: &Bundle) -> &[Split] {
        &self.splits[bundle.range()]
    }

    /// The items over the whole sentence that can be the root, each with the root probability of its symbol.
    pub fn roots(&self) -> &[(u32, f32)] {
        &self.roots
    }

    /// Removes everything but keeps the memory.
    pub fn clear(&mut self) {
        self.words = 0;
        self.items.clear();
        self.emissions.clear();
        self.starts.clear();
        self.starts.push(0);
        self.bundles.clear();
        self.splits.clear();
        self.roots.clear();
    }

    /// Starts the forest of a sentence.
    pub(super) fn begin(&mut self, words: usize) {
        self.clear();
        self.words = words;
    }

    /// Adds the next preterminal and returns its id.
    pub(super) fn push_preterminal(&mut self, symbol: u32, position: usize, emission: usize) -> u32 {
        self.emissions.push(emission as u32);
        self.push_item(symbol, position, position + 1);
        self.items.len() as u32 - 1
    }

    /// Adds a phrase with all rule applications pushed since the last phrase, and returns its id. Without applications
    /// there is no such item.
    pub(super) fn push_phrase(&mut self, symbol: u32, start: usize, end: usize) -> Option<u32> {
        let from = self.starts.last().map_or(0, |&start| start as usize);
        (from < self.bundles.len()).then(|| {
            self.push_item(symbol, start, end);
            self.items.len() as u32 - 1
        })
    }

    fn push_item(&mut self, symbol: u32, start: usize, end: usize) {
        self.items.push(Item { symbol, start: start as u32, end: end as u32 });
        self.starts.push(self.bundles.len() as u32);
    }

    /// Adds a rule application to the next phrase. Applications of the same rule must be consecutive.
    #[inline]
    pub(super) fn push_split(&mut self, rule: u32, split: Split) {
        let parent = self.items.len() as u32;
        let end = self.splits.len() as u32 + 1;
        self.splits.push(split);
        match self.bundles.last_mut() {
            Some(last) if last.parent == parent && last.rule == rule => last.end = end,
            _ => self.bundles.push(Bundle { rule, parent, first: end - 1, end }),
        }
    }

    /// Adds a root.
    pub(super) fn push_root(&mut self, item: u32, weight: f32) {
        self.roots.push((item, weight));
    }

    /// Keeps the rule applications whose posterior reaches `threshold`; `posteriors` are in the order of
    /// [`all_splits`](Self::all_splits). Leaves the forest as it is, and returns `false`, if they form no complete tree.
    pub(crate) fn prune(&mut self, posteriors: &[f32], threshold: f32, scratch: &mut Forest) -> bool {
        scratch.begin(self.words);
        let renumbered = &mut self.renumbered;
        renumbered.clear();
        renumbered.resize(self.items.len(), GONE);
        for (number, item) in self.items.iter().enumerate() {
            if let Some(&emission) = self.emissions.get(number) {
                renumbered[number] =
                    scratch.push_preterminal(item.symbol, item.start as usize, emission as usize);
                continue;
            }
            for bundle in &self.bundles[self.starts[number] as usize..self.starts[number + 1] as usize] {
                for at in bundle.range().filter(|&at| posteriors[at] >= threshold) {
                    let Split { left, right, posterior } = self.splits[at];
                    let (left, right) = (renumbered[left as usize], renumbered[right as usize]);
                    if left != GONE && right != GONE {
                        scratch.push_split(bundle.rule, Split { left, right, posterior });
                    }
                }
            }
            let phrase = scratch.push_phrase(item.symbol, item.start as usize, item.end as usize);
            renumbered[number] = phrase.unwrap_or(GONE);
        }
        for &(root, weight) in self.roots.iter().filter(|(root, _)| renumbered[*root as usize] != GONE) {
            scratch.push_root(renumbered[root as usize], weight);
        }
        scratch.finish();
        let has_tree = !scratch.roots.is_empty();
        if has_tree {
            std::mem::swap(self, scratch);
        }
        has_tree
    }

    /// Drops everything that no root reaches. Children exist before their parents are pushed, so every item reached has
    /// a tree.
    pub(super) fn finish(&mut self) {
        let renumbered = &mut self.renumbered;
        renumbered.clear();
        renumbered.resize(self.items.len(), GONE);
        for &(root, _) in &self.roots {
            renumbered[root as usize] = 0;
        }
        for bundle in self.bundles.iter().rev().copied() {
            if renumbered[bundle.parent as usize] != GONE {
                for split in &self.splits[bundle.range()] {
                    renumbered[split.left as usize] = 0;
                    renumbered[split.right as usize] = 0;
                }
            }
        }
        let preterminals = self.emissions.len();
        let (mut items, mut emissions, mut bundles, mut splits) = (0, 0, 0, 0);
        for item in 0..self.items.len() {
            let range = self.starts[item] as usize..self.starts[item + 1] as usize;
            if renumbered[item] == GONE {
                continue;
            }
            renumbered[item] = items as u32;
            self.items[items] = self.items[item];
            if item < preterminals {
                self.emissions[emissions] = self.emissions[item];
                emissions += 1;
            }
            for at in range {
                let bundle = self.bundles[at];
                let first = splits;
                for from in bundle.range() {
                    let Split { left, right, posterior } = self.splits[from];
                    let (left, right) = (renumbered[left as usize], renumbered[right as usize]);
                    self.splits[splits] = Split { left, right, posterior };
                    splits += 1;
                }
                let (parent, first, end) = (items as u32, first as u32, splits as u32);
                self.bundles[bundles] = Bundle { rule: bundle.rule, parent, first, end };
                bundles += 1;
            }
            items += 1;
            self.starts[items] = bundles as u32;
        }
        self.items.truncate(items);
        self.emissions.truncate(emissions);
        self.starts.truncate(items + 1);
        self.bundles.truncate(bundles);
        self.splits.truncate(splits);
        self.roots.iter_mut().for_each(|(root, _)| *root = renumbered[*root as usize]);
    }
}

impl Chart {
    /// Extracts the rule applications whose posterior reaches `threshold`. Needs an outside pass with a limit not above
    /// it. The forest is empty if the applications form no complete tree.
    pub fn forest(&self, grammar: &ChartGrammar, words: &Emissions, threshold: f32, forest: &mut Forest) {
        let n = words.words();
        forest.begin(n);
        if n == 0 || self.partition <= 0.0 || self.tag_outside.len() != words.tags.len() {
            return;
        }
        let reaches = |posterior: f32| posterior > 0.0 && posterior >= threshold;
        // The items of each span are contiguous, phrases sorted by symbol.
        let mut cells: Vec<Range<usize>> = vec![0..0; self.triangle.len()];
        for position in 0..n {
            let first = forest.items.len();
            for at in words.range(position) {
                if reaches(words.values[at] * self.tag_outside[at] / self.partition) {
                    forest.push_preterminal(grammar.phrases as u32 + words.tags[at], position, at);
                }
            }
            cells[self.triangle.cell(position, position + 1)] = first..forest.items.len();
        }
        let mut splits: Vec<(usize, f32)> = Vec::new();
        for (start, end) in self.triangle.bottom_up(2) {
            let Some(row) = self.row(start, end) else { continue };
            splits.clear();
            for split in start + 1..end {
                let (left, right) = (self.exponent(words, start, split), self.exponent(words, split, end));
                let alive = |start, end| !cells[self.triangle.cell(start, end)].is_empty();
                if left != EMPTY && right != EMPTY && alive(start, split) && alive(split, end) {
                    splits.push((split, power_of_two(left + right - self.exponents[row]) / self.partition));
                }
            }
            let first = forest.items.len();
            for parent in self.active(row) {
                let at = row * self.stride + parent as usize;
                if splits.is_empty() || !reaches(self.inside[at] * self.outside[at] / self.partition) {
                    continue;
                }
                for entry in grammar.by_parent.of(parent as usize) {
                    let above = self.outside[at] * entry.weight;
                    for &(split, factor) in &splits {
                        let left = self.scaled(grammar, forest, &cells, words, entry.first, (start, split));
                        let Some((left, left_value)) = left else { continue };
                        let right = self.scaled(grammar, forest, &cells, words, entry.second, (split, end));
                        let Some((right, right_value)) = right else { continue };
                        let posterior = above * factor * left_value * right_value;
                        if reaches(posterior) {
                            forest.push_split(entry.rule, Split { left, right, posterior });
                        }
                    }
                }
                forest.push_phrase(parent, start, end);
            }
            cells[self.triangle.cell(start, end)] = first..forest.items.len();
        }
        for item in cells[self.triangle.cell(0, n)].clone() {
            let weight = grammar.root(forest.items[item].symbol);
            if weight > 0.0 {
                forest.push_root(item as u32, weight);
            }
        }
        forest.finish();
    }

    /// The item of a symbol in a span, with its scaled inside value.
    #[inline]
    fn scaled(
        &self,
        grammar: &ChartGrammar,
        forest: &Forest,
        cells: &[Range<usize>],
        words: &Emissions,
        symbol: u32,
        (start, end): (usize, usize),
    ) -> Option<(u32, f32)> {
        let single = end == start + 1;
        if (symbol as usize >= grammar.phrases) != single {
            return None;
        }
        let range = cells[self.triangle.cell(start, end)].clone();
        let found = if single {
            // There are few, in the order of the emissions.
            forest.items[range.clone()].iter().position(|item| item.symbol == symbol)?
        } else {
            forest.items[range.clone()].binary_search_by_key(&symbol, |item| item.symbol).ok()?
        };
        let item = range.start + found;
        let value = if single {
            words.values[forest.emissions[item] as usize]
        } else {
            self.inside_row(self.row(start, end)?)[symbol as usize]
        };
        Some((item as u32, value))
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_case::{Case, PHRASES, edges};
    use super::*;
    use corpus::ids::Id;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Checks order, ranges, agreement of bundles with rules and items, and that everything is in a complete tree.
    fn check_structure(case: &Case, forest: &Forest) {
        let items = forest.items();
        let n = case.words.words();
        let order = |item: &Item| (item.end - item.start, item.start);
        assert!(items.windows(2).all(|pair| order(&pair[0]) <= order(&pair[1])));
        for (at, &emission) in forest.emissions().iter().enumerate() {
            let (item, emission) = (items[at], emission as usize);
            assert!(case.words.range(item.start as usize).contains(&emission));
            assert_eq!(item.symbol as usize, PHRASES + case.words.tags[emission] as usize);
        }
        let mut used = vec![false; items.len()];
        forest.roots().iter().for_each(|&(root, weight)| {
            let item = items[root as usize];
            assert_eq!((item.start, item.end as usize), (0, n));
            assert_eq!(weight, case.weights.roots[item.symbol as usize]);
            used[root as usize] = true;
        });
        let mut splits = 0;
        for (at, item) in items.iter().enumerate().rev() {
            assert!(used[at], "nothing above {item:?}");
            assert_eq!(at < forest.preterminals(), item.symbol as usize >= PHRASES);
            let bundles = forest.bundles_of(at);
            assert_eq!(bundles.is_empty(), at < forest.preterminals(), "nothing below {item:?}");
            assert!(bundles.windows(2).all(|pair| pair[0].rule != pair[1].rule));
            for bundle in bundles {
                assert_eq!(bundle.parent as usize, at);
                let rule = case.table.rules()[bundle.rule as usize];
                assert_eq!(rule.parent.index(), item.symbol as usize);
                for split in forest.splits(bundle) {
                    let (left, right) = (items[split.left as usize], items[split.right as usize]);
                    assert_eq!((left.start, left.end, right.end), (item.start, right.start, item.end));
                    assert_eq!(
                        (left.symbol as usize, right.symbol as usize),
                        (rule.left.index(), rule.right.index())
                    );
                    used[split.left as usize] = true;
                    used[split.right as usize] = true;
                    splits += 1;
                }
            }
        }
        assert_eq!(splits, forest.all_splits().len());
    }

    fn inside(case: &Case, forest: &Forest) -> f64 {
        let mut values = vec![0.0_f64; forest.items().len()];
        for at in 0..values.len() {
            values[at] = match forest.emissions().get(at) {
                Some(&emission) => {
                    let exponent = case.words.exponent(forest.items()[at].start as usize);
                    f64::from(case.words.values[emission as usize]) * 2.0_f64.powi(exponent)
                }
                None => forest
                    .bundles_of(at)
                    .iter()
                    .map(|bundle| {
                        let products = forest
                            .splits(bundle)
                            .iter()
                            .map(|s| values[s.left as usize] * values[s.right as usize]);
                        f64::from(case.weights.rules[bundle.rule as usize]) * products.sum::<f64>()
                    })
                    .sum(),
            };
        }
        forest.roots().iter().map(|&(root, weight)| f64::from(weight) * values[root as usize]).sum()
    }

    #[test]
    fn everything_is_what_enumeration_finds() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut parsed = 0;
        for round in 0..300 {
            let case = Case::random(&mut rng, 1 + round % 5);
            let (forest, log) = case.forest(0.0);
            check_structure(&case, &forest);
            assert_eq!(forest.is_empty(), case.total == 0.0);
            assert_eq!(log.is_none(), case.total == 0.0);
            let found = edges(&forest);
            assert!(found.keys().eq(case.edges.keys()), "round {round}");
            for (edge, posterior) in found {
                assert!((f64::from(posterior) - case.edges[&edge] / case.total).abs() < 1e-4);
            }
            assert!((inside(&case, &forest) - case.total).abs() <= 1e-5 * case.total);
            parsed += usize::from(case.total > 0.0 && !case.edges.is_empty());
        }
        assert!(parsed > 100, "only {parsed} of the sentences have a derivation");
    }

    #[test]
    fn a_forest_can_be_pruned_after_it_was_made() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let (mut smaller, mut without_tree) = (0, 0);
        for round in 0..200 {
            let case = Case::random(&mut rng, 2 + round % 4);
            let (whole, _) = case.forest(0.0);
            let posteriors: Vec<f32> = whole.all_splits().iter().map(|split| split.posterior).collect();
            for threshold in [1e-3, 0.03, 0.2, 0.9] {
                let (mut pruned, mut scratch) = (whole.clone(), Forest::default());
                let (expected, _) = case.forest(threshold);
                assert_eq!(pruned.prune(&posteriors, threshold, &mut scratch), !expected.is_empty());
                check_structure(&case, &pruned);
                if expected.is_empty() {
                    assert_eq!(pruned.all_splits(), whole.all_splits());
                    without_tree += usize::from(!whole.is_empty());
                } else {
                    assert!(edges(&pruned).keys().eq(edges(&expected).keys()), "round {round}");
                    smaller += usize::from(pruned.all_splits().len() < whole.all_splits().len());
                }
            }
        }
        assert!(smaller > 50 && without_tree > 0, "{smaller}, {without_tree}");
    }

    #[test]
    fn what_is_kept_reaches_the_threshold_and_is_connected() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut dropped_for_their_place = 0;
        for round in 0..300 {
            let case = Case::random(&mut rng, 2 + round % 4);
            for threshold in [1e-3, 0.03, 0.2] {
                let (forest, _) = case.forest(threshold);
                check_structure(&case, &forest);
                let found = edges(&forest);
                let reach = |&&sum: &&f64| sum / case.total >= f64::from(threshold);
                assert!(found.values().all(|&posterior| posterior >= threshold));
                assert!(found.len() <= case.edges.values().filter(reach).count() + 1);
                dropped_for_their_place +=
                    case.edges.values().filter(reach).count().saturating_sub(found.len());
                // An edge stays if some derivation contains it and all edges of that derivation reach the threshold.
                for root in 0..PHRASES {
                    for (probability, steps) in case.derivations(root, 0, case.words.words()) {
                        let whole = steps.iter().all(|step| {
                            case.edges
                                .get(step)
                                .is_some_and(|sum| sum / case.total >= 1.0001 * f64::from(threshold))
                        });
                        if probability > 0.0 && case.weights.roots[root] > 0.0 && whole {
                            assert!(steps.iter().all(|step| found.contains_key(step)));
                        }
                    }
                }
            }
        }
        assert!(dropped_for_their_place > 0, "the sweeps had nothing to do");
    }
}
