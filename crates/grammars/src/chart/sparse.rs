//! Inside and outside passes over the rule applications that a coarse chart leaves.
//!
//! A dense pass multiplies rows of all phrases, which is the fastest way to look at everything. Where a coarse grammar
//! leaves few rule applications ([`Edges`]), it is faster to visit the fine rules behind those. The upward pass records
//! what it visits, so the downward pass and the forest extraction are walks over one list:
//!
//! ```text
//! β(a,i,j)   = Σ p(a→bc) β(b,i,k) β(c,k,j)        over the applications at (a,i,j)
//! α(b,i,k)  += α(a,i,j) p(a→bc) β(c,k,j)          for each application, from the top
//! µ          = α(a,i,j) p(a→bc) β(b,i,k) β(c,k,j) / Z
//! ```
//!
//! Values are scaled by one power of two per span, as in a [`Chart`](super::Chart).

use super::edges::{self, Edges};
use super::emissions::Emissions;
use super::forest::{Forest, Split};
use super::pairs::Pairs;
use super::range::{self, EMPTY, power_of_two};
use super::triangle::Triangle;

const NONE: u32 = u32::MAX;

/// A symbol over a span.
#[derive(Clone, Copy, Debug)]
struct Node {
    symbol: u32,
    /// Its number among right children, or [`NONE`].
    right: u32,
    inside: f32,
}

/// A rule application.
#[derive(Clone, Copy, Debug)]
struct Edge {
    parent: u32,
    left: u32,
    right: u32,
    /// The rule's weight times the factor between scales.
    weight: f32,
    rule: u32,
}

/// A non-empty span.
#[derive(Clone, Copy, Debug)]
struct Cell {
    start: u32,
    end: u32,
    first_node: u32,
    first_edge: u32,
    /// The exponent that normalisation took out after its edges were written.
    shift: i32,
}

/// The nodes and the exponent of a span, by the span's number.
#[derive(Clone, Copy, Debug)]
struct Place {
    first: u32,
    end: u32,
    exponent: i32,
}

const NOWHERE: Place = Place { first: 0, end: 0, exponent: EMPTY };

/// The part of the search space that a coarse chart leaves.
#[derive(Clone, Copy, Debug)]
pub struct Coarse<'c> {
    /// The rule applications that are not negligible.
    pub edges: &'c Edges,
    /// The emissions of the coarse chart.
    pub words: &'c Emissions,
    /// For each fine preterminal, its coarse one and its share of it.
    pub tags: &'c [(usize, f32)],
}

/// Scratch memory and results of the passes over one sentence, reused between sentences.
#[derive(Clone, Debug, Default)]
pub struct SparseChart {
    triangle: Triangle,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    cells: Vec<Cell>,
    places: Vec<Place>,
    outside: Vec<f32>,
    partition: f32,
    /// For each phrase, its most recent node. Node ids increase, so nodes of earlier spans can be recognised.
    last_node: Vec<u32>,
    /// For each child of the coarse chart, its fine nodes.
    below: Vec<(u32, u32)>,
    /// The exponents of the split points of the current span.
    factors: Vec<i32>,
    /// Edges that reach the threshold with their posteriors, in reverse order.
    kept: Vec<(u32, f32)>,
    /// For each node, its id in the forest.
    items: Vec<u32>,
}

impl SparseChart {
    /// Computes inside values over `words` for the fine rules behind the applications of a coarse chart. Skips rule
    /// applications whose posterior is estimated to be below `threshold`; the estimate uses the outside value of the
    /// parent's coarse phrase and the parent's share of it. Returns the natural logarithm of the probability of the
    /// sentence, restricted to what was visited, or `None` if there is no derivation.
    pub fn inside(
        &mut self,
        grammar: &Pairs,
        words: &Emissions,
        coarse: Coarse<'_>,
        threshold: f32,
    ) -> Option<f64> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("popcnt") {
            // SAFETY: the instruction was detected just above.
            return unsafe { self.fill_popcnt(grammar, words, coarse, threshold) };
        }
        self.fill(grammar, words, coarse, threshold)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt")]
    fn fill_popcnt(
        &mut self,
        grammar: &Pairs,
        words: &Emissions,
        coarse: Coarse<'_>,
        threshold: f32,
    ) -> Option<f64> {
        self.fill(grammar, words, coarse, threshold)
    }

    #[inline(always)]
    fn fill(
        &mut self,
        grammar: &Pairs,
        words: &Emissions,
        coarse: Coarse<'_>,
        threshold: f32,
    ) -> Option<f64> {
        let n = words.words();
        self.reset(grammar, n, coarse.edges.children());
        if n == 0 || coarse.edges.triangle() != self.triangle {
            return None;
        }
        for position in 0..n {
            let first = self.nodes.len() as u32;
            let mut from = first;
            for (tag, inside) in words.word(position) {
                let symbol = (grammar.phrases + tag) as u32;
                self.nodes.push(Node { symbol, right: grammar.right_number(symbol), inside });
            }
            // The nodes are in the order of the coarse emissions.
            for at in coarse.words.range(position) {
                let is_below = |node: &&Node| {
                    coarse.tags[node.symbol as usize - grammar.phrases].0 == coarse.words.tags[at] as usize
                };
                let count = self.nodes[from as usize..].iter().take_while(is_below).count() as u32;
                self.below[coarse.edges.tag_number(at)] = (from, from + count);
                from += count;
            }
            let place = Place { first, end: self.nodes.len() as u32, exponent: words.exponent(position) };
            self.places[self.triangle.cell(position, position + 1)] = place;
        }
        for cell in coarse.edges.bottom_up() {
            self.fill_span(grammar, coarse.edges, cell, threshold);
        }
        let top = self.places[self.triangle.cell(0, n)];
        let roots = self.nodes[top.first as usize..top.end as usize].iter();
        self.partition = roots.map(|node| node.inside * grammar.roots[node.symbol as usize]).sum();
        (self.partition > 0.0).then(|| range::log(self.partition, top.exponent))
    }

    fn reset(&mut self, grammar: &Pairs, n: usize, children: usize) {
        self.triangle = Triangle::new(n);
        self.nodes.clear();
        self.edges.clear();
        self.cells.clear();
        self.places.clear();
        self.places.resize(self.triangle.len(), NOWHERE);
        self.last_node.clear();
        self.last_node.resize(grammar.phrases, 0);
        self.below.clear();
        self.below.resize(children, (0, 0));
        self.partition = 0.0;
    }

    #[inline(always)]
    fn fill_span(&mut self, grammar: &Pairs, coarse: &Edges, cell: &edges::Cell, threshold: f32) {
        let (start, end) = (cell.start as usize, cell.end as usize);
        // Factors of the values at each split point; the first entry is for the first split point.
        self.factors.clear();
        self.factors.resize(end - start - 1, EMPTY);
        let mut scale = EMPTY;
        for (split, exponent) in (start + 1..end).zip(&mut self.factors) {
            let left = self.places[self.triangle.cell(start, split)];
            let right = self.places[self.triangle.cell(split, end)];
            if left.exponent != EMPTY && right.exponent != EMPTY {
                *exponent = left.exponent + right.exponent;
                scale = scale.max(*exponent);
            }
        }
        if scale == EMPTY {
            return;
        }
        let first_node = self.nodes.len() as u32;
        let first_edge = self.edges.len() as u32;
        let coarse_scale = power_of_two(scale.saturating_sub(cell.exponent));
        for parent in coarse.parents(cell) {
            let first_child = self.nodes.len() as u32;
            let limit = (threshold / (parent.outside * coarse_scale)).max(f32::MIN_POSITIVE);
            for edge in coarse.below(parent) {
                let exponent = self.factors[edge.split as usize - start - 1];
                let (lefts, rights) = (self.below[edge.left as usize], self.below[edge.right as usize]);
                if exponent == EMPTY || lefts.0 == lefts.1 || rights.0 == rights.1 {
                    continue;
                }
                let factor = power_of_two(exponent - scale);
                for left in lefts.0..lefts.1 {
                    let Node { symbol, inside: left_inside, .. } = self.nodes[left as usize];
                    for right in rights.0..rights.1 {
                        let Node { right: number, inside: right_inside, .. } = self.nodes[right as usize];
                        let below = left_inside * right_inside;
                        let (parents, first_rule) = grammar.parents(symbol, number);
                        for (entry, rule) in parents.iter().zip(first_rule..) {
                            let estimate = entry.share * factor * below;
                            if entry.coarse != parent.symbol || estimate < limit {
                                continue;
                            }
                            let weight = entry.weight * factor;
                            let mut made = self.last_node[entry.parent as usize];
                            if made >= first_node && made != 0 {
                                self.nodes[made as usize].inside += weight * below;
                            } else {
                                made = self.nodes.len() as u32;
                                let right = grammar.right_number(entry.parent);
                                self.nodes.push(Node { symbol: entry.parent, right, inside: weight * below });
                                self.last_node[entry.parent as usize] = made;
                            }
                            self.edges.push(Edge { parent: made, left, right, weight, rule });
                        }
                    }
                }
            }
            self.below[parent.number as usize] = (first_child, self.nodes.len() as u32);
        }
        let made = &mut self.nodes[first_node as usize..];
        let shift = range::exponent_of(made.iter().fold(0.0_f32, |most, node| most.max(node.inside)));
        if shift == EMPTY {
            for parent in coarse.parents(cell) {
                self.below[parent.number as usize] = (0, 0);
            }
            self.nodes.truncate(first_node as usize);
            self.edges.truncate(first_edge as usize);
            return;
        }
        let (half, rest) = (power_of_two(-shift / 2), power_of_two(-shift - (-shift / 2)));
        made.iter_mut().for_each(|node| node.inside = node.inside * half * rest);
        let place = Place { first: first_node, end: self.nodes.len() as u32, exponent: scale + shift };
        self.places[self.triangle.cell(start, end)] = place;
        self.cells.push(Cell { start: cell.start, end: cell.end, first_node, first_edge, shift });
    }

    /// Extracts the rule applications whose posterior reaches `threshold`, after an upward pass. The forest is empty if
    /// they form no complete tree.
    pub fn forest(&mut self, grammar: &Pairs, words: &Emissions, threshold: f32, forest: &mut Forest) {
        let n = words.words();
        forest.begin(n);
        if n == 0 || n != self.triangle.words() || self.partition <= 0.0 {
            return;
        }
        self.descend(grammar, threshold * self.partition);
        self.ascend(grammar, words, threshold * self.partition, forest);
    }

    /// Computes outside values and lists the edges that reach `floor`.
    fn descend(&mut self, grammar: &Pairs, floor: f32) {
        self.outside.clear();
        self.outside.resize(self.nodes.len(), 0.0);
        self.kept.clear();
        let top = self.places[self.triangle.cell(0, self.triangle.words())];
        for at in top.first..top.end {
            self.outside[at as usize] = grammar.roots[self.nodes[at as usize].symbol as usize];
        }
        let mut end_node = self.nodes.len();
        let mut end_edge = self.edges.len();
        for cell in self.cells.iter().rev() {
            let nodes = cell.first_node as usize..end_node;
            let edges = cell.first_edge as usize..end_edge;
            (end_node, end_edge) = (nodes.start, edges.start);
            // The edges have the scale of the span before it was normalised.
            let (half, rest) = (power_of_two(-cell.shift / 2), power_of_two(-cell.shift - (-cell.shift / 2)));
            let mut alive = false;
            for (outside, node) in self.outside[nodes.clone()].iter_mut().zip(&self.nodes[nodes]) {
                let joint = *outside * node.inside;
                let kept = joint >= floor && joint > 0.0;
                *outside = if kept { *outside * half * rest } else { 0.0 };
                alive |= kept;
            }
            if !alive {
                continue;
            }
            for at in edges.rev() {
                let edge = self.edges[at];
                let above = self.outside[edge.parent as usize] * edge.weight;
                let left = self.nodes[edge.left as usize].inside;
                let right = self.nodes[edge.right as usize].inside;
                self.outside[edge.left as usize] += above * right;
                self.outside[edge.right as usize] += above * left;
                let joint = above * left * right;
                if joint >= floor && joint > 0.0 {
                    self.kept.push((at as u32, joint / self.partition));
                }
            }
        }
    }

    /// Builds the forest from the edges that were kept.
    fn ascend(&mut self, grammar: &Pairs, words: &Emissions, floor: f32, forest: &mut Forest) {
        let n = words.words();
        self.items.clear();
        self.items.resize(self.nodes.len(), NONE);
        for position in 0..n {
            let first = self.places[self.triangle.cell(position, position + 1)].first as usize;
            for (node, at) in (first..).zip(words.range(position)) {
                let joint = self.nodes[node].inside * self.outside[node];
                if joint >= floor && joint > 0.0 {
                    self.items[node] = forest.push_preterminal(self.nodes[node].symbol, position, at);
                }
            }
        }
        let Self { nodes, edges, kept, items, .. } = self;
        kept.reverse();
        let mut rest = &mut kept[..];
        for (at, cell) in self.cells.iter().enumerate() {
            let end_edge = self.cells.get(at + 1).map_or(edges.len() as u32, |next| next.first_edge);
            let count = rest.iter().take_while(|&&(edge, _)| edge < end_edge).count();
            let (here, later) = std::mem::take(&mut rest).split_at_mut(count);
            rest = later;
            // The id of the left child grows with its width.
            here.sort_unstable_by_key(|&(edge, _)| {
                let edge = edges[edge as usize];
                (nodes[edge.parent as usize].symbol, edge.rule, edge.left)
            });
            let mut here = here.iter().peekable();
            while let Some(&(at, posterior)) = here.next() {
                let edge = edges[at as usize];
                let (left, right) = (items[edge.left as usize], items[edge.right as usize]);
                if left != NONE && right != NONE {
                    forest.push_split(edge.rule, Split { left, right, posterior });
                }
                if here.peek().is_none_or(|&&(next, _)| edges[next as usize].parent != edge.parent) {
                    let symbol = nodes[edge.parent as usize].symbol;
                    let made = forest.push_phrase(symbol, cell.start as usize, cell.end as usize);
                    items[edge.parent as usize] = made.unwrap_or(NONE);
                }
            }
        }
        let top = self.places[self.triangle.cell(0, n)];
        for node in top.first..top.end {
            let weight = grammar.roots[self.nodes[node as usize].symbol as usize];
            let item = self.items[node as usize];
            if weight > 0.0 && item != NONE {
                forest.push_root(item, weight);
            }
        }
        // Nodes are in the order in which they were visited, roots in the order of their symbols.
        forest.finish();
    }

    /// The numbers of items and of rule applications that the upward pass visited.
    pub fn size(&self) -> (usize, usize) {
        (self.nodes.len(), self.edges.len())
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_case::{Case, PHRASES, TAGS, edges};
    use super::*;
    use crate::chart::{Allowed, Chart, ChartGrammar, Semiring};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// Runs the passes with a grammar that is its own coarse grammar.
    fn forest(
        case: &Case,
        negligible: f32,
        threshold: f32,
        sparse: &mut SparseChart,
    ) -> (Forest, Option<f64>) {
        let grammar = ChartGrammar::new(&case.table, &case.weights, PHRASES);
        let counts = vec![1.0; case.table.len()];
        let pairs = Pairs::new(&case.table, &case.weights, &counts, PHRASES, |phrase| phrase);
        let tags: Vec<(usize, f32)> = (0..TAGS).map(|tag| (tag, 1.0)).collect();
        let (mut chart, mut edges, mut forest) = (Chart::default(), Edges::default(), Forest::default());
        chart.inside(&grammar, &case.words, Allowed::All, Semiring::Sum);
        chart.edges(&grammar, &case.words, negligible, &mut edges);
        let coarse = Coarse { edges: &edges, words: &case.words, tags: &tags };
        let log = sparse.inside(&pairs, &case.words, coarse, 0.0);
        sparse.forest(&pairs, &case.words, threshold, &mut forest);
        (forest, log)
    }

    #[test]
    fn with_all_applications_it_is_the_dense_chart() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut sparse = SparseChart::default();
        let mut found = 0;
        for round in 0..300 {
            let case = Case::random(&mut rng, 1 + round % 5);
            let (dense, expected) = case.forest(0.0);
            let (all, log) = forest(&case, 0.0, 0.0, &mut sparse);
            assert_eq!(log.is_some(), expected.is_some());
            if let (Some(log), Some(expected)) = (log, expected) {
                assert!((log - expected).abs() < 1e-4, "{log} and {expected}");
            }
            assert_eq!(all.items(), dense.items(), "round {round}");
            assert_eq!(all.bundles(), dense.bundles());
            assert_eq!(all.emissions(), dense.emissions());
            assert_eq!(all.roots(), dense.roots());
            for (one, other) in all.all_splits().iter().zip(dense.all_splits()) {
                assert_eq!((one.left, one.right), (other.left, other.right));
                assert!((one.posterior - other.posterior).abs() < 1e-4);
            }
            found += all.bundles().len();
            // With a threshold, everything below phrases that do not reach it drops out.
            let (probable, _) = forest(&case, 0.0, 0.01, &mut sparse);
            let dense = edges(&dense);
            for (edge, posterior) in edges(&probable) {
                assert!(posterior >= 0.01 && posterior <= dense[&edge] + 1e-4);
            }
        }
        assert!(found > 1000);
    }

    #[test]
    fn what_the_coarse_chart_finds_negligible_is_all_that_is_lost() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut sparse = SparseChart::default();
        let mut lost = 0;
        for round in 0..300 {
            let case = Case::random(&mut rng, 2 + round % 4);
            let (forest, log) = forest(&case, 1e-3, 0.0, &mut sparse);
            let kept = edges(&forest);
            // Each application that drops out takes at most its posterior from those above and below it.
            let sum: f64 = case.edges.values().filter(|&&sum| sum < 1.1e-3 * case.total).sum();
            for (edge, &probability) in &case.edges {
                if probability > 1e-3 * case.total + 2.0 * sum {
                    assert!(kept.contains_key(edge), "round {round}: {edge:?} is lost");
                }
            }
            if let Some(log) = log {
                assert!(log <= case.total.ln() + 1e-4);
                assert!(log.exp() >= case.total - 2.0 * sum - 1e-4 * case.total);
            }
            lost += case.edges.len() - kept.len();
        }
        assert!(lost > 0, "nothing was negligible");
    }
}
