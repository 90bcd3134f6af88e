//! The model: counts, and everything derived from them.

use corpus::ids::Id;
use corpus::tree::normal_form::NormalForm;
use corpus::tree::{Tree, binarize, markov, marks, root, unary};

use super::config::PcfgConfig;
use crate::chart::{ChartGrammar, Pairs};
use crate::grammar::{
    Projection, RuleTable, SmoothedRules, SymbolKind, SymbolTable, TreebankCounts, Weights,
};
use crate::lexicon::Lexicon;

/// A PCFG with its coarse projection and its lexicon.
///
/// It holds counts and smoothed rule counts. Probabilities, the coarse grammar and the chart indices are derived from
/// them by the same code when the model is learnt and when it is loaded.
#[derive(Clone, Debug)]
pub struct Pcfg {
    pub(super) symbols: SymbolTable,
    pub(super) table: RuleTable,
    pub(super) rule_counts: Vec<f64>,
    /// Smoothed counts.
    pub(super) rule_expectations: Vec<f64>,
    pub(super) root_counts: Vec<f64>,
    pub(super) lexicon: Lexicon,
    /// The label at the top of each tree, if the treebank has one.
    pub(super) top: Option<String>,
    /// Vertical Markov order, which must be undone on output.
    pub(super) vertical: usize,
    // The remaining fields are derived.
    weights: Weights,
    pub(super) fine: ChartGrammar,
    /// The fine grammar, indexed for sparse passes after strict pruning.
    pub(super) pairs: Pairs,
    pub(super) coarse: ChartGrammar,
    pub(super) projection: Projection,
    /// The coarse phrases from this one on are introduced by binarisation.
    pub(super) intermediate: usize,
    /// For each coarse phrase, its fine phrases.
    pub(super) members: Vec<Vec<u32>>,
    /// For each fine preterminal (from 0), its coarse one and `p(fine | coarse)`.
    pub(super) coarse_tags: Vec<(usize, f32)>,
}

impl Pcfg {
    /// The lexicon of a treebank, shared with another grammar if that has the same words and preterminals, but for where
    /// phrases begin and end, which depends on the normal form.
    pub(super) fn lexicon_of(counts: &TreebankCounts, config: &PcfgConfig, other: Option<&Self>) -> Lexicon {
        let symbols = counts.symbol_table();
        let labels: Vec<&str> = symbols.labels(SymbolKind::Preterminal).collect();
        other
            .filter(|other| other.symbols.labels(SymbolKind::Preterminal).eq(labels.iter().copied()))
            .map(|other| &other.lexicon)
            .filter(|lexicon| {
                lexicon.is_of(counts.lexicon(), &labels, &config.lexicon, config.clusters.as_ref())
            })
            .cloned()
            .map(|lexicon| lexicon.with_boundaries(counts.lexicon()))
            .unwrap_or_else(|| {
                Lexicon::new(counts.lexicon(), &labels, config.lexicon.clone(), config.clusters.clone())
            })
    }

    pub(super) fn new(
        counts: &TreebankCounts,
        lexicon: Lexicon,
        top: Option<String>,
        config: &PcfgConfig,
    ) -> Self {
        let symbols = counts.symbol_table();
        let (table, rule_counts, root_counts) = counts.rule_counts();
        let rules = config.rule_smoothing.apply(&symbols, table, rule_counts);
        Self::from_counts(symbols, rules, root_counts, lexicon, top, config.normal_form.vertical)
    }

    pub(super) fn from_counts(
        symbols: SymbolTable,
        rules: SmoothedRules,
        root_counts: Vec<f64>,
        lexicon: Lexicon,
        top: Option<String>,
        vertical: usize,
    ) -> Self {
        let SmoothedRules { table, counts: rule_counts, expected: rule_expectations } = rules;
        let weights = Weights::relative_frequencies(&table, &rule_expectations, &root_counts);
        let fine = ChartGrammar::new(&table, &weights, symbols.phrases());
        let projection = Projection::without_annotations(&symbols);
        let (coarse_table, coarse_counts, coarse_roots) =
            projection.rule_counts(&table, &rule_expectations, &root_counts);
        let coarse_weights = Weights::relative_frequencies(&coarse_table, &coarse_counts, &coarse_roots);
        let coarse_phrases = projection.symbols().phrases();
        let made = |label: &str| marks::is_intermediate(label);
        let intermediate =
            projection.symbols().labels(SymbolKind::Phrase).position(made).unwrap_or(coarse_phrases);
        let coarse = ChartGrammar::new(&coarse_table, &coarse_weights, coarse_phrases);
        let members = projection.members()[..coarse_phrases]
            .iter()
            .map(|fine| fine.iter().map(|symbol| symbol.index() as u32).collect())
            .collect();
        let coarse_of = |phrase| projection.coarse_index(phrase);
        let pairs = Pairs::new(&table, &weights, &rule_expectations, symbols.phrases(), coarse_of);
        let coarse_tags = coarse_tags(&symbols, &projection, &lexicon);
        Self {
            symbols,
            table,
            rule_counts,
            rule_expectations,
            root_counts,
            lexicon,
            top,
            vertical,
            weights,
            fine,
            pairs,
            coarse,
            projection,
            intermediate,
            members,
            coarse_tags,
        }
    }

    /// The symbols of the grammar.
    pub fn symbols(&self) -> &SymbolTable {
        &self.symbols
    }

    /// Its binary rules.
    pub fn rules(&self) -> &RuleTable {
        &self.table
    }

    /// Their probabilities, and those of the roots.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The treebank count of each rule; 0 if smoothing created it.
    pub fn rule_counts(&self) -> &[f64] {
        &self.rule_counts
    }

    /// The expected count of each rule in a treebank of the same size. [`weights`](Self::weights) are the relative
    /// frequencies of these counts.
    pub fn rule_expectations(&self) -> &[f64] {
        &self.rule_expectations
    }

    /// The lexicon.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The number of coarse phrases.
    pub fn coarse_phrases(&self) -> usize {
        self.coarse.phrases()
    }

    /// Undoes the normal form.
    pub(crate) fn restore(&self, tree: Tree) -> Tree {
        let form = NormalForm { vertical: self.vertical, ..NormalForm::default() };
        match &self.top {
            Some(top) => form.invert(tree, top),
            None => marks::unprotect(unary::expand(&markov::remove_parents(&binarize::unbinarize(&tree)))),
        }
    }

    /// Puts the top label above a tree that is not in normal form.
    pub(crate) fn wrap(&self, tree: Tree) -> Tree {
        match &self.top {
            Some(top) => root::wrap_root(tree, top),
            None => tree,
        }
    }
}

fn coarse_tags(symbols: &SymbolTable, projection: &Projection, lexicon: &Lexicon) -> Vec<(usize, f32)> {
    let phrases = symbols.phrases();
    let coarse_phrases = projection.symbols().phrases();
    let mut totals = vec![0.0; projection.symbols().len() - coarse_phrases];
    let fine: Vec<(usize, f64)> = symbols
        .preterminals()
        .filter_map(|symbol| {
            let coarse = projection.coarse(symbol).index() - coarse_phrases;
            let tag = crate::grammar::SymbolId::new(symbol.index() - phrases)?;
            Some((coarse, lexicon.preterminal_count(tag)))
        })
        .collect();
    for &(coarse, count) in &fine {
        totals[coarse] += count;
    }
    fine.into_iter().map(|(coarse, count)| (coarse, (count / f64::max(totals[coarse], 1.0)) as f32)).collect()
}
