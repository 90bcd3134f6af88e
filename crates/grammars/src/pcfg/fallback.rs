//! Trees for sentences that the grammar does not derive.
//!
//! The sentence is split into as few pieces as possible such that the coarse grammar derives each; of these splits the
//! most probable one is taken. The pieces are children of a node labelled [`FALLBACK_LABEL`], so that the tree cannot
//! be mistaken for a parse.

use corpus::tree::{FALLBACK_LABEL, Tree, TreeBuilder, marks};

use super::decode;
use super::model::Pcfg;
use super::parser::{Outcome, Parse, Scratch};
use crate::chart::{Allowed, Semiring};
use crate::lexicon::{Emission, Observation};

fn marked(model: &Pcfg, tree: Option<Tree>, sentence: &[Observation<'_>]) -> Parse {
    let tree = match tree {
        Some(tree) => model.restore(tree),
        None => return flat(model, sentence),
    };
    Parse { tree, log_probability: f64::NEG_INFINITY, sign: 0, outcome: Outcome::Fallback }
}

/// Joins the pieces that the coarse grammar derives.
pub(super) fn pieces(model: &Pcfg, sentence: &[Observation<'_>], scratch: &mut Scratch) -> Parse {
    let Scratch { coarse_words, coarse: chart, .. } = scratch;
    let grammar = &model.coarse;
    chart.inside(grammar, coarse_words, Allowed::All, Semiring::Max);

    // best[end]: the number of pieces up to `end`, minus their log-probability, and the start and root of the last
    // piece.
    let n = sentence.len();
    let mut best: Vec<Option<(usize, f64, usize, u32)>> = vec![None; n + 1];
    best[0] = Some((0, 0.0, 0, 0));
    for end in 1..=n {
        for start in 0..end {
            let Some((count, cost, _, _)) = best[start] else { continue };
            let Some((symbol, score)) = chart.best_symbol(grammar, coarse_words, start, end) else {
                continue;
            };
            let (count, cost) = (count + 1, cost - score);
            if best[end].is_none_or(|(other, other_cost, _, _)| (count, cost) < (other, other_cost)) {
                best[end] = Some((count, cost, start, symbol));
            }
        }
    }
    let mut cut: Vec<(usize, usize, u32)> = Vec::new();
    let mut end = n;
    while end > 0 {
        let Some((_, _, start, symbol)) = best[end] else { return flat(model, sentence) };
        cut.push((start, end, symbol));
        end = start;
    }
    let mut builder = TreeBuilder::new();
    builder.open(FALLBACK_LABEL);
    for &(start, end, symbol) in cut.iter().rev() {
        let symbols = model.projection.symbols();
        decode::build_into(
            &mut builder,
            symbols,
            sentence,
            (symbol, 0),
            (start, end),
            |(symbol, _), start, end| {
                chart.best_way(grammar, coarse_words, symbol, start, end).map(|way| (way, (0, 0)))
            },
        );
    }
    builder.close();
    marked(model, builder.finish(), sentence)
}

/// One piece per word, each with its most likely preterminal: for sentences too long for a chart.
pub(super) fn flat(model: &Pcfg, sentence: &[Observation<'_>]) -> Parse {
    let mut builder = TreeBuilder::new();
    let mut emissions: Vec<Emission> = Vec::new();
    builder.open(FALLBACK_LABEL);
    for (position, &observed) in sentence.iter().enumerate() {
        emissions.clear();
        let place = corpus::rare_words::SentencePosition::of(position);
        model.lexicon.emissions(observed, place, &mut emissions);
        let joint = |emission: &Emission| {
            f64::from(emission.probability) * model.lexicon.preterminal_count(emission.preterminal)
        };
        let likeliest = emissions.iter().max_by(|a, b| joint(a).total_cmp(&joint(b)));
        let tag = likeliest
            .map_or("", |emission| model.lexicon.tags().text(model.lexicon.tag_of(emission.preterminal)));
        match observed {
            Observation::Word(word) => builder.preterminal(&marks::unprotect_label(tag), word),
            Observation::Tagged(word, given) => builder.preterminal(given, word),
            Observation::Tag(given) => builder.preterminal(given, given),
        }
    }
    builder.close();
    let tree = builder.finish().expect("one open and one close around preterminals");
    Parse { tree: model.wrap(tree), log_probability: f64::NEG_INFINITY, sign: 0, outcome: Outcome::Fallback }
}
