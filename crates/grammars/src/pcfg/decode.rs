//! Reads trees off a filled chart.

use corpus::ids::Id;
use corpus::tree::{Tree, TreeBuilder, marks};

use super::config::Decoding;
use super::model::Pcfg;
use super::parser::{Outcome, Parse, Parser, Scope, Scratch};
use crate::chart::{ChartGraph, KBest, Objective, Ranking, Semiring, Way};
use crate::grammar::{SymbolId, SymbolTable};
use crate::lexicon::Observation;

/// Decoding ignores rules below phrases with a smaller posterior.
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
        Decoding::MaxConstituentSum => Some(Objective::ConstituentSum),
    };
    let by_rules = objective.and_then(|objective| max_rule(model, sentence, objective, scope, scratch));
    // If every derivation has a negligible part somewhere, fall back to the most probable one.
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
    Some(Parse { tree: model.restore(tree), log_probability, sign: 1, outcome: Outcome::Parsed })
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
    Some(Parse { tree: model.restore(tree), log_probability, sign: 1, outcome: Outcome::Parsed })
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
    let n = sentence.len() as u32;
    let mut lists = KBest::new(ChartGraph { chart, grammar, words });
    let roots = (0..grammar.symbols() as u32).filter(|&root| grammar.root(root) > 0.0);
    let roots = roots.map(|root| ((root, 0, n), f64::from(grammar.root(root)).ln()));
    let mut ranking = Ranking::new(&mut lists, roots);
    let mut parses: Vec<Parse> = Vec::new();
    while parses.len() < k {
        let Some(((root, ..), rank, log_probability)) = ranking.next(&mut lists) else { break };
        let tree = build(&model.symbols, sentence, (root, rank), |(symbol, rank), start, end| {
            let derivation = lists.derivation((symbol, start as u32, end as u32), rank as usize)?;
            let ((left, _, split), (right, ..)) = derivation.children?;
            Some((Way { rule: 0, left, right, split: split as usize }, derivation.ranks))
        });
        if let Some(tree) = tree {
            let parse =
                Parse { tree: model.restore(tree), log_probability, sign: 1, outcome: Outcome::Parsed };
            if parses.iter().all(|other| other.tree != parse.tree) {
                parses.push(parse);
            }
        }
    }
    parses
}

enum Step {
    Open { node: (u32, u32), start: usize, end: usize },
    Close,
}

/// Builds the subtree of `root` over the whole sentence. `way` returns how each symbol over two or more words is
/// derived, and which derivations of its children to take.
pub(crate) fn build(
    symbols: &SymbolTable,
    sentence: &[Observation<'_>],
    root: (u32, u32),
    way: impl FnMut((u32, u32), usize, usize) -> Option<(Way, (u32, u32))>,
) -> Option<Tree> {
    let mut builder = TreeBuilder::new();
    build_into(&mut builder, symbols, sentence, root, (0, sentence.len()), way)?;
    builder.finish()
}

/// Adds the subtree of `root` over `start..end` to the builder.
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

/// Adds a word below its preterminal. A given tag stays, even if the grammar does not know it. If only a tag was given,
/// it also stands for the word.
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
