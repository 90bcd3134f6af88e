//! Binary rules, indexed by their left child, and the weights on them.

use corpus::ids::Id;

use super::SymbolId;

corpus::define_ids! {
    /// A binary rule: its position in a [`RuleTable`].
    RuleId;
}

/// `parent → left right`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BinaryRule {
    /// The symbol that is rewritten.
    pub parent: SymbolId,
    /// The left child.
    pub left: SymbolId,
    /// The right child.
    pub right: SymbolId,
}

/// The binary rules of a grammar, sorted by (left, right, parent). A chart visits the rules of each left child that it
/// has, and rules with the same pair of children are adjacent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleTable {
    rules: Vec<BinaryRule>,
    /// The rules with left child `b` are `rules[by_left[b]..by_left[b + 1]]`.
    by_left: Vec<u32>,
}

impl RuleTable {
    /// A table of the given rules, for a grammar of `symbols` symbols.
    pub fn new(mut rules: Vec<BinaryRule>, symbols: usize) -> Self {
        rules.sort_unstable_by_key(|rule| (rule.left, rule.right, rule.parent));
        rules.dedup();
        let mut by_left = vec![0_u32; symbols + 1];
        for rule in &rules {
            by_left[rule.left.index() + 1] += 1;
        }
        for b in 0..symbols {
            by_left[b + 1] += by_left[b];
        }
        Self { rules, by_left }
    }

    /// The number of rules.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rule with this id.
    pub fn rule(&self, id: RuleId) -> BinaryRule {
        self.rules[id.index()]
    }

    /// All rules in order of their ids.
    pub fn rules(&self) -> &[BinaryRule] {
        &self.rules
    }

    /// The index range of the rules whose left child is `left`.
    #[inline]
    pub fn with_left(&self, left: SymbolId) -> std::ops::Range<usize> {
        self.by_left[left.index()] as usize..self.by_left[left.index() + 1] as usize
    }

    /// The id of a rule.
    pub fn find(&self, rule: BinaryRule) -> Option<RuleId> {
        let range = self.with_left(rule.left);
        let within = self.rules[range.clone()]
            .binary_search_by_key(&(rule.right, rule.parent), |r| (r.right, r.parent));
        within.ok().and_then(|at| RuleId::new(range.start + at))
    }
}

/// The probabilities of a grammar without latent states.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// For each rule of the table, `p(parent → left right | parent)`.
    pub rules: Vec<f32>,
    /// For each symbol, the probability that it is the root.
    pub roots: Vec<f32>,
}
