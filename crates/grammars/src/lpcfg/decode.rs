//! Decodes posteriors: the tree of the forest with the largest sum of the scores of its rules, or of its constituents.

use corpus::tree::Tree;

use super::config::Decoding;
use super::model::Refined;
use super::parser::Scratch;
use crate::chart::{Forest, Way};
use crate::lexicon::Observation;
use crate::pcfg::decode::build;

/// The tree with the largest score; `None` if the forest has no tree.
pub(super) fn best_tree(
    refined: &Refined,
    sentence: &[Observation<'_>],
    decoding: Decoding,
    scratch: &mut Scratch,
) -> Option<Tree> {
    let Scratch { forest, rules, items, best, extra, .. } = scratch;
    best.clear();
    best.extend_from_slice(&items[..forest.preterminals()]);
    best.iter_mut().zip(&*extra).for_each(|(best, extra)| *best += extra);
    for item in forest.preterminals()..forest.items().len() {
        let own = match decoding {
            Decoding::RuleSum | Decoding::RuleProduct => 0.0,
            Decoding::ConstituentSum => items.get(item).copied().unwrap_or(0.0),
        };
        let bonus = own + extra.get(item).copied().unwrap_or(0.0);
        let score = best_way(forest, rules, best, item).map_or(f32::NEG_INFINITY, |(_, score)| score + bonus);
        best.push(score);
    }
    let root = forest
        .roots()
        .iter()
        .map(|&(item, _)| item)
        .max_by(|&a, &b| best[a as usize].total_cmp(&best[b as usize]).then(b.cmp(&a)))?;
    // A node of the tree under construction is its symbol and its item.
    let symbol = |item: u32| forest.items()[item as usize].symbol;
    build(refined.grammar.symbols(), sentence, (symbol(root), root), |(_, item), _, _| {
        let ((left, right), _) = best_way(forest, rules, best, item as usize)?;
        let split = forest.items()[left as usize].end as usize;
        Some((Way { rule: 0, left: symbol(left), right: symbol(right), split }, (left, right)))
    })
}

/// The children of an item in its best tree, and the score of that tree.
fn best_way(forest: &Forest, rules: &[f32], best: &[f32], item: usize) -> Option<((u32, u32), f32)> {
    let mut top: Option<((u32, u32), f32)> = None;
    for bundle in forest.bundles_of(item) {
        for (at, split) in bundle.range().zip(forest.splits(bundle)) {
            let score = rules[at] + best[split.left as usize] + best[split.right as usize];
            if top.is_none_or(|(_, other)| score > other) {
                top = Some(((split.left, split.right), score));
            }
        }
    }
    top
}
