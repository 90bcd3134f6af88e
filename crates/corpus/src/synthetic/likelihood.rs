//! Probability of an observed tree under a grammar whose states are hidden.
//!
//! The inside recursion on a given tree (Cohen et al. 2012, figure 2, with rules of any length):
//! `b(T[h]) = q(T → x | h)` at a tag, `b(A[h]) = Σ_{h₁ … h_k} t(A → B₁ … B_k, h₁ … h_k | h) Π b(B_i[h_i])` at a phrase.

use hashbrown::HashMap;

use super::lpcfg::{Expansions, LatentGrammar, StateId};
use crate::ids::Id;
use crate::tree::{NodeRef, Tree};

impl LatentGrammar {
    /// Natural logarithm of the probability of a tree without hidden states, summed over them; `-inf` if the grammar
    /// cannot produce it. The root is a symbol of the grammar, not a `ROOT` above it.
    pub fn log_probability(&self, tree: &Tree) -> f64 {
        let mut states_of: HashMap<&str, Vec<StateId>> = HashMap::new();
        for state in self.states() {
            states_of.entry(self.label(state)).or_default().push(state);
        }
        let words: Vec<&str> = tree.words().collect();
        let readings = self.readings(&words);
        // Inside weights by node and state; the largest of each node is scaled to 1, and the scale is kept separately.
        let mut inside: Vec<HashMap<StateId, f64>> = vec![HashMap::new(); tree.node_count()];
        let mut log_scale = 0.0;
        for node in tree.nodes().rev().filter(|node| !node.is_word()) {
            let mut weights: HashMap<StateId, f64> = HashMap::new();
            if node.is_preterminal() {
                let position = node.span().start;
                weights.extend(readings[position].iter().filter(|(tag, _)| self.label(*tag) == node.label()));
            } else {
                let children: Vec<NodeRef<'_>> = node.children().collect();
                for &state in states_of.get(node.label()).map_or(&[][..], Vec::as_slice) {
                    let Expansions::Phrase(rules) = self.expansions(state) else { continue };
                    let fitting = rules.iter().filter(|rule| rule.children.len() == children.len());
                    let total: f64 = fitting
                        .map(|rule| {
                            let below = rule.children.iter().zip(&children);
                            below.fold(rule.probability, |product, (child, at)| match product {
                                0.0 => 0.0,
                                _ => product * inside[at.index()].get(child).copied().unwrap_or(0.0),
                            })
                        })
                        .sum();
                    if total > 0.0 {
                        weights.insert(state, total);
                    }
                }
            }
            let largest = weights.values().copied().fold(0.0, f64::max);
            if largest == 0.0 {
                return f64::NEG_INFINITY;
            }
            weights.values_mut().for_each(|weight| *weight /= largest);
            log_scale += largest.ln();
            inside[node.index()] = weights;
        }
        let root = &inside[tree.root().index()];
        let total: f64 =
            self.roots().iter().map(|(state, p)| p * root.get(state).copied().unwrap_or(0.0)).sum();
        total.ln() + log_scale
    }

    /// The states of the surface label `label`, in order.
    pub fn states_of(&self, label: &str) -> Vec<StateId> {
        (0..self.state_count()).filter_map(StateId::new).filter(|&state| self.label(state) == label).collect()
    }

    /// The largest number of hidden states that a label has.
    pub fn most_states(&self) -> usize {
        let mut counts = vec![0; self.labels().len()];
        self.states().for_each(|state| counts[self.label_index(state)] += 1);
        counts.into_iter().max().unwrap_or(0)
    }

    /// The largest number of children in a rule.
    pub fn longest_rule(&self) -> usize {
        let rules = self.states().filter_map(|state| match self.expansions(state) {
            Expansions::Phrase(rules) => rules.iter().map(|rule| rule.children.len()).max(),
            Expansions::Tag(_) => None,
        });
        rules.max().unwrap_or(0)
    }
}
