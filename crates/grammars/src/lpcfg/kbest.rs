//! The k best trees of a forest by the product of rule posteriors.
//!
//! The posteriors of the members are multiplied for every rule application and preterminal, as in decoding of the
//! single best tree (Petrov and Klein 2007). The lists are exact and lazy ([`KBest`]). Derivations that become the same
//! tree when the normal form is undone count once, by the best of them.

use super::model::Refined;
use super::parser::Scratch;
use crate::chart::{Edge, Forest, Hypergraph, KBest, Ranking, Way};
use crate::lexicon::Observation;
use crate::pcfg::decode::build;
use crate::pcfg::{Outcome, Parse};

/// A forest with scores.
struct ScoredForest<'f> {
    forest: &'f Forest,
    /// Scores of rule applications, in the order of the forest's split points.
    rules: &'f [f32],
    /// Scores of preterminals, which are the first items.
    items: &'f [f32],
    /// Additional score of each item; may be empty.
    extra: &'f [f32],
}

impl ScoredForest<'_> {
    fn extra(&self, item: usize) -> f64 {
        f64::from(self.extra.get(item).copied().unwrap_or(0.0))
    }
}

impl Hypergraph for ScoredForest<'_> {
    type Node = u32;

    fn leaf(&self, item: u32) -> Option<f64> {
        let item = item as usize;
        (item < self.forest.preterminals()).then(|| f64::from(self.items[item]) + self.extra(item))
    }

    fn ways(&self, item: u32, out: &mut Vec<Edge<u32>>) {
        let extra = self.extra(item as usize);
        for bundle in self.forest.bundles_of(item as usize) {
            let splits = bundle.range().zip(self.forest.splits(bundle));
            out.extend(splits.map(|(at, split)| Edge {
                left: split.left,
                right: split.right,
                score: f64::from(self.rules[at]) + extra,
            }));
        }
    }
}

/// The `k` best different trees by the scores in `scratch`, which sum over `members` models.
///
/// The score of a tree is the logarithm of the product of its posteriors, as the geometric mean over members. The
/// additional scores of items affect the order but are not part of it.
pub(super) fn best_trees(
    refined: &Refined,
    sentence: &[Observation<'_>],
    k: usize,
    members: usize,
    scratch: &Scratch,
) -> Vec<Parse> {
    let Scratch { forest, rules, items, extra, .. } = scratch;
    let mut lists = KBest::new(ScoredForest { forest, rules, items, extra });
    let mut ranking = Ranking::new(&mut lists, forest.roots().iter().map(|&(item, _)| (item, 0.0)));
    let symbol = |item: u32| forest.items()[item as usize].symbol;
    let mut parses: Vec<Parse> = Vec::new();
    while parses.len() < k {
        let Some((root, rank, score)) = ranking.next(&mut lists) else { break };
        // Trees are built in pre-order: these items are still to come, each with the rank of its derivation.
        let mut open = vec![(root, rank)];
        let mut extras = 0.0;
        let tree = build(refined.grammar.symbols(), sentence, (symbol(root), 0), |_, _, _| {
            let (item, rank) = next_phrase(forest, &mut open)?;
            let derivation = lists.derivation(item, rank as usize)?;
            let (left, right) = derivation.children?;
            open.push((right, derivation.ranks.1));
            open.push((left, derivation.ranks.0));
            extras += [left, right]
                .iter()
                .map(|&child| extra.get(child as usize).copied().unwrap_or(0.0))
                .sum::<f32>();
            let split = forest.items()[left as usize].end as usize;
            Some((Way { rule: 0, left: symbol(left), right: symbol(right), split }, (0, 0)))
        });
        let Some(tree) = tree else { continue };
        extras += extra.get(root as usize).copied().unwrap_or(0.0);
        let parse = Parse {
            tree: refined.grammar.restore(tree),
            log_probability: (score - f64::from(extras)) / members.max(1) as f64,
            sign: 1,
            outcome: Outcome::Parsed,
        };
        if parses.iter().all(|other| other.tree != parse.tree) {
            parses.push(parse);
        }
    }
    parses
}

/// The next item that is not a preterminal; preterminals need no derivation.
fn next_phrase(forest: &Forest, open: &mut Vec<(u32, u32)>) -> Option<(u32, u32)> {
    while let Some((item, rank)) = open.pop() {
        if item as usize >= forest.preterminals() {
            return Some((item, rank));
        }
    }
    None
}
