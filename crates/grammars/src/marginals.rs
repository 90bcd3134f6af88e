//! Marginals: the model's confidence µ(a,i,j) in each label over each span, in the labels of the treebank.
//!
//! The items of a forest are symbols of the normal form. An item counts for every label of its chain (`S|VP` counts for
//! both `S` and `VP`), whatever ancestors it records; intermediate symbols do not appear in trees and count for none.
//! The marginal of a label under one member is the sum over its items, and members have equal weights. Spectral members
//! may give a sum below 0 or above 1 because their estimates are inexact: its absolute value counts, up to 1.

use std::collections::BTreeMap;

use corpus::ids::Id;
use corpus::tree::{Tree, marks};

use crate::grammar::{SymbolId, SymbolKind, SymbolTable};
use crate::lexicon::Observation;
use models::signed_log::SignedLog;

/// The confidence in one label over one span.
#[derive(Clone, PartialEq, Debug)]
pub struct Marginal {
    /// The label, as in the treebank.
    pub label: String,
    /// The first word.
    pub start: usize,
    /// The word after the last.
    pub end: usize,
    /// From 0 to 1.
    pub confidence: f32,
}

/// The marginals of a sentence: all labels over all spans left by pruning.
#[derive(Clone, PartialEq, Debug)]
pub struct Marginals {
    /// By start, then by end, then by label.
    spans: Vec<Marginal>,
    partitions: Vec<SignedLog>,
}

impl Marginals {
    /// All marginals, by start, then by end, then by label.
    pub fn spans(&self) -> &[Marginal] {
        &self.spans
    }

    /// The marginals that reach a threshold.
    pub fn above(&self, threshold: f32) -> impl Iterator<Item = &Marginal> {
        self.spans.iter().filter(move |marginal| marginal.confidence >= threshold)
    }

    /// The confidence in a label over a span; 0 if pruning removed it.
    pub fn get(&self, label: &str, start: usize, end: usize) -> f32 {
        self.find(label, start, end).unwrap_or(0.0)
    }

    fn find(&self, label: &str, start: usize, end: usize) -> Option<f32> {
        let key = |marginal: &Marginal| (marginal.start, marginal.end);
        let at = self.spans.binary_search_by(|marginal| {
            key(marginal).cmp(&(start, end)).then_with(|| marginal.label.as_str().cmp(label))
        });
        at.ok().map(|at| self.spans[at].confidence)
    }

    /// The confidence in each node of a tree over the same words, by [`index`](corpus::tree::NodeRef::index); words
    /// have none. A root that no grammar symbol represents, such as `ROOT`, is certain.
    pub fn of_tree(&self, tree: &Tree) -> Vec<Option<f32>> {
        let confidence = |node: corpus::tree::NodeRef<'_>| {
            let span = node.span();
            let missing = if node.index() == 0 { 1.0 } else { 0.0 };
            self.find(node.label(), span.start, span.end).unwrap_or(missing)
        };
        tree.nodes().map(|node| (!node.is_word()).then(|| confidence(node))).collect()
    }

    /// The probability of the sentence under each member, summed over the trees left by pruning.
    pub fn partitions(&self) -> &[SignedLog] {
        &self.partitions
    }
}

/// Accumulates marginals over members.
#[derive(Clone, Debug, Default)]
pub(crate) struct MarginalSums {
    /// By start, end, label.
    sums: BTreeMap<(u32, u32, String), f32>,
    partitions: Vec<SignedLog>,
}

impl MarginalSums {
    /// Adds the posteriors of symbols (preterminals after phrases) over spans.
    pub(crate) fn add(
        &mut self,
        symbols: &SymbolTable,
        sentence: &[Observation<'_>],
        items: impl Iterator<Item = ((u32, u32, u32), f32)>,
        partition: SignedLog,
    ) {
        for (key, posterior) in labels_of(symbols, sentence, items) {
            *self.sums.entry(key).or_default() += posterior.abs().min(1.0);
        }
        self.partitions.push(partition);
    }

    /// Replaces what the members said by the posteriors of a model that chooses among their trees. `confidence` is
    /// given the number of words below a label and its posterior. Tags that were given stay certain.
    pub(crate) fn overrule(
        &mut self,
        symbols: &SymbolTable,
        sentence: &[Observation<'_>],
        items: impl Iterator<Item = ((u32, u32, u32), f32)>,
        confidence: impl Fn(usize, f32) -> f32,
    ) {
        let members = self.partitions.len() as f32;
        self.sums = labels_of(symbols, sentence, items);
        for ((start, end, label), sum) in &mut self.sums {
            let words = (end - start) as usize;
            let given = sentence.get(*start as usize).and_then(given_tag);
            let posterior = sum.clamp(0.0, 1.0);
            *sum = match words == 1 && given == Some(label.as_str()) {
                true => posterior,
                false => confidence(words, posterior),
            } * members;
        }
    }

    /// The means; `None` if no member contributed.
    pub(crate) fn finish(self) -> Option<Marginals> {
        let members = self.partitions.len() as f32;
        let spans = self.sums.into_iter().map(|((start, end, label), sum)| Marginal {
            label,
            start: start as usize,
            end: end as usize,
            confidence: sum / members,
        });
        let spans: Vec<Marginal> = spans.collect();
        (!spans.is_empty()).then_some(Marginals { spans, partitions: self.partitions })
    }
}

/// The posteriors of the labels that symbols stand for.
fn labels_of(
    symbols: &SymbolTable,
    sentence: &[Observation<'_>],
    items: impl Iterator<Item = ((u32, u32, u32), f32)>,
) -> BTreeMap<(u32, u32, String), f32> {
    let mut own: BTreeMap<(u32, u32, String), f32> = BTreeMap::new();
    for ((symbol, start, end), posterior) in items {
        let Some(symbol) = SymbolId::new(symbol as usize) else { continue };
        let label = symbols.label(symbol);
        if marks::is_intermediate(label) {
            continue;
        }
        let mut parts: Vec<&str> = marks::base(label).split(marks::CHAIN).collect();
        // A given tag appears in the tree, even if the grammar does not know it.
        let given = match symbols.kind(symbol) {
            SymbolKind::Phrase => None,
            SymbolKind::Preterminal => sentence.get(start as usize).and_then(given_tag),
        };
        if given.is_some() {
            parts.pop();
        }
        parts.sort_unstable();
        parts.dedup();
        let parts = parts.into_iter().map(|part| marks::unprotect_label(part).into_owned());
        for part in parts.chain(given.map(str::to_owned)) {
            *own.entry((start, end, part)).or_default() += posterior;
        }
    }
    own
}

/// The given tag of an observation.
fn given_tag<'s>(observed: &Observation<'s>) -> Option<&'s str> {
    match *observed {
        Observation::Word(_) => None,
        Observation::Tagged(_, tag) | Observation::Tag(tag) => Some(tag),
    }
}
