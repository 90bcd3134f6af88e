//! Training sentences: lattices with the tree that should win.
//!
//! Pruning loses the right tree of many sentences, and a held-out tree may need rules that its grammar lacks. The tree to
//! learn is then the one in the lattice with the most right constituents and the fewest wrong ones.

use corpus::tree::Tree;

use super::config::SpanConfig;
use super::inference::{Choice, Scores, best_tree};
use super::lattice::{Judgement, Lattice, Pruning, SymbolName};
use super::view::View;
use crate::lexicon::{Lexicon, Observation};

/// A sentence to learn from.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    pub(super) view: View,
    pub(super) lattice: Lattice,
    /// The nodes and branches of the tree to learn.
    pub(super) right_nodes: Vec<bool>,
    pub(super) right_branches: Vec<bool>,
    /// The nodes that are in the tree of the treebank.
    pub(super) in_treebank: Vec<bool>,
    /// Whether that is the tree to learn.
    pub(super) reached: bool,
}

/// A right constituent gains 1; a wrong one costs this.
const WRONG: f32 = 0.3;

/// Among equals the tree that the grammar finds more probable.
const TIE: f32 = 1e-3;

impl Example {
    /// `right` is the tree of the sentence in normal form.
    pub(crate) fn new(
        config: &SpanConfig,
        judged: Judgement<'_>,
        sentence: &[Observation<'_>],
        lexicon: &Lexicon,
        right: &Tree,
    ) -> Self {
        let (mut lattice, mut view) = (Lattice::default(), View::default());
        lattice.fill(judged, config.least_posterior, &mut Pruning::default());
        view.read(judged, sentence, lexicon, config.frequent);
        Self::of_lattice(lattice, view, right)
    }

    /// The score of the tree to learn.
    pub(super) fn right_score(&self, scores: &Scores) -> f64 {
        let sum = |scores: &[f32], right: &[bool]| -> f64 {
            scores.iter().zip(right).filter(|(_, right)| **right).map(|(&score, _)| f64::from(score)).sum()
        };
        sum(&scores.nodes, &self.right_nodes) + sum(&scores.branches, &self.right_branches)
    }

    fn of_lattice(lattice: Lattice, view: View, right: &Tree) -> Self {
        let mut parts: Vec<(SymbolName, usize, usize)> = right
            .nodes()
            .filter(|node| !node.is_word())
            .map(|node| (SymbolName::of(node.label()), node.span().start, node.span().end))
            .collect();
        parts.sort_unstable();
        let is_right: Vec<bool> = lattice
            .nodes
            .iter()
            .map(|node| parts.binary_search(&(node.name, node.start as usize, node.end as usize)).is_ok())
            .collect();
        let gain = |right: bool| if right { 1.0 } else { -WRONG };
        let nodes = lattice.nodes.iter().zip(&is_right);
        let scores = Scores {
            nodes: nodes.map(|(node, &right)| gain(right) + TIE * node.log).collect(),
            branches: lattice.branches.iter().map(|branch| TIE * branch.log).collect(),
        };
        let mut choice = Choice::default();
        best_tree(&lattice, &scores, &mut choice);
        let mut right_nodes = vec![false; lattice.nodes.len()];
        let mut right_branches = vec![false; lattice.branches.len()];
        let mut found = 0;
        choice.walk(&lattice, |node, branch| {
            right_nodes[node] = true;
            found += usize::from(is_right[node]);
            branch.into_iter().for_each(|branch| right_branches[branch] = true);
        });
        let reached = found == parts.len();
        Self { view, lattice, right_nodes, right_branches, in_treebank: is_right, reached }
    }
}
