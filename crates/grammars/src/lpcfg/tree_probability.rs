//! p(tree) from the operators alone (Cohen et al. 2012, figure 4).
//!
//! ```text
//! b(s → w)   = p(w | s) · E[Z | s, w]
//! b(a → b c) = C^{a→bc}(b_left, b_right)
//! p(tree)    = c¹(a_root) · b_root
//! ```
//!
//! The states need not be known: bases cancel at every edge. Sums are in `f64` whatever the type of the parameters, and
//! the logarithm of its largest absolute value is taken out of each vector, so trees of any size have a finite value.
//! Operators estimated from samples can make a tree negative; the sign is part of the result.

use corpus::ids::Id;
use corpus::rare_words::SentencePosition;
use corpus::tree::Tree;
use linalg::Scalar;

use super::model::{Lpcfg, Refined};
use super::parameters::{Parameters, row_length};
use super::words::{known_word, text};
use crate::grammar::{BinaryRule, RuleTable, SymbolId, SymbolKind, SymbolTable};
use crate::lexicon::{Observation, SentenceEmissions};
use models::signed_log::SignedLog;

/// The vector of a subtree, and the logarithm taken out of it.
struct Subtree {
    symbol: SymbolId,
    vector: Vec<f64>,
    log: f64,
}

impl Subtree {
    fn normalised(symbol: SymbolId, mut vector: Vec<f64>, log: f64) -> Self {
        let largest = vector.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        if largest > 0.0 && largest.is_finite() {
            vector.iter_mut().for_each(|value| *value /= largest);
            return Self { symbol, vector, log: log + largest.ln() };
        }
        Self { symbol, vector, log }
    }
}

impl<T: Scalar> Parameters<T> {
    /// The probability of a tree in normal form; 0 if it has a symbol or a rule that the grammar lacks. `emit` gives
    /// the vector of a preterminal (numbered from 0) at a position, if the preterminal is possible there.
    pub(super) fn tree_probability(
        &self,
        symbols: &SymbolTable,
        rules: &RuleTable,
        tree: &Tree,
        mut emit: impl FnMut(usize, usize) -> Option<Vec<f64>>,
    ) -> SignedLog {
        self.walk(symbols, rules, tree, &mut emit).unwrap_or(SignedLog::ZERO)
    }

    fn walk(
        &self,
        symbols: &SymbolTable,
        rules: &RuleTable,
        tree: &Tree,
        emit: &mut impl FnMut(usize, usize) -> Option<Vec<f64>>,
    ) -> Option<SignedLog> {
        let nodes: Vec<_> = tree.nodes().filter(|node| !node.is_word()).collect();
        // In reverse pre-order children come before parents, the right one first.
        let mut done: Vec<Subtree> = Vec::new();
        for node in nodes.iter().rev() {
            let kind = if node.is_preterminal() { SymbolKind::Preterminal } else { SymbolKind::Phrase };
            let parent = symbols.get(kind, node.label())?;
            if kind == SymbolKind::Preterminal {
                let vector = emit(parent.index() - symbols.phrases(), node.span().start)?;
                done.push(Subtree::normalised(parent, vector, 0.0));
                continue;
            }
            if node.children().count() != 2 {
                return None;
            }
            let (left, right) = (done.pop()?, done.pop()?);
            let rule = rules.find(BinaryRule { parent, left: left.symbol, right: right.symbol })?;
            let vector = self.apply(rule.index(), &left.vector, &right.vector);
            done.push(Subtree::normalised(parent, vector, left.log + right.log));
        }
        let root = done.pop()?;
        let outside = self.root(root.symbol.index());
        let dot = outside.iter().zip(&root.vector).map(|(root, inside)| root.to_f64() * inside).sum();
        Some(SignedLog::new(dot, root.log))
    }

    /// The vector of a parent from those of its children.
    pub(super) fn apply(&self, rule: usize, left: &[f64], right: &[f64]) -> Vec<f64> {
        let length = row_length(left.len(), right.len());
        let sum = |row: &[T]| -> f64 {
            let rows = row.chunks_exact(right.len()).zip(left);
            rows.map(|(row, l)| l * row.iter().zip(right).map(|(c, r)| c.to_f64() * r).sum::<f64>()).sum()
        };
        self.tensor(rule).chunks_exact(length).map(sum).collect()
    }
}

impl Refined {
    /// The probability of a tree with its words, under one member.
    fn tree_probability(
        &self,
        member: &Parameters<f32>,
        tree: &Tree,
        sentence: &[Observation<'_>],
        emissions: &SentenceEmissions,
    ) -> SignedLog {
        member.tree_probability(self.grammar.symbols(), self.grammar.rules(), tree, |tag, position| {
            self.emission(member, sentence, emissions, tag, position)
        })
    }

    /// `p(w | s) E[Z | s, w]` of a preterminal (numbered from 0) at a position, if the preterminal is possible there.
    pub(super) fn emission(
        &self,
        member: &Parameters<f32>,
        sentence: &[Observation<'_>],
        emissions: &SentenceEmissions,
        tag: usize,
        position: usize,
    ) -> Option<Vec<f64>> {
        let word = text(sentence.get(position)?);
        let emission = emissions.word(position).iter().find(|e| e.preterminal.index() == tag)?;
        let place = SentencePosition::of(position);
        let class = || member.profiles.class(word, place);
        let profile = member.profiles.get(known_word(self.grammar.lexicon(), word, place), class, tag);
        Some(profile.iter().map(|&p| f64::from(emission.probability) * f64::from(p)).collect())
    }
}

impl Lpcfg {
    /// The probability of a tree and its words under each member that shares the normal form of the first grammar.
    /// `sentence` holds the words as a parser would see them, with or without tags.
    ///
    /// The tree must be in the normal form of the model. A tree with a rule that the grammar lacks has probability 0,
    /// and so has one with a preterminal above a word that it cannot produce. Spectral members may give a tree a
    /// negative value.
    pub fn tree_probabilities(&self, tree: &Tree, sentence: &[Observation<'_>]) -> Vec<SignedLog> {
        let refined = &self.grammars[0];
        let mut emissions = SentenceEmissions::default();
        refined.grammar.lexicon().emissions_of_sentence(sentence, &mut emissions);
        let members = refined.members.iter();
        members.map(|member| refined.tree_probability(member, tree, sentence, &emissions)).collect()
    }
}
