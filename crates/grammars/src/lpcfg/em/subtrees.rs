//! The distinct subtrees of a treebank.
//!
//! Subtrees with the same symbols, rules and words have the same inside vector, and expected counts are linear in the
//! outside vector. So equal subtrees are merged: their inside vector is computed once, and their outside vectors are
//! added up and passed on once. Of the 177 thousand preterminals of GUM's training set this leaves 14 %, of its phrases
//! 90 %: most of the savings are words, and the cost of rules falls only a little.

use std::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::super::profiles::{ProfileIndex, SitePairs};
use super::super::treebank::{NONE, NumberedTreebank};

/// A preterminal with its word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Leaf {
    /// Index among the preterminals, from 0.
    pub(super) tag: u32,
    /// Equal words of a different class (by position in the sentence) are different leaves, as they count for different
    /// profiles.
    pub(super) pairs: SitePairs,
}

/// A rule with two subtrees below it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Branch {
    pub(super) rule: u32,
    /// The subtrees below, by id.
    pub(super) left: u32,
    pub(super) right: u32,
}

/// All distinct subtrees. Leaves are numbered from 0; branches follow by height, then by rule. Everything below a
/// subtree has a smaller id, and the subtrees of one height, which do not depend on each other, have consecutive ids.
#[derive(Clone, Debug)]
pub(super) struct Subtrees {
    pub(super) leaves: Vec<Leaf>,
    pub(super) branches: Vec<Branch>,
    /// The branches of each height, bottom-up.
    pub(super) levels: Vec<Range<usize>>,
    /// The symbol of each subtree.
    pub(super) symbols: Vec<u32>,
    /// The whole trees and their weights, ascending.
    pub(super) roots: Vec<(u32, f64)>,
    /// The places in branches where each subtree occurs: those of subtree `s` are `place_starts[s]..place_starts[s +
    /// 1]`.
    place_starts: Vec<u32>,
    places: Vec<Place>,
    /// The branches of each rule, ascending.
    rule_starts: Vec<u32>,
    rule_branches: Vec<u32>,
}

type Numbers<K> = HashMap<K, u32, FixedState>;

/// A branch and a side of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place(u32);

impl Place {
    /// Its index: two per branch, the left one first.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Subtrees {
    /// Finds equal subtrees.
    pub(super) fn new(bank: &NumberedTreebank, index: &ProfileIndex, phrases: usize) -> Self {
        let mut leaves: Vec<Leaf> = Vec::new();
        let mut leaf_numbers: Numbers<Leaf> = Numbers::default();
        // Branches first get provisional ids, which have the highest bit set.
        let mut found: Vec<(u32, u32, Branch)> = Vec::new();
        let mut branch_numbers: Numbers<Branch> = Numbers::default();
        let mut of_node = vec![NONE; bank.nodes.len()];
        let mut roots: Vec<(u32, f64)> = Vec::new();
        for tree in 0..bank.trees() {
            for id in bank.tree(tree).rev() {
                let node = &bank.nodes[id];
                of_node[id] = if node.rule == NONE {
                    let tag = node.symbol - phrases as u32;
                    let leaf = Leaf { tag, pairs: index.site(tag as usize, node.site) };
                    *leaf_numbers.entry(leaf).or_insert_with(|| {
                        leaves.push(leaf);
                        leaves.len() as u32 - 1
                    })
                } else {
                    let (left, right) = (of_node[node.left as usize], of_node[node.right as usize]);
                    let branch = Branch { rule: node.rule, left, right };
                    *branch_numbers.entry(branch).or_insert_with(|| {
                        let height = |below: u32| match below & BRANCH {
                            0 => 0,
                            _ => found[(below & !BRANCH) as usize].0,
                        };
                        let height = 1 + height(left).max(height(right));
                        found.push((height, node.symbol, branch));
                        (found.len() as u32 - 1) | BRANCH
                    })
                };
            }
            roots.push((of_node[bank.starts[tree] as usize], bank.weights[tree]));
        }
        drop((leaf_numbers, branch_numbers));
        Self::number(leaves, found, roots, bank.applications.len(), phrases)
    }

    /// Gives branches their final ids.
    fn number(
        leaves: Vec<Leaf>,
        found: Vec<(u32, u32, Branch)>,
        mut roots: Vec<(u32, f64)>,
        rules: usize,
        phrases: usize,
    ) -> Self {
        let mut order: Vec<u32> = (0..found.len() as u32).collect();
        order.sort_unstable_by_key(|&at| (found[at as usize].0, found[at as usize].2.rule, at));
        let mut place = vec![0; found.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old as usize] = (leaves.len() + new) as u32;
        }
        let number = |below: u32| if below & BRANCH == 0 { below } else { place[(below & !BRANCH) as usize] };
        let mut branches = Vec::with_capacity(found.len());
        let mut symbols: Vec<u32> = leaves.iter().map(|leaf| leaf.tag + phrases as u32).collect();
        let mut levels: Vec<Range<usize>> = Vec::new();
        for (new, &old) in order.iter().enumerate() {
            let (height, symbol, branch) = found[old as usize];
            branches.push(Branch {
                rule: branch.rule,
                left: number(branch.left),
                right: number(branch.right),
            });
            symbols.push(symbol);
            match levels.get_mut(height as usize - 1) {
                Some(level) => level.end = new + 1,
                None => levels.push(new..new + 1),
            }
        }
        roots.iter_mut().for_each(|(root, _)| *root = number(*root));
        roots.sort_by_key(|&(root, _)| root);
        roots.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0.0 };
            same
        });
        let children = branches.iter().enumerate().flat_map(|(at, branch)| {
            [(branch.left, Place((at as u32) << 1)), (branch.right, Place((at as u32) << 1 | 1))]
        });
        let (place_starts, places) = group(symbols.len(), children, Place(0));
        let by_rule = branches.iter().enumerate().map(|(at, branch)| (branch.rule, at as u32));
        let (rule_starts, rule_branches) = group(rules, by_rule, 0);
        Self { leaves, branches, levels, symbols, roots, place_starts, places, rule_starts, rule_branches }
    }

    /// The number of distinct subtrees.
    pub(super) fn len(&self) -> usize {
        self.symbols.len()
    }

    /// The places where a subtree occurs below a branch.
    #[inline]
    pub(super) fn places(&self, subtree: usize) -> &[Place] {
        &self.places[self.place_starts[subtree] as usize..self.place_starts[subtree + 1] as usize]
    }

    /// The branches made by a rule.
    #[inline]
    pub(super) fn of_rule(&self, rule: usize) -> &[u32] {
        &self.rule_branches[self.rule_starts[rule] as usize..self.rule_starts[rule + 1] as usize]
    }
}

/// The bit that marks provisional branch ids.
const BRANCH: u32 = 1 << 31;

/// Groups values by key, keeping the given order within a key: the start of each key's values, and the values.
fn group<V: Copy>(
    keys: usize,
    pairs: impl Iterator<Item = (u32, V)> + Clone,
    nothing: V,
) -> (Vec<u32>, Vec<V>) {
    let mut starts = vec![0_u32; keys + 1];
    for (key, _) in pairs.clone() {
        starts[key as usize + 1] += 1;
    }
    for key in 0..keys {
        starts[key + 1] += starts[key];
    }
    let mut next = starts.clone();
    let mut values = vec![nothing; starts[keys] as usize];
    for (key, value) in pairs {
        let at = &mut next[key as usize];
        values[*at as usize] = value;
        *at += 1;
    }
    (starts, values)
}
