//! The trees among which a span model chooses: the part of a forest that the grammar finds plausible.

use std::ops::Range;

use super::inference::{Choice, Scores, best_tree};
use crate::chart::Forest;

/// A symbol over a span.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The name of its symbol, the same for all grammars.
    pub(super) name: SymbolName,
    pub(super) start: u32,
    pub(super) end: u32,
    /// The logarithm of its posterior under the grammar.
    pub(super) log: f32,
    /// What companions of the grammar add to it.
    pub(super) votes: f32,
    /// Its item in the forest.
    pub(super) item: u32,
}

/// A rule application below a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub(super) left: u32,
    pub(super) right: u32,
    /// The logarithm of its posterior under the grammar.
    pub(super) log: f32,
}

/// What features see of a symbol. Grammars learnt from different trees number their symbols differently, so symbols are
/// named by the hashes of their labels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct SymbolName {
    /// The whole label.
    pub(super) label: u64,
    /// The label without siblings, parents and the lower part of a chain.
    pub(super) top: u64,
    /// The tag at the bottom of a chain.
    pub(super) tag: u64,
    /// Number of labels in its chain.
    pub(super) labels: u8,
    /// Whether the symbol appears in trees of the treebank.
    pub(super) visibility: Visibility,
}

/// Whether a symbol appears in trees of the treebank or only in their normal form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Visibility {
    /// It appears.
    Constituent,
    /// It is an intermediate symbol of binarisation.
    Intermediate,
}

/// A grammar's judgement of the forest of a sentence: sums over its members of the logarithms of posteriors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgement<'f> {
    pub(crate) forest: &'f Forest,
    /// By split point of the forest.
    pub(crate) rules: &'f [f32],
    /// By item of the forest.
    pub(crate) items: &'f [f32],
    /// The votes of companions by item; may be empty.
    pub(crate) votes: &'f [f32],
    pub(crate) members: usize,
    /// By symbol of the grammar.
    pub(crate) names: &'f [SymbolName],
}

impl Judgement<'_> {
    /// The share of each member.
    pub(super) fn share(&self) -> f32 {
        1.0 / self.members.max(1) as f32
    }

    fn vote(&self, item: usize) -> f32 {
        self.votes.get(item).copied().unwrap_or(0.0)
    }
}

/// Nodes and branches of a sentence. Preterminals come first, from left to right; children come before parents.
#[derive(Clone, Debug, Default)]
pub(super) struct Lattice {
    pub(super) words: usize,
    pub(super) nodes: Vec<Node>,
    pub(super) preterminals: usize,
    /// The branches of node `x` are `branches[starts[x]..starts[x + 1]]`.
    starts: Vec<u32>,
    pub(super) branches: Vec<Branch>,
    pub(super) roots: Vec<u32>,
}

/// Scratch memory of [`Lattice::fill`].
#[derive(Clone, Debug, Default)]
pub(super) struct Pruning {
    scores: Scores,
    choice: Choice,
    all: Lattice,
    kept: Vec<bool>,
    /// Branches that stay whatever their posterior.
    chosen: Vec<bool>,
    renumbered: Vec<u32>,
}

const GONE: u32 = u32::MAX;

impl Lattice {
    /// The indices of a node's branches.
    #[inline]
    pub(super) fn range(&self, node: usize) -> Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.starts.clear();
        self.starts.push(0);
        self.branches.clear();
        self.roots.clear();
        self.preterminals = 0;
    }

    pub(super) fn push(&mut self, node: Node) {
        self.nodes.push(node);
        self.starts.push(self.branches.len() as u32);
    }

    /// Takes over the rule applications whose posterior reaches `least`, and those of the tree that the grammar alone
    /// would choose, so that there is always a tree.
    pub(super) fn fill(&mut self, judged: Judgement<'_>, least: f32, pruning: &mut Pruning) {
        let Pruning { scores, choice, all, kept, chosen, renumbered } = pruning;
        all.take_all(judged);
        // The sums over members, as the grammar alone decodes them.
        let members = judged.members.max(1) as f32;
        scores.branches.clear();
        scores.branches.extend(all.branches.iter().map(|branch| branch.log * members));
        scores.nodes.clear();
        scores.nodes.extend(all.nodes.iter().enumerate().map(|(at, node)| {
            let own = if at < all.preterminals { node.log } else { 0.0 };
            (own + node.votes) * members
        }));
        best_tree(all, scores, choice);
        let least = least.ln();
        chosen.clear();
        chosen.resize(all.branches.len(), false);
        kept.clear();
        kept.resize(all.nodes.len(), false);
        choice.walk(all, |node, branch| {
            kept[node] = true;
            branch.into_iter().for_each(|branch| chosen[branch] = true);
        });
        let stays = |at: usize| chosen[at] || all.branches[at].log >= least;
        for &root in &all.roots {
            kept[root as usize] |= all.nodes[root as usize].log >= least;
        }
        for node in (all.preterminals..all.nodes.len()).rev() {
            if kept[node] {
                for at in all.range(node).filter(|&at| stays(at)) {
                    kept[all.branches[at].left as usize] = true;
                    kept[all.branches[at].right as usize] = true;
                }
            }
        }
        self.clear();
        self.words = all.words;
        renumbered.clear();
        renumbered.resize(all.nodes.len(), GONE);
        for node in (0..all.nodes.len()).filter(|&node| kept[node]) {
            let before = self.branches.len();
            for at in all.range(node).filter(|&at| stays(at)) {
                let Branch { left, right, log } = all.branches[at];
                let (left, right) = (renumbered[left as usize], renumbered[right as usize]);
                if left != GONE && right != GONE {
                    self.branches.push(Branch { left, right, log });
                }
            }
            if node < all.preterminals || self.branches.len() > before {
                renumbered[node] = self.nodes.len() as u32;
                self.preterminals += usize::from(node < all.preterminals);
                self.push(all.nodes[node]);
            }
        }
        let roots = all.roots.iter().map(|&root| renumbered[root as usize]);
        self.roots.extend(roots.filter(|&root| root != GONE));
    }

    /// The whole forest.
    fn take_all(&mut self, judged: Judgement<'_>) {
        let Judgement { forest, rules, items, names, .. } = judged;
        let share = judged.share();
        self.clear();
        self.words = forest.words();
        self.preterminals = forest.preterminals();
        for (number, item) in forest.items().iter().enumerate() {
            for bundle in forest.bundles_of(number) {
                self.branches.extend(bundle.range().zip(forest.splits(bundle)).map(|(at, split)| Branch {
                    left: split.left,
                    right: split.right,
                    log: rules[at] * share,
                }));
            }
            self.push(Node {
                name: names[item.symbol as usize],
                start: item.start,
                end: item.end,
                log: items[number] * share,
                votes: judged.vote(number) * share,
                item: number as u32,
            });
        }
        self.roots.extend(forest.roots().iter().map(|&(item, _)| item));
    }
}

#[cfg(test)]
impl Lattice {
    /// A lattice without nodes.
    pub(super) fn empty(words: usize) -> Self {
        Self { words, starts: vec![0], ..Self::default() }
    }

    /// Whether no branch was added since the last node.
    pub(super) fn has_no_new_branch(&self) -> bool {
        self.starts.last().is_some_and(|&start| start as usize == self.branches.len())
    }
}
