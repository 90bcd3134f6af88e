//! Trees chosen by the span model among those that the grammars find plausible.

use super::model::Lpcfg;
use super::parser::Scratch;
use crate::chart::{Forest, Way};
use crate::lexicon::Observation;
use crate::pcfg::decode::build;
use crate::pcfg::{Outcome, Parse};
use crate::spans::{self, Judgement, SpanModel, SymbolName};
use models::signed_log::SignedLog;

/// A span model with the names of the symbols that it is applied to.
#[derive(Clone, Debug)]
pub(super) struct SpanChoice<'m> {
    pub(super) model: &'m SpanModel,
    pub(super) names: Vec<SymbolName>,
}

impl<'m> SpanChoice<'m> {
    pub(super) fn new(model: &'m Lpcfg) -> Option<Self> {
        let names = || SymbolName::all(model.grammar().symbols());
        model.spans.as_ref().map(|spans| Self { model: spans, names: names() })
    }

    /// The `k` best trees by the span model, after the posteriors of `members` members were added up in `scratch`; also
    /// replaces the marginals of the members, if they were requested.
    pub(super) fn best_trees(
        &self,
        model: &Lpcfg,
        sentence: &[Observation<'_>],
        k: usize,
        members: usize,
        scratch: &mut Scratch,
    ) -> Vec<Parse> {
        let mut own = std::mem::take(&mut scratch.spans);
        let grammar = model.grammar();
        let judged = scratch.judgement(members, &self.names);
        self.model.judge(judged, sentence, grammar.lexicon(), &mut own);
        let forest = &scratch.forest;
        if let Some(marginals) = &mut scratch.marginals {
            let items = own.marginals().map(|(item, posterior)| {
                let item = forest.items()[item as usize];
                ((item.symbol, item.start, item.end), posterior)
            });
            let confidence = |words, posterior| self.model.confidence(words, posterior);
            marginals.overrule(grammar.symbols(), sentence, items, confidence);
        }
        let parses = match k {
            1 => one(model, sentence, forest, &mut own, scratch.partition).into_iter().collect(),
            _ => several(model, sentence, k, forest, &own),
        };
        scratch.spans = own;
        parses
    }
}

/// The symbol of a node.
fn symbol(forest: &Forest, own: &spans::Scratch, node: u32) -> u32 {
    forest.items()[own.item(node) as usize].symbol
}

/// A node with its children.
fn way(forest: &Forest, own: &spans::Scratch, (left, right): (u32, u32)) -> Way {
    let split = forest.items()[own.item(left) as usize].end as usize;
    Way { rule: 0, left: symbol(forest, own, left), right: symbol(forest, own, right), split }
}

/// The tree with the most expected brackets.
fn one(
    model: &Lpcfg,
    sentence: &[Observation<'_>],
    forest: &Forest,
    own: &mut spans::Scratch,
    partition: SignedLog,
) -> Option<Parse> {
    let root = own.choose()?;
    let own = &*own;
    let first = (symbol(forest, own, root), root);
    let tree = build(model.grammar().symbols(), sentence, first, |(_, node), _, _| {
        let children = own.children(node)?;
        Some((way(forest, own, children), children))
    })?;
    let SignedLog { sign, log: log_probability } = partition;
    Some(Parse { tree: model.grammar().restore(tree), log_probability, sign, outcome: Outcome::Parsed })
}

/// The most probable trees.
fn several(
    model: &Lpcfg,
    sentence: &[Observation<'_>],
    k: usize,
    forest: &Forest,
    own: &spans::Scratch,
) -> Vec<Parse> {
    let (mut lists, mut ranking) = own.ranking();
    let mut parses: Vec<Parse> = Vec::new();
    while parses.len() < k {
        let Some((root, rank, score)) = ranking.next(&mut lists) else { break };
        // Trees are built in pre-order: these phrases are still to come, each with the rank of its derivation.
        let mut open = vec![(root, rank)];
        let first = (symbol(forest, own, root), 0);
        let tree = build(model.grammar().symbols(), sentence, first, |_, _, _| {
            let (node, rank) = open.pop()?;
            let derivation = lists.derivation(node, rank as usize)?;
            let (left, right) = derivation.children?;
            let children = [(right, derivation.ranks.1), (left, derivation.ranks.0)];
            open.extend(children.into_iter().filter(|&(child, _)| !own.is_preterminal(child)));
            Some((way(forest, own, (left, right)), (0, 0)))
        });
        let Some(tree) = tree else { continue };
        let parse = Parse {
            tree: model.grammar().restore(tree),
            log_probability: score - own.log_partition(),
            sign: 1,
            outcome: Outcome::Parsed,
        };
        if parses.iter().all(|other| other.tree != parse.tree) {
            parses.push(parse);
        }
    }
    parses
}

impl Scratch {
    /// What the members said about the first grammar's forest.
    pub(super) fn judgement<'s>(&'s self, members: usize, names: &'s [SymbolName]) -> Judgement<'s> {
        let Self { forest, rules, items, extra, .. } = self;
        Judgement { forest, rules, items, votes: extra, members, names }
    }
}
