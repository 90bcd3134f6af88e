//! Counting the rules of a treebank in normal form.

use corpus::ids::Id;
use corpus::rare_words::SentencePosition;
use corpus::tree::{Tree, marks};
use corpus::vocab::VocabBuilder;
use hashbrown::HashMap;

use super::{BinaryRule, RuleTable, SymbolId, SymbolTable, Weights};
use crate::lexicon::{Ending, LexiconCounts};

type Map<K> = HashMap<K, u64, foldhash::fast::FixedState>;

/// A symbol while its table is still growing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Growing {
    Phrase(SymbolId),
    Preterminal(SymbolId),
}

/// Counts of rules, roots and words. Counts of parts of a treebank add up to those of the whole.
#[derive(Clone, Debug)]
pub struct TreebankCounts {
    phrases: VocabBuilder<SymbolId>,
    preterminals: VocabBuilder<SymbolId>,
    binary: Map<(SymbolId, Growing, Growing)>,
    roots: Map<Growing>,
    lexicon: LexiconCounts,
    trees: u64,
    words: u64,
}

impl Default for TreebankCounts {
    fn default() -> Self {
        let state = foldhash::fast::FixedState::with_seed(1);
        Self {
            phrases: VocabBuilder::new(),
            preterminals: VocabBuilder::new(),
            binary: Map::with_hasher(state.clone()),
            roots: Map::with_hasher(state),
            lexicon: LexiconCounts::default(),
            trees: 0,
            words: 0,
        }
    }
}

impl TreebankCounts {
    /// Adds a tree. `Err` names a node that is not in normal form: each node must have two phrases or one word below
    /// it.
    pub fn add(&mut self, tree: &Tree) -> Result<(), String> {
        // Symbols of the nodes, by pre-order index; words have none.
        let mut symbols: Vec<Option<Growing>> = Vec::with_capacity(tree.node_count());
        for node in tree.nodes() {
            symbols.push(if node.is_word() {
                None
            } else if node.is_preterminal() {
                Some(Growing::Preterminal(self.preterminals.intern(node.label())))
            } else {
                Some(Growing::Phrase(self.phrases.intern(node.label())))
            });
        }
        let root = symbols[0].ok_or("a word has no tag")?;
        for node in tree.nodes() {
            match symbols[node.index()] {
                None => {}
                Some(Growing::Preterminal(symbol)) => {
                    let word = node.word().unwrap_or_default();
                    self.lexicon.add(word, symbol, SentencePosition::of(node.span().start));
                }
                Some(Growing::Phrase(parent)) => {
                    let mut children = node.children().map(|child| symbols[child.index()]);
                    let (Some(Some(left)), Some(Some(right)), None) =
                        (children.next(), children.next(), children.next())
                    else {
                        return Err(format!(
                            "node {} needs two children, none of them a bare word",
                            node.label()
                        ));
                    };
                    *self.binary.entry((parent, left, right)).or_insert(0) += 1;
                }
            }
        }
        for node in tree.nodes().filter(|node| !node.is_word() && !node.is_preterminal()) {
            let kind = match marks::is_intermediate(node.label()) {
                true => Ending::Intermediate,
                false => Ending::Phrase,
            };
            self.lexicon.add_phrase(node.span(), kind);
        }
        *self.roots.entry(root).or_insert(0) += 1;
        self.trees += 1;
        self.words += tree.word_count() as u64;
        Ok(())
    }

    /// The number of trees added.
    pub fn trees(&self) -> u64 {
        self.trees
    }

    /// The number of words in them.
    pub fn words(&self) -> u64 {
        self.words
    }

    /// The symbols: phrases of the treebank, phrases introduced by binarisation, preterminals, each in order of first
    /// occurrence.
    pub fn symbol_table(&self) -> SymbolTable {
        let labels: Vec<&str> = self.phrase_order().map(|id| self.phrases.text(id)).collect();
        SymbolTable::new(labels.into_iter().collect(), self.preterminals.clone().freeze())
    }

    /// The growing phrases in their final order. Phrases introduced by binarisation come last, because they occur on
    /// one side of a rule only; this gives a chart shorter rows for the other side.
    fn phrase_order(&self) -> impl Iterator<Item = SymbolId> {
        let all = (0..self.phrases.len()).filter_map(SymbolId::new);
        let made = |id: &SymbolId| marks::is_intermediate(self.phrases.text(*id));
        all.clone().filter(move |id| !made(id)).chain(all.filter(made))
    }

    /// The counts of words under preterminals, numbered from 0 as in [`symbol_table`](Self::symbol_table).
    pub fn lexicon(&self) -> &LexiconCounts {
        &self.lexicon
    }

    /// The rules with their counts, in the order of a [`RuleTable`], and the counts of the roots.
    pub fn rule_counts(&self) -> (RuleTable, Vec<f64>, Vec<f64>) {
        let phrases = self.phrases.len();
        let total = phrases + self.preterminals.len();
        let mut order = vec![None; phrases];
        self.phrase_order().enumerate().for_each(|(new, old)| order[old.index()] = SymbolId::new(new));
        let phrase = |old: SymbolId| order[old.index()].expect("the order holds every phrase");
        let fixed = |symbol: Growing| match symbol {
            Growing::Phrase(id) => phrase(id),
            Growing::Preterminal(id) => {
                SymbolId::new(id.index() + phrases).expect("fewer than u32::MAX symbols")
            }
        };
        let counted: Vec<(BinaryRule, u64)> = self
            .binary
            .iter()
            .map(|(&(parent, left, right), &count)| {
                (BinaryRule { parent: phrase(parent), left: fixed(left), right: fixed(right) }, count)
            })
            .collect();
        let table = RuleTable::new(counted.iter().map(|&(rule, _)| rule).collect(), total);
        let mut counts = vec![0.0; table.len()];
        for (rule, count) in counted {
            if let Some(id) = table.find(rule) {
                counts[id.index()] = count as f64;
            }
        }
        let mut roots = vec![0.0; total];
        for (&symbol, &count) in &self.roots {
            roots[fixed(symbol).index()] = count as f64;
        }
        (table, counts, roots)
    }
}

impl Weights {
    /// Relative frequencies: `count(a → b c) / count(a)`, where the count of a phrase is the sum over its rules.
    pub fn relative_frequencies(table: &RuleTable, counts: &[f64], roots: &[f64]) -> Self {
        let mut parents = vec![0.0; roots.len()];
        for (rule, count) in table.rules().iter().zip(counts) {
            parents[rule.parent.index()] += count;
        }
        let share = |count: f64, of: f64| if of > 0.0 { (count / of) as f32 } else { 0.0 };
        let rules = table
            .rules()
            .iter()
            .zip(counts)
            .map(|(rule, &count)| share(count, parents[rule.parent.index()]))
            .collect();
        let trees: f64 = roots.iter().sum();
        Self { rules, roots: roots.iter().map(|&count| share(count, trees)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::SymbolKind;

    #[test]
    fn relative_frequencies_by_hand() {
        let mut counts = TreebankCounts::default();
        for text in
            ["(S (NP|N a) (VP (V b) (NP|N a)))", "(S (NP|N a) (VP (VP (V b) (NP|N c)) (R d)))", "(NP|N a)"]
        {
            counts.add(&text.parse().unwrap()).unwrap();
        }
        let symbols = counts.symbol_table();
        let (table, rule_counts, roots) = counts.rule_counts();
        let weights = Weights::relative_frequencies(&table, &rule_counts, &roots);
        let phrase = |label| symbols.get(SymbolKind::Phrase, label).unwrap();
        let tag = |label| symbols.get(SymbolKind::Preterminal, label).unwrap();
        let rule = BinaryRule { parent: phrase("VP"), left: tag("V"), right: tag("NP|N") };
        assert_eq!(weights.rules[table.find(rule).unwrap().index()], 2.0 / 3.0);
        assert_eq!(weights.roots[tag("NP|N").index()], 1.0 / 3.0);
        assert_eq!((counts.trees(), counts.words()), (3, 8));
        assert!(counts.add(&"(S (A a) (B b) (C c))".parse().unwrap()).is_err());
        assert!(counts.add(&"(S (A (B b)))".parse().unwrap()).is_err());
    }
}
