//! The tree with the lowest expected number of wrong and missing brackets.

use super::super::lpcfg::{LatentGrammar, StateId};
use super::chart::{Chart, NONE};
use super::prefixes::Prefixes;
use crate::ids::Id;
use crate::tree::{Tree, TreeBuilder};

/// `µ(A,i,j)` of the label over the span, for each item that is a state; 0 for prefixes.
pub(super) fn label_marginals(grammar: &LatentGrammar, prefixes: &Prefixes, chart: &Chart) -> Vec<f64> {
    let mut marginals = vec![0.0; chart.items.len()];
    let mut by_label = vec![0.0; grammar.labels().len()];
    let label = |symbol: u32| {
        let state = StateId::new(symbol as usize).filter(|_| prefixes.is_state(symbol))?;
        Some(grammar.label_index(state))
    };
    for cell in chart.cells() {
        let items = &chart.items[cell.clone()];
        for item in items {
            if let Some(label) = label(item.symbol) {
                by_label[label] += item.inside * item.outside;
            }
        }
        for (marginal, item) in marginals[cell.clone()].iter_mut().zip(items) {
            *marginal = label(item.symbol).map_or(0.0, |label| by_label[label]);
        }
        items.iter().filter_map(|item| label(item.symbol)).for_each(|label| by_label[label] = 0.0);
    }
    marginals
}

/// The best tree; needs an outside pass.
pub(super) fn best_tree(
    grammar: &LatentGrammar,
    prefixes: &Prefixes,
    chart: &Chart,
    words: &[&str],
) -> Option<Tree> {
    let marginals = label_marginals(grammar, prefixes, chart);
    let mut below = vec![f64::NEG_INFINITY; chart.items.len()];
    let mut ways = vec![NONE; chart.items.len()];
    for position in 0..words.len() {
        for at in chart.cell(position, position + 1) {
            // A tag has words and no rules, so no edge leads to it.
            if is_tag(grammar, chart.items[at].symbol) {
                below[at] = 0.0;
            }
        }
    }
    let gain = |at: u32, below: &[f64]| {
        let own = match prefixes.is_state(chart.items[at as usize].symbol) {
            true => marginals[at as usize] - 0.5,
            false => 0.0,
        };
        own + below[at as usize]
    };
    for (number, edge) in chart.edges.iter().enumerate() {
        if chart.items[edge.target as usize].outside > 0.0 {
            let right = if edge.right == NONE { 0.0 } else { gain(edge.right, &below) };
            let value = gain(edge.left, &below) + right;
            if value > below[edge.target as usize] {
                below[edge.target as usize] = value;
                ways[edge.target as usize] = number as u32;
            }
        }
    }
    let tops = grammar.roots().iter().filter_map(|&(state, _)| chart.whole(state));
    let top = tops.max_by(|&a, &b| gain(a as u32, &below).total_cmp(&gain(b as u32, &below)))?;
    write(grammar, prefixes, chart, &ways, top, words)
}

fn is_tag(grammar: &LatentGrammar, symbol: u32) -> bool {
    let state = StateId::new(symbol as usize).filter(|state| state.index() < grammar.state_count());
    state.is_some_and(|state| grammar.is_tag(state))
}

enum Step {
    Open(u32),
    Close,
}

/// Follows the best choices downwards.
fn write(
    grammar: &LatentGrammar,
    prefixes: &Prefixes,
    chart: &Chart,
    ways: &[u32],
    top: usize,
    words: &[&str],
) -> Option<Tree> {
    let mut builder = TreeBuilder::new();
    let mut steps = vec![Step::Open(top as u32)];
    while let Some(step) = steps.pop() {
        let Step::Open(at) = step else {
            builder.close();
            continue;
        };
        let symbol = chart.items[at as usize].symbol;
        if let Some(state) = StateId::new(symbol as usize).filter(|_| prefixes.is_state(symbol)) {
            if grammar.is_tag(state) {
                builder.preterminal(grammar.label(state), words.get(builder.word_count())?);
                continue;
            }
            builder.open(grammar.label(state));
            steps.push(Step::Close);
        }
        let edge = chart.edges.get(ways[at as usize] as usize)?;
        if edge.right != NONE {
            steps.push(Step::Open(edge.right));
        }
        steps.push(Step::Open(edge.left));
    }
    builder.finish()
}
