//! Shapes and labels of constituency trees.

use corpus::tree::Tree;
use corpus::tree::strip::{category, is_empty_element};

use super::counter::Counter;

/// Counts over trees.
#[derive(Default)]
pub(super) struct TreeCounts {
    pub(super) phrases: Counter,
    pub(super) tags: Counter,
    pub(super) tops: Counter,
    nodes: u64,
    functions: u64,
    empties: u64,
    chains: u64,
    longest_chain: u64,
    deepest: u64,
    widest: u64,
}

impl TreeCounts {
    pub(super) fn add(&mut self, tree: &Tree) {
        self.tops.add(tree.root().label());
        let mut depth = vec![0_u64; tree.node_count()];
        // The number of phrases directly above a phrase that have no other child.
        let mut chain = vec![0_u64; tree.node_count()];
        for node in tree.nodes() {
            if node.is_word() {
                continue;
            }
            if node.is_preterminal() {
                self.tags.add(node.label());
                self.empties += u64::from(is_empty_element(node));
                continue;
            }
            self.phrases.add(node.label());
            self.nodes += 1;
            self.functions += u64::from(category(node.label()) != node.label());
            self.deepest = self.deepest.max(depth[node.index()] + 1);
            self.widest = self.widest.max(node.children().count() as u64);
            for child in node.children() {
                depth[child.index()] = depth[node.index()] + 1;
            }
            let below = node.only_child().filter(|child| !child.is_word() && !child.is_preterminal());
            if let Some(child) = below {
                chain[child.index()] = chain[node.index()] + 1;
                self.longest_chain = self.longest_chain.max(chain[child.index()]);
                self.chains += 1;
            }
        }
    }

    pub(super) fn figures(&self) -> Vec<(&'static str, f64)> {
        vec![
            ("phrases", self.nodes as f64),
            ("phrase labels", self.phrases.types() as f64),
            ("tags", self.tags.types() as f64),
            ("phrases with function tags", self.functions as f64),
            ("empty elements", self.empties as f64),
            ("unary steps between phrases", self.chains as f64),
            ("longest unary chain", self.longest_chain as f64),
            ("deepest tree", self.deepest as f64),
            ("most children", self.widest as f64),
        ]
    }
}
