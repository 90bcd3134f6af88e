//! Stacks a span model on the grammars.
//!
//! A grammar is too sure of the trees that it was learnt from, and a model that learns how far to trust it must not see
//! that. Therefore the treebank is divided into parts, and the trees of each part are judged by grammars learnt from the
//! others (jackknifing). Learning a grammar takes seconds, so this is cheap.

use corpus::tree::Tree;
use rayon::prelude::*;

use super::config::{LpcfgConfig, ParserConfig};
use super::learner::LpcfgLearner;
use super::parser::{Parser, Scratch};
use crate::lexicon::Observation;
use crate::spans::{Example, SpanConfig, SpanLearner, SpanModel, SymbolName};
use models::learn::{LearnError, Learned, Learner, Observer, Progress};

/// A part must have at least this many trees; smaller treebanks get no span model.
const LEAST_TREES: usize = 25;

/// Number of trees judged between two calls of the observer.
const ROUND: usize = 512;

/// Learns a span model for the grammars of this configuration; `None` if there are too few trees.
pub(super) fn learn_spans(
    config: &LpcfgConfig,
    spans: SpanConfig,
    trees: &[Tree],
    observer: &mut dyn Observer,
) -> Result<Option<Learned<SpanModel>>, LearnError> {
    if spans.folds < 2 || spans.block == 0 {
        return Err(LearnError::bad_config("a span model needs two folds or more, of blocks of trees"));
    }
    if trees.len() < spans.folds * LEAST_TREES {
        observer.note(format_args!(
            "{} trees are too few for a span model, which needs {}",
            trees.len(),
            spans.folds * LEAST_TREES
        ));
        return Ok(None);
    }
    let block = spans.block.min(trees.len() / spans.folds);
    let alone = LpcfgConfig { spans: None, ..config.clone() };
    let mut examples = Vec::with_capacity(trees.len());
    for fold in 0..spans.folds {
        let (held_out, others): (Vec<_>, Vec<_>) =
            trees.iter().enumerate().partition(|(at, _)| at / block % spans.folds == fold);
        let others: Vec<Tree> = others.into_iter().map(|(_, tree)| tree.clone()).collect();
        let model = LpcfgLearner { config: alone.clone() }.learn(&others, observer)?.model;
        drop(others);
        let mut progress = Progress::new(observer);
        progress.stage("judge held-out trees", Some(held_out.len() as u64))?;
        let parser = Parser::new(&model, ParserConfig::for_judging());
        let names = SymbolName::all(model.grammar().symbols());
        let judge = |scratch: &mut Scratch, tree: &Tree| {
            let sentence: Vec<Observation<'_>> = tree.words().map(Observation::Word).collect();
            let judged = parser.judgement(&sentence, &names, scratch)?;
            let right = config.grammar.normal_form.apply(tree.clone());
            Some(Example::new(&spans, judged, &sentence, model.grammar().lexicon(), &right))
        };
        for round in held_out.chunks(ROUND) {
            let judged =
                round.par_iter().map_init(Scratch::default, |scratch, (_, tree)| judge(scratch, tree));
            examples.extend(judged.collect::<Vec<_>>().into_iter().flatten());
            progress.advance(round.len() as u64)?;
        }
    }
    let mut progress = Progress::new(observer);
    let model = SpanLearner { config: spans }.learn(&examples, &mut progress)?;
    Ok(Some(progress.finish(model)))
}
