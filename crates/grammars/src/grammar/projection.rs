//! Projection of a fine grammar to a coarse one.
//!
//! A coarse symbol stands for a set of fine symbols, and its rules carry the sum of their counts. The coarse grammar is
//! what counting the treebank with coarse labels would give. A coarse chart is small, and the fine one can skip what
//! the coarse one finds impossible or very improbable (coarse-to-fine parsing, Charniak et al. 2006).

use corpus::ids::Id;
use corpus::tree::marks;
use corpus::vocab::VocabBuilder;

use super::{BinaryRule, RuleTable, SymbolId, SymbolKind, SymbolTable};

/// A map from fine to coarse symbols, with the coarse grammar's own tables.
#[derive(Clone, Debug)]
pub struct Projection {
    symbols: SymbolTable,
    /// For each fine symbol, its coarse one.
    coarse: Vec<SymbolId>,
}

impl Projection {
    /// Drops sibling and ancestor annotations: `@VP~NP` becomes `@VP`, `NP^S` becomes `NP`.
    pub fn without_annotations(fine: &SymbolTable) -> Self {
        Self::by_label(fine, marks::base)
    }

    /// Merges the symbols of each kind to which `change` gives the same label.
    pub fn by_label(fine: &SymbolTable, change: impl Fn(&str) -> &str) -> Self {
        let mut phrases = VocabBuilder::<SymbolId>::new();
        let mut preterminals = VocabBuilder::<SymbolId>::new();
        for label in fine.labels(SymbolKind::Phrase) {
            phrases.intern(change(label));
        }
        for label in fine.labels(SymbolKind::Preterminal) {
            preterminals.intern(change(label));
        }
        let symbols = SymbolTable::new(phrases.freeze(), preterminals.freeze());
        let coarse = fine
            .iter()
            .map(|symbol| {
                symbols
                    .get(fine.kind(symbol), change(fine.label(symbol)))
                    .expect("every changed label was interned")
            })
            .collect();
        Self { symbols, coarse }
    }

    /// The coarse symbols.
    pub fn symbols(&self) -> &SymbolTable {
        &self.symbols
    }

    /// The coarse symbol of a fine one.
    #[inline]
    pub fn coarse(&self, fine: SymbolId) -> SymbolId {
        self.coarse[fine.index()]
    }

    /// The index of the coarse symbol, given the index of the fine one.
    #[inline]
    pub fn coarse_index(&self, fine: usize) -> usize {
        self.coarse[fine].index()
    }

    /// For each coarse symbol, its fine symbols.
    pub fn members(&self) -> Vec<Vec<SymbolId>> {
        let mut members = vec![Vec::new(); self.symbols.len()];
        for (index, coarse) in self.coarse.iter().enumerate() {
            members[coarse.index()].extend(SymbolId::new(index));
        }
        members
    }

    /// The coarse rules with their summed counts, and the summed counts of the roots.
    pub fn rule_counts(
        &self,
        table: &RuleTable,
        counts: &[f64],
        roots: &[f64],
    ) -> (RuleTable, Vec<f64>, Vec<f64>) {
        let project = |rule: &BinaryRule| BinaryRule {
            parent: self.coarse(rule.parent),
            left: self.coarse(rule.left),
            right: self.coarse(rule.right),
        };
        let coarse = RuleTable::new(table.rules().iter().map(project).collect(), self.symbols.len());
        let mut sums = vec![0.0; coarse.len()];
        for (rule, count) in table.rules().iter().zip(counts) {
            if let Some(id) = coarse.find(project(rule)) {
                sums[id.index()] += count;
            }
        }
        let mut root_sums = vec![0.0; self.symbols.len()];
        for (fine, count) in roots.iter().enumerate() {
            root_sums[self.coarse[fine].index()] += count;
        }
        (coarse, sums, root_sums)
    }
}
