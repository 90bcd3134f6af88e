//! Features of spans and of rule applications.
//!
//! A feature is a fact about the surface, such as "the word before the span is *of* and its first tag is DT", together
//! with a name: the label of the node and its top for spans, the rule and the parent's top for rule applications. Its
//! hash is the place of its weight; features that share a place share the weight, which does little harm. Templates and
//! hashes say where a model file keeps its weights, so they must not change without a new version ([`Templates`]).

use super::lattice::Lattice;
use super::view::View;
use crate::lexicon::Lexicon;

/// 2⁶⁴ divided by the golden ratio.
const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xbf58_476d_1ce4_e5b9;

/// Which features a model has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Templates {
    /// Words and tags.
    #[default]
    Words,
    /// Also clusters of words.
    Clusters,
}

impl Templates {
    /// The templates for the words of a lexicon.
    pub(super) fn of(lexicon: &Lexicon) -> Self {
        match lexicon.has_clusters() {
            true => Self::Clusters,
            false => Self::Words,
        }
    }

    /// The version in a model file.
    pub(super) fn version(self) -> u32 {
        match self {
            Self::Words => 1,
            Self::Clusters => 2,
        }
    }
}

/// Adds a value to a hash.
#[inline]
fn mix(hash: u64, value: u64) -> u64 {
    let mixed = (hash.rotate_left(25) ^ value).wrapping_mul(FIRST);
    mixed ^ (mixed >> 29)
}

/// A fact of a kind.
#[inline]
fn fact<const N: usize>(kind: u64, values: [u64; N]) -> u64 {
    values.into_iter().fold(kind, mix)
}

/// The place of the feature of a fact and a name.
#[inline]
fn place(fact: u64, name: u64, mask: u32) -> u32 {
    let mixed = (fact ^ name.rotate_left(17)).wrapping_mul(SECOND);
    ((mixed ^ (mixed >> 31)) >> 7) as u32 & mask
}

/// The class of a length.
fn length(words: usize) -> u64 {
    match words {
        0..=5 => words as u64,
        6..=7 => 6,
        8..=10 => 7,
        11..=15 => 8,
        16..=25 => 9,
        26..=40 => 10,
        _ => 11,
    }
}

/// The class of a log posterior.
fn level(log: f32) -> u64 {
    (-1.5 * log).clamp(0.0, 14.0) as u64
}

/// Up to this length all tags of a span are one fact.
const SHORT: usize = 5;

impl View {
    /// Facts about a preterminal at a position.
    fn word_facts(&self, at: usize, out: &mut Vec<u64>) {
        let (before2, before, word) = (self.near(at, -2), self.near(at, -1), self.near(at, 0));
        let (after, after2) = (self.near(at, 1), self.near(at, 2));
        out.extend([
            fact(101, [word.word]),
            fact(102, [word.signature, word.shape]),
            fact(103, [word.tag]),
            fact(104, [before.word, word.tag]),
            fact(105, [after.word, word.tag]),
            fact(106, [before.tag, after.tag]),
            fact(107, [before.tag, word.tag, after.tag]),
            fact(109, [before.word, word.word]),
            fact(110, [word.word, after.word]),
            fact(111, [before2.tag, before.tag, word.tag]),
            fact(112, [word.tag, after.tag, after2.tag]),
            fact(113, [before.tag, word.word]),
            fact(114, [word.word, after.tag]),
            fact(115, [word.form]),
        ]);
        if self.templates == Templates::Clusters {
            let [before, own, after] = [before, word, after].map(|word| word.clusters);
            out.extend([
                fact(121, [own.whole]),
                fact(122, [own.middle]),
                fact(123, [before.long, own.long]),
                fact(124, [own.long, after.long]),
                fact(125, [before.long, word.tag]),
                fact(126, [word.tag, after.long]),
            ]);
        }
    }

    /// Facts about a span of two or more words.
    fn span_facts(&self, start: usize, end: usize, out: &mut Vec<u64>) {
        let (before2, before) = (self.near(start, -2), self.near(start, -1));
        let (first, second) = (self.near(start, 0), self.near(start, 1));
        let (last2, last) = (self.near(end, -2), self.near(end, -1));
        let (after, after2) = (self.near(end, 0), self.near(end, 1));
        let size = length(end - start);
        out.extend([
            fact(1, [first.word]),
            fact(2, [last.word]),
            fact(3, [before.word]),
            fact(4, [after.word]),
            fact(5, [before.tag, first.tag]),
            fact(6, [last.tag, after.tag]),
            fact(7, [first.tag, last.tag]),
            fact(8, [before.tag, after.tag]),
            fact(9, [before.word, first.word]),
            fact(10, [last.word, after.word]),
            fact(11, [first.word, last.word]),
            fact(12, [before.word, after.word]),
            fact(13, [size]),
            fact(14, [size, first.tag]),
            fact(15, [size, last.tag]),
            fact(16, [self.shape(start, end)]),
            fact(17, [before.tag, first.tag, last.tag, after.tag]),
            fact(18, [before.tag, first.tag, last.tag]),
            fact(19, [first.tag, last.tag, after.tag]),
            fact(20, [before.word, first.tag]),
            fact(21, [last.tag, after.word]),
            fact(22, [first.word, last.tag]),
            fact(23, [first.tag, last.word]),
            fact(24, [size, after.tag]),
            fact(25, [size, before.tag]),
            fact(26, [before.word, after.tag]),
            fact(27, [before.tag, after.word]),
            fact(28, [first.word, size]),
            fact(29, [before.word, size]),
            fact(32, [before2.tag, before.tag, first.tag]),
            fact(33, [last.tag, after.tag, after2.tag]),
            fact(34, [before.tag, first.tag, second.tag]),
            fact(35, [last2.tag, last.tag, after.tag]),
            fact(36, [before.word, first.tag, last.tag]),
            fact(37, [first.tag, last.tag, after.word]),
        ]);
        if self.templates == Templates::Clusters {
            let tags = [first.tag, last.tag];
            let [before, first, last, after] = [before, first, last, after].map(|word| word.clusters);
            out.extend([
                fact(131, [first.whole]),
                fact(132, [last.whole]),
                fact(133, [before.whole]),
                fact(134, [after.whole]),
                fact(135, [before.long, first.long]),
                fact(136, [last.long, after.long]),
                fact(137, [first.long, last.long]),
                fact(138, [before.long, after.long]),
                fact(141, [before.middle, first.middle, last.middle, after.middle]),
                fact(142, [before.long, tags[0]]),
                fact(143, [tags[1], after.long]),
                fact(144, [first.long, tags[1]]),
                fact(145, [tags[0], last.long]),
                fact(146, [first.long, size]),
                fact(147, [last.long, size]),
                fact(148, [before.long, size]),
            ]);
        }
        if end - start <= SHORT {
            let tags = (start..end).map(|at| self.near(at, 0).tag).fold(1, mix);
            out.extend([fact(30, [tags]), fact(31, [tags, before.tag, after.tag])]);
        }
    }

    /// The shapes of a span's words, runs of the same shape as one.
    fn shape(&self, start: usize, end: usize) -> u64 {
        let (mut all, mut last) = (1, 0);
        for at in start..end {
            let own = self.near(at, 0).shape;
            if own != last || end - start <= 3 {
                all = mix(all, own);
                last = own;
            }
        }
        all
    }

    /// Facts about a rule application.
    fn split_facts(&self, start: usize, split: usize, end: usize, out: &mut Vec<u64>) {
        let (before, first) = (self.near(start, -1), self.near(start, 0));
        let (left, right) = (self.near(split, -1), self.near(split, 0));
        let (last, after) = (self.near(end, -1), self.near(end, 0));
        let (left_size, right_size) = (length(split - start), length(end - split));
        out.extend([
            fact(51, []),
            fact(52, [left.word]),
            fact(53, [right.word]),
            fact(54, [left.tag, right.tag]),
            fact(55, [first.word]),
            fact(56, [last.word]),
            fact(57, [left_size, right_size]),
            fact(58, [first.tag, right.tag]),
            fact(59, [left.tag, last.tag]),
            fact(60, [left_size]),
            fact(61, [right_size]),
            fact(62, [first.tag]),
            fact(63, [last.tag]),
            fact(64, [before.tag, after.tag]),
            fact(65, [after.word]),
            fact(66, [before.word]),
            fact(67, [left.word, right.word]),
            fact(68, [first.word, right.word]),
            fact(69, [first.tag, left.tag, right.tag]),
            fact(70, [left.tag, right.tag, last.tag]),
            fact(71, [left.word, right.tag]),
            fact(72, [left.tag, right.word]),
            fact(73, [left.tag, right.tag, after.tag]),
            fact(74, [after.tag]),
            fact(75, [before.tag]),
        ]);
        if self.templates == Templates::Clusters {
            let tags = [first.tag, left.tag, right.tag];
            let [first, left, right, last] = [first, left, right, last].map(|word| word.clusters);
            out.extend([
                fact(151, [left.whole]),
                fact(152, [right.whole]),
                fact(153, [left.long, right.long]),
                fact(154, [first.long, right.long]),
                fact(155, [left.long, last.long]),
                fact(156, [first.whole]),
                fact(157, [last.whole]),
                fact(161, [left.long, tags[2]]),
                fact(162, [tags[1], right.long]),
                fact(163, [tags[0], right.long]),
                fact(164, [first.middle, left.middle, right.middle]),
                fact(165, [left.middle, right.middle, last.middle]),
            ]);
        }
    }
}

/// The places of all features of a lattice.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    nodes: Vec<u32>,
    /// The places of node `x` are `nodes[node_starts[x]..node_starts[x + 1]]`.
    node_starts: Vec<u32>,
    branches: Vec<u32>,
    branch_starts: Vec<u32>,
    /// Facts shared by all symbols over a span, or by all rules with a split point.
    facts: Vec<u64>,
}

impl Places {
    /// The places of a node's features.
    #[inline]
    pub(super) fn of_node(&self, node: usize) -> &[u32] {
        &self.nodes[self.node_starts[node] as usize..self.node_starts[node + 1] as usize]
    }

    /// The places of a branch's features.
    #[inline]
    pub(super) fn of_branch(&self, branch: usize) -> &[u32] {
        &self.branches[self.branch_starts[branch] as usize..self.branch_starts[branch + 1] as usize]
    }

    /// Finds the places in a table whose size is a power of two.
    pub(super) fn fill(&mut self, view: &View, lattice: &Lattice, size: usize) {
        let Self { nodes, node_starts, branches, branch_starts, facts } = self;
        let mask = (size - 1) as u32;
        nodes.clear();
        node_starts.clear();
        node_starts.push(0);
        let mut span = None;
        for node in &lattice.nodes {
            // The nodes of a span follow each other.
            let (start, end) = (node.start as usize, node.end as usize);
            if span.replace((start, end)) != Some((start, end)) {
                facts.clear();
                match end - start {
                    1 => view.word_facts(start, facts),
                    _ => view.span_facts(start, end, facts),
                }
            }
            for name in [node.name.label, node.name.top] {
                nodes.extend(facts.iter().map(|&fact| place(fact, name, mask)));
            }
            nodes.push(place(fact(90, [level(node.log)]), node.name.label, mask));
            node_starts.push(nodes.len() as u32);
        }
        branches.clear();
        branch_starts.clear();
        branch_starts.push(0);
        for node in lattice.preterminals..lattice.nodes.len() {
            let parent = &lattice.nodes[node];
            let mut split = None;
            for at in lattice.range(node) {
                let branch = lattice.branches[at];
                let [left, right] = [branch.left, branch.right].map(|child| &lattice.nodes[child as usize]);
                if split.replace(left.end) != Some(left.end) {
                    facts.clear();
                    view.split_facts(parent.start as usize, left.end as usize, parent.end as usize, facts);
                }
                let rule = fact(parent.name.label, [left.name.label, right.name.label]);
                for name in [rule, fact(parent.name.top, [77])] {
                    branches.extend(facts.iter().map(|&fact| place(fact, name, mask)));
                }
                branches.push(place(fact(91, [level(branch.log)]), rule, mask));
                branch_starts.push(branches.len() as u32);
            }
        }
    }
}
