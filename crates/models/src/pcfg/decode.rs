//! From a filled chart to trees.

use corpus::ids::Id;
use corpus::tree::{Tree, TreeBuilder, marks};

use super::config::Decoding;
use super::model::Pcfg;
use super::parser::{Outcome, Parse, Parser, Scope, Scratch};
use crate::chart::{Derivation, KBest, Objective, Semiring, Way};
use crate::grammar::{SymbolId, SymbolTable};
use crate::lexicon::Observation;

/// Rules below phrases of a smaller posterior than this are no candidates for decoding.
const NEGLIGIBLE: f32 = 1e-4;

/// The best trees by the parser's objective; none if the fine grammar has no parse in the mask.
pub(super) fn decode(
    parser: &Parser<'_>,
    sentence: &[Observation<'_>],
    k: usize,
    scope: Scope,
    scratch: &mut Scratch,
) -> Vec<Parse> {
    let model = parser.model;
    if k > 1 {
        return k_best(model, sentence, k, scope, scratch);
    }
    let objective = match parser.config.decoding {
        Decoding::Viterbi => None,
        Decoding::MaxRuleSum => Some(Objective::RuleSum),
        Decoding::MaxRuleProduct => Some(Objective::RuleProduct),
    };
    let by_rules = objective.and_then(|objective| max_rule(model, sentence, objective, scope, scratch));
    // If every derivation has a negligible part somewhere, the most probable one is still there.
    by_rules.or_else(|| viterbi(model, sentence, scope, scratch)).into_iter().collect()
}

fn viterbi(model: &Pcfg, sentence: &[Observation<'_>], scope: Scope, scratch: &mut Scratch) -> Option<Parse> {
    let Scratch { fine: chart, words, mask, .. } = scratch;
    let grammar = &model.fine;
    let log_probability = chart.inside(grammar, words, scope.allowed(mask, model), Semiring::Max)?;
    let root = chart.best_root(grammar, words)?;
    let tree = build(&model.symbols, sentence, (root, 0), |(symbol, _), start, end| {
        chart.best_way(grammar, words, symbol, start, end).map(|way| (way, (0, 0)))
    })?;
    Some(Parse { tree: model.restore(tree), log_probability, outcome: Outcome::Parsed })
}

fn max_rule(
    model: &Pcfg,
    sentence: &[Observation<'_>],
    objective: Objective,
    scope: Scope,
    scratch: &mut Scratch,
) -> Option<Parse> {
    let Scratch { fine: chart, words, mask, .. } = scratch;
    let grammar = &model.fine;
    let log_probability = chart.inside(grammar, words, scope.allowed(mask, model), Semiring::Sum)?;
    chart.outside(grammar, words, NEGLIGIBLE);
    chart.max_rule(grammar, words, objective);
    let root = chart.best_gaining_root(grammar, words)?;
    let tree = build(&model.symbols, sentence, (root, 0), |(symbol, _), start, end| {
        chart.best_gaining_way(grammar, words, symbol, (start, end), objective).map(|way| (way, (0, 0)))
    })?;
    Some(Parse { tree: model.restore(tree), log_probability, outcome: Outcome::Parsed })
}

fn k_best(
    model: &Pcfg,
    sentence: &[Observation<'_>],
    k: usize,
    scope: Scope,
    scratch: &mut Scratch,
) -> Vec<Parse> {
    let Scratch { fine: chart, words, mask, .. } = scratch;
    let grammar = &model.fine;
    if chart.inside(grammar, words, scope.allowed(mask, model), Semiring::Max).is_none() {
        return Vec::new();
    }
    let n = sentence.len();
    let mut lists = KBest::new(chart, grammar, words);
    // The next derivation of each possible root, with the root's own probability.
    let mut heads: Vec<(u32, usize, Derivation)> = (0..grammar.symbols() as u32)
        .filter(|&root| grammar.root(root) > 0.0)
        .filter_map(|root| lists.derivation(root, 0, n, 0).map(|first| (root, 0, first)))
        .collect();
    let score =
        |head: &(u32, usize, Derivation)| f64::from(grammar.root(head.0)).ln() + head.2.log_probability;
    let mut parses: Vec<Parse> = Vec::new();
    while parses.len() < k {
        let best =
            heads.iter().enumerate().max_by(|(i, a), (j, b)| score(a).total_cmp(&score(b)).then(j.cmp(i)));
        let Some((at, &(root, rank, _))) = best else { break };
        let log_probability = score(&heads[at]);
        let tree = build(&model.symbols, sentence, (root, rank as u32), |(symbol, rank), start, end| {
            let derivation = lists.derivation(symbol, start, end, rank as usize)?;
            Some((derivation.way?, derivation.ranks))
        });
        if let Some(tree) = tree {
            let parse = Parse { tree: model.restore(tree), log_probability, outcome: Outcome::Parsed };
            if parses.iter().all(|other| other.tree != parse.tree) {
                parses.push(parse);
            }
        }
        match lists.derivation(root, 0, n, rank + 1) {
            Some(next) => heads[at] = (root, rank + 1, next),
            None => {
                heads.swap_remove(at);
            }
        }
    }
    parses
}

enum Step {
    Open { node: (u32, u32), start: usize, end: usize },
    Close,
}

/// Builds the subtree of `root` over the whole sentence; `way` tells how each symbol over two or more words was made,
/// and which derivations of its children to take.
pub(super) fn build(
    symbols: &SymbolTable,
    sentence: &[Observation<'_>],
    root: (u32, u32),
    way: impl FnMut((u32, u32), usize, usize) -> Option<(Way, (u32, u32))>,
) -> Option<Tree> {
    let mut builder = TreeBuilder::new();
    build_into(&mut builder, symbols, sentence, root, (0, sentence.len()), way)?;
    builder.finish()
}

/// Adds the subtree of `root` over `start..end` to what is built.
pub(super) fn build_into(
    builder: &mut TreeBuilder,
    symbols: &SymbolTable,
    sentence: &[Observation<'_>],
    root: (u32, u32),
    (start, end): (usize, usize),
    mut way: impl FnMut((u32, u32), usize, usize) -> Option<(Way, (u32, u32))>,
) -> Option<()> {
    let mut steps = vec![Step::Open { node: root, start, end }];
    while let Some(step) = steps.pop() {
        match step {
            Step::Close => builder.close(),
            Step::Open { node, start, end } => {
                let label = symbols.label(SymbolId::new(node.0 as usize)?);
                if end == start + 1 {
                    preterminal(builder, label, sentence[start]);
                    continue;
                }
                builder.open(label);
                let (made, ranks) = way(node, start, end)?;
                steps.push(Step::Close);
                steps.push(Step::Open { node: (made.right, ranks.1), start: made.split, end });
                steps.push(Step::Open { node: (made.left, ranks.0), start, end: made.split });
            }
        }
    }
    Some(())
}

/// A word below its preterminal. A tag that was given stays, even if the grammar does not know it; of a tag without a word,
/// the tag stands for the word.
fn preterminal(builder: &mut TreeBuilder, label: &str, observed: Observation<'_>) {
    let (word, given) = match observed {
        Observation::Word(word) => (word, None),
        Observation::Tagged(word, tag) => (word, Some(tag)),
        Observation::Tag(tag) => (tag, Some(tag)),
    };
    match given {
        None => builder.preterminal(label, word),
        Some(tag) => {
            let chain = marks::base(label).strip_suffix(marks::chain_bottom(label)).unwrap_or_default();
            builder.preterminal(&format!("{chain}{}", marks::protect_label(tag)), word);
        }
    }
}
