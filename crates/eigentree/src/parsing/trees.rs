//! Parses and scores treebanks in memory.

use corpus::format::penn::Entry;
use corpus::tree::Tree;
use eval::brackets::{BracketConfig, BracketScorer, BracketScores};
use grammars::pcfg::Parse;
use models::learn::Observer;
use rayon::prelude::*;

use super::input::{ParseInput, TagUse, observations};
use super::parser::TreeParser;
use crate::Error;
use crate::conversion::{Item, TagColumn};
use crate::rounds::ScratchPool;

/// Number of trees per thread between two calls of the observer.
const ROUND: usize = 64;

/// The parses of a treebank in memory.
#[derive(Clone, Debug)]
pub struct ParsedTrees {
    /// One per tree; `None` for a tree without words.
    pub parses: Vec<Option<Parse>>,
    /// Number of sentences whose partition function was negative.
    pub negative: u64,
}

/// Parses the words of some trees, with or without their tags. A tree without words gives `None`. The caller must have
/// started a stage.
pub fn parse_trees<P: TreeParser>(
    parser: &P,
    trees: &[Tree],
    tags: TagUse,
    observer: &mut dyn Observer,
) -> Result<Vec<Option<Parse>>, Error> {
    Ok(parse_and_count(parser, trees, tags, observer)?.parses)
}

/// Like [`parse_trees`], with counts.
pub fn parse_and_count<P: TreeParser>(
    parser: &P,
    trees: &[Tree],
    tags: TagUse,
    observer: &mut dyn Observer,
) -> Result<ParsedTrees, Error> {
    let pool = ScratchPool::<P::Scratch>::new();
    let mut parses = Vec::with_capacity(trees.len());
    for round in trees.chunks(ROUND * rayon::current_num_threads()) {
        let parsed = round.par_iter().with_max_len(1).map(|tree| {
            let item = Item::Tree(tree.clone());
            let sentence = observations(&item, ParseInput::Ptb, tags, TagColumn::default());
            pool.lend(|scratch| parser.parse_best(&sentence, 1, scratch)).into_iter().next()
        });
        parses.par_extend(parsed);
        observer.advance(round.len() as u64);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    let negative = pool.into_all().iter().map(P::negative).sum();
    Ok(ParsedTrees { parses, negative })
}

/// Scores parses of the words of `gold`.
pub fn score_parses(
    gold: &[Tree],
    parses: &[Option<Parse>],
    config: &BracketConfig,
) -> Result<BracketScores, Error> {
    let mut scorer = BracketScorer::new(config.clone());
    for (gold, parse) in gold.iter().zip(parses) {
        let entry = parse.as_ref().map_or(Entry::Empty, |parse| Entry::Tree(parse.tree.clone()));
        scorer.score(gold, &entry)?;
    }
    Ok(scorer.finish())
}
