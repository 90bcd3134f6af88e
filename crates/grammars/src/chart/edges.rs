//! A downward pass that records what it visits: the rule applications of a coarse chart that are not negligible.
//!
//! ```text
//! α(b,i,k) = Σ α(a,i,j) p(a→bc) β(c,k,j)    over applications with α(a,i,j) p(a→bc) β(b,i,k) β(c,k,j) ≥ negligible · Z
//! ```
//!
//! A full downward pass ([`Chart::outside`]) needs every application for its sums. Here most are skipped in bulk:
//! scaled inside values are below 2, so a rule application is at most four times the parent's outside value times the
//! rule's weight times the factor between scales. A parent's rules are visited from the heaviest until that bound is
//! negligible.

use super::emissions::Emissions;
use super::grammar::ChartGrammar;
use super::range::{EMPTY, power_of_two};
use super::storage::Chart;
use super::triangle::Triangle;

const NONE: u32 = u32::MAX;

/// A rule application below a parent. Children are numbered as in [`Edges::children`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) left: u32,
    pub(super) right: u32,
    pub(super) split: u32,
    /// The next edge below the same parent, or none.
    next: u32,
}

/// A phrase over a span.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parent {
    pub(super) symbol: u32,
    /// Its number as a child of others.
    pub(super) number: u32,
    /// α̂ / Ẑ.
    pub(super) outside: f32,
    first: u32,
}

/// A span with its parents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The exponent of its inside values.
    pub(super) exponent: i32,
    first_parent: u32,
    end_parent: u32,
}

/// Rule applications of one sentence, by span and parent. Reused between sentences to keep its memory.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    triangle: Triangle,
    /// Largest spans first.
    cells: Vec<Cell>,
    parents: Vec<Parent>,
    edges: Vec<Edge>,
    /// Number of child ids: one per phrase of each row, then one per emission.
    children: usize,
    first_tag: usize,
    /// Emissions whose posterior is not negligible.
    tags: Vec<bool>,
    /// For each phrase, the last edge below it in the current span.
    heads: Vec<u32>,
    /// The phrases of the current span, with their outside values.
    alive: Vec<(u32, f32)>,
    /// Outside values by phrase; 0 for phrases that are not alive.
    above: Vec<f32>,
    /// For each preterminal, its emission at the second word of a two-word span, or none.
    at_second: Vec<u32>,
}

impl Edges {
    /// The chart geometry.
    pub(super) fn triangle(&self) -> Triangle {
        self.triangle
    }

    /// The spans, smallest first, then from left to right.
    pub(super) fn bottom_up(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().rev()
    }

    /// The phrases of a span.
    pub(super) fn parents(&self, cell: &Cell) -> &[Parent] {
        &self.parents[cell.first_parent as usize..cell.end_parent as usize]
    }

    /// The rule applications below a phrase.
    #[inline]
    pub(super) fn below(&self, parent: &Parent) -> impl Iterator<Item = &Edge> {
        let mut next = parent.first;
        std::iter::from_fn(move || {
            let edge = self.edges.get(next as usize)?;
            next = edge.next;
            Some(edge)
        })
    }

    /// The number of child ids.
    pub(super) fn children(&self) -> usize {
        self.children
    }

    /// The child id of a preterminal, given its index in the emissions.
    pub(super) fn tag_number(&self, emission: usize) -> usize {
        self.first_tag + emission
    }

    /// Whether an emission's posterior is not negligible.
    pub fn keeps_tag(&self, emission: usize) -> bool {
        self.tags[emission]
    }

    /// The number of rule applications.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there are no rule applications.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    fn clear(&mut self, triangle: Triangle) {
        self.triangle = triangle;
        self.cells.clear();
        self.parents.clear();
        self.edges.clear();
        self.tags.clear();
    }

    #[inline]
    fn push(&mut self, parent: u32, left: usize, right: usize, split: usize) {
        let head = &mut self.heads[parent as usize];
        let edge = Edge { left: left as u32, right: right as u32, split: split as u32, next: *head };
        *head = self.edges.len() as u32;
        self.edges.push(edge);
    }
}

impl Chart {
    /// Computes outside values after an upward pass in [`Semiring::Sum`](super::Semiring::Sum), using only the rule
    /// applications whose posterior is at least `negligible`, and records these applications.
    pub fn edges(&mut self, grammar: &ChartGrammar, words: &Emissions, negligible: f32, edges: &mut Edges) {
        let n = words.words();
        edges.clear(self.triangle);
        self.outside.clear();
        self.outside.resize(self.inside.len(), 0.0);
        self.tag_outside.clear();
        self.tag_outside.resize(words.tags.len(), 0.0);
        edges.first_tag = self.inside.len();
        edges.children = edges.first_tag + words.tags.len();
        if n == 0 || self.partition <= 0.0 {
            edges.tags.resize(words.tags.len(), false);
            return;
        }
        edges.heads.clear();
        edges.heads.resize(grammar.phrases, NONE);
        edges.above.clear();
        edges.above.resize(grammar.phrases, 0.0);
        edges.at_second.clear();
        edges.at_second.resize(grammar.tags, NONE);
        let floor = (negligible * self.partition).max(f32::MIN_POSITIVE);
        if n == 1 {
            for (at, (tag, _)) in words.word(0).enumerate() {
                self.tag_outside[at] = grammar.roots[grammar.phrases + tag];
            }
        } else if let Some(row) = self.row(0, n) {
            self.outside[row * self.stride..][..grammar.phrases]
                .copy_from_slice(&grammar.roots[..grammar.phrases]);
        }
        for width in (2..=n).rev() {
            for start in (0..=n - width).rev() {
                if let Some(row) = self.row(start, start + width) {
                    self.walk(grammar, words, floor, (start, start + width, row), edges);
                }
            }
        }
        let posteriors = words.values.iter().zip(&self.tag_outside);
        edges.tags.extend(posteriors.map(|(inside, outside)| inside * outside >= floor));
    }

    /// Visits one span.
    fn walk(
        &mut self,
        grammar: &ChartGrammar,
        words: &Emissions,
        floor: f32,
        (start, end, row): (usize, usize, usize),
        edges: &mut Edges,
    ) {
        let range = row * self.stride..(row + 1) * self.stride;
        edges.alive.clear();
        let joint = self.inside[range.clone()].iter().zip(&self.outside[range]);
        for (phrase, (&inside, &outside)) in joint.enumerate() {
            if inside * outside >= floor {
                edges.alive.push((phrase as u32, outside));
            }
        }
        if edges.alive.is_empty() {
            return;
        }
        for &(phrase, outside) in &edges.alive {
            edges.above[phrase as usize] = outside;
        }
        if end == start + 2 {
            self.walk_two_tags(grammar, words, floor, (start, row), edges);
        } else {
            self.walk_one_tag(grammar, words, floor, (start, end, row), edges);
        }
        for split in start + 2..(end - 1).max(start + 2) {
            let (Some(left), Some(right)) = (self.row(start, split), self.row(split, end)) else { continue };
            let factor = power_of_two(self.exponents[left] + self.exponents[right] - self.exponents[row]);
            let (left, right) = (left * self.stride, right * self.stride);
            let left_inside = &self.inside[left..][..self.stride];
            let right_inside = &self.inside[right..][..self.stride];
            for at in 0..edges.alive.len() {
                let (parent, outside) = edges.alive[at];
                let above = outside * factor;
                for entry in grammar.heaviest.of(parent as usize) {
                    let weight = above * entry.weight;
                    if weight * 4.0 < floor {
                        break;
                    }
                    let below = (left_inside[entry.first as usize], right_inside[entry.second as usize]);
                    if weight * below.0 * below.1 >= floor {
                        let (left, right) = (left + entry.first as usize, right + entry.second as usize);
                        self.outside[left] += weight * below.1;
                        self.outside[right] += weight * below.0;
                        edges.push(parent, left, right, split);
                    }
                }
            }
        }
        let first_parent = edges.parents.len() as u32;
        for &(symbol, outside) in &edges.alive {
            let first = std::mem::replace(&mut edges.heads[symbol as usize], NONE);
            edges.above[symbol as usize] = 0.0;
            if first != NONE {
                let number = (row * self.stride) as u32 + symbol;
                edges.parents.push(Parent { symbol, number, outside: outside / self.partition, first });
            }
        }
        let end_parent = edges.parents.len() as u32;
        let exponent = self.exponents[row];
        edges.cells.push(Cell { start: start as u32, end: end as u32, exponent, first_parent, end_parent });
    }

    /// Rules with two preterminals.
    fn walk_two_tags(
        &mut self,
        grammar: &ChartGrammar,
        words: &Emissions,
        floor: f32,
        (start, row): (usize, usize),
        edges: &mut Edges,
    ) {
        let (left, right) = (words.exponent(start), words.exponent(start + 1));
        if left == EMPTY || right == EMPTY {
            return;
        }
        let factor = power_of_two(left + right - self.exponents[row]);
        for at in words.range(start + 1) {
            edges.at_second[words.tags[at] as usize] = at as u32;
        }
        for left in words.range(start) {
            for entry in grammar.tag_tag.of(words.tags[left] as usize) {
                let right = edges.at_second[entry.first as usize];
                let above = edges.above[entry.second as usize] * entry.weight * factor;
                if right == NONE || above == 0.0 {
                    continue;
                }
                let right = right as usize;
                if above * words.values[left] * words.values[right] >= floor {
                    self.tag_outside[left] += above * words.values[right];
                    self.tag_outside[right] += above * words.values[left];
                    edges.push(entry.second, edges.first_tag + left, edges.first_tag + right, start + 1);
                }
            }
        }
        for at in words.range(start + 1) {
            edges.at_second[words.tags[at] as usize] = NONE;
        }
    }

    /// Rules with one preterminal: the first and the last split point.
    fn walk_one_tag(
        &mut self,
        grammar: &ChartGrammar,
        words: &Emissions,
        floor: f32,
        (start, end, row): (usize, usize, usize),
        edges: &mut Edges,
    ) {
        let sides = [
            (start, self.row(start + 1, end), start + 1, &grammar.tag_phrase),
            (end - 1, self.row(start, end - 1), end - 1, &grammar.phrase_tag),
        ];
        for (position, other, split, rules) in sides {
            let Some(other) = other else { continue };
            if words.exponent(position) == EMPTY {
                continue;
            }
            let factor = power_of_two(words.exponent(position) + self.exponents[other] - self.exponents[row]);
            for at in words.range(position) {
                let value = words.values[at] * factor;
                for entry in rules.of(words.tags[at] as usize) {
                    let above = edges.above[entry.second as usize] * entry.weight;
                    let child = other * self.stride + entry.first as usize;
                    let inside = self.inside[child];
                    if above * value * inside >= floor {
                        self.tag_outside[at] += above * factor * inside;
                        self.outside[child] += above * value;
                        let tag = edges.first_tag + at;
                        let (left, right) = if position == start { (tag, child) } else { (child, tag) };
                        edges.push(entry.second, left, right, split);
                    }
                }
            }
        }
    }
}
