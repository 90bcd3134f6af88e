//! A treebank as the learners see it: the nodes of all trees in one list, with numbered symbols, rules and words, and
//! heads.

use corpus::ids::Id;
use corpus::rare_words::SentencePosition;
use corpus::tree::heads::HeadRules;
use corpus::tree::{Tree, binarize, marks};

use crate::grammar::{BinaryRule, SymbolId, SymbolKind};
use crate::pcfg::Pcfg;

/// No node, rule or word.
pub(super) const NONE: u32 = u32::MAX;

/// One node of one tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub(super) symbol: u32,
    /// The binary rule at the node; [`NONE`] for preterminals.
    pub(super) rule: u32,
    pub(super) left: u32,
    pub(super) right: u32,
    pub(super) parent: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    /// The position of the head word, and its tag.
    pub(super) head: u32,
    pub(super) head_tag: u32,
    /// The word of a preterminal.
    pub(super) word: u32,
    /// Its index among the sites of its symbol.
    pub(super) site: u32,
    pub(super) tree: u32,
}

/// All nodes of a treebank in normal form. The nodes of a tree are in pre-order, so a walk in reverse order meets
/// children before parents.
#[derive(Clone, Debug)]
pub(super) struct NumberedTreebank {
    pub(super) nodes: Vec<Node>,
    /// The nodes of tree `t` are `starts[t]..starts[t + 1]`; the first is its root.
    pub(super) starts: Vec<u32>,
    /// The weight of each tree.
    pub(super) weights: Vec<f64>,
    /// For each symbol, its nodes.
    pub(super) sites: Vec<Vec<u32>>,
    /// For each rule, its nodes.
    pub(super) applications: Vec<Vec<u32>>,
}

/// The grammar lacks a rule of the tree.
pub(super) struct UnknownRule;

impl NumberedTreebank {
    /// Numbers trees in normal form by the symbols, rules and words of a grammar that was read off them.
    pub(super) fn new(
        trees: &[Tree],
        weights: Vec<f64>,
        grammar: &Pcfg,
        heads: &HeadRules,
    ) -> Result<Self, UnknownRule> {
        let symbols = grammar.symbols();
        let mut bank = Self {
            nodes: Vec::new(),
            starts: vec![0],
            weights,
            sites: vec![Vec::new(); symbols.len()],
            applications: vec![Vec::new(); grammar.rules().len()],
        };
        for (number, tree) in trees.iter().enumerate() {
            bank.add(number as u32, tree, grammar, heads)?;
        }
        Ok(bank)
    }

    fn add(
        &mut self,
        number: u32,
        tree: &Tree,
        grammar: &Pcfg,
        heads: &HeadRules,
    ) -> Result<(), UnknownRule> {
        let symbols = grammar.symbols();
        let phrases = symbols.phrases();
        let first = self.nodes.len();
        let mut tags: Vec<u32> = Vec::with_capacity(tree.word_count());
        // Open nodes, innermost last, with the end of their subtree.
        let mut open: Vec<(u32, usize)> = Vec::new();
        for node in tree.nodes().filter(|node| !node.is_word()) {
            let kind = if node.is_preterminal() { SymbolKind::Preterminal } else { SymbolKind::Phrase };
            let symbol = symbols.get(kind, node.label()).ok_or(UnknownRule)?.index();
            let id = self.nodes.len() as u32;
            while open.last().is_some_and(|&(_, end)| node.index() >= end) {
                open.pop();
            }
            let parent = open.last().map_or(NONE, |&(parent, _)| parent);
            if let Some(above) = self.nodes.get_mut(parent as usize) {
                *(if above.left == NONE { &mut above.left } else { &mut above.right }) = id;
            }
            let word = match node.word() {
                Some(word) => {
                    let tag = SymbolId::new(symbol - phrases).map(|tag| grammar.lexicon().tag_of(tag));
                    tags.push(tag.map_or(NONE, |tag| tag.index() as u32));
                    grammar.lexicon().words().get(word).map_or(NONE, |word| word.index() as u32)
                }
                None => NONE,
            };
            let span = node.span();
            self.nodes.push(Node {
                symbol: symbol as u32,
                rule: NONE,
                left: NONE,
                right: NONE,
                parent,
                start: span.start as u32,
                end: span.end as u32,
                head: NONE,
                head_tag: NONE,
                word,
                site: 0,
                tree: number,
            });
            open.push((id, node.subtree_end()));
        }
        self.add_heads(first, tree, &tags, heads);
        for id in first..self.nodes.len() {
            let node = self.nodes[id];
            if node.left != NONE && node.right != NONE {
                let symbol = |node: u32| SymbolId::new(self.nodes[node as usize].symbol as usize);
                let (Some(parent), Some(left), Some(right)) =
                    (symbol(id as u32), symbol(node.left), symbol(node.right))
                else {
                    return Err(UnknownRule);
                };
                let rule = grammar.rules().find(BinaryRule { parent, left, right }).ok_or(UnknownRule)?;
                self.nodes[id].rule = rule.index() as u32;
                self.applications[rule.index()].push(id as u32);
            }
            let sites = &mut self.sites[node.symbol as usize];
            self.nodes[id].site = sites.len() as u32;
            sites.push(id as u32);
        }
        self.starts.push(self.nodes.len() as u32);
        Ok(())
    }

    /// Heads are those of the tree before binarisation. An intermediate node that does not contain its phrase's head
    /// takes the head of its child nearest to it.
    fn add_heads(&mut self, first: usize, tree: &Tree, tags: &[u32], rules: &HeadRules) {
        let flat = binarize::unbinarize(tree);
        let flat_heads = rules.head_words(&flat);
        let mut flat_nodes = flat.nodes().filter(|node| !node.is_word());
        for (offset, node) in tree.nodes().filter(|node| !node.is_word()).enumerate() {
            let id = first + offset;
            self.nodes[id].head = if marks::is_intermediate(node.label()) {
                let parent = self.nodes[id].parent;
                self.nodes[parent as usize].head
            } else {
                flat_nodes.next().map_or(NONE, |node| flat_heads[node.index()] as u32)
            };
        }
        for id in (first..self.nodes.len()).rev() {
            let node = self.nodes[id];
            let head = if (node.start..node.end).contains(&node.head) || node.left == NONE {
                node.head
            } else if node.head >= node.end {
                self.nodes[node.right as usize].head
            } else {
                self.nodes[node.left as usize].head
            };
            self.nodes[id].head = head;
            self.nodes[id].head_tag = tags.get(head as usize).copied().unwrap_or(NONE);
        }
    }

    /// The number of trees.
    pub(super) fn trees(&self) -> usize {
        self.weights.len()
    }

    /// The nodes of a tree.
    pub(super) fn tree(&self, tree: usize) -> std::ops::Range<usize> {
        self.starts[tree] as usize..self.starts[tree + 1] as usize
    }

    /// The total weight of all trees.
    pub(super) fn total(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// The weight of a node: that of its tree.
    pub(super) fn weight(&self, node: u32) -> f64 {
        self.weights[self.nodes[node as usize].tree as usize]
    }

    /// The total weight of some nodes.
    pub(super) fn weight_of(&self, nodes: &[u32]) -> f64 {
        nodes.iter().map(|&node| self.weight(node)).sum()
    }

    /// Whether the word of a preterminal is the first of its sentence.
    pub(super) fn position(&self, node: u32) -> SentencePosition {
        SentencePosition::of(self.nodes[node as usize].start as usize)
    }
}
