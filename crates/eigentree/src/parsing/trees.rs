//! Parses and scores treebanks in memory.

use corpus::format::penn::Entry;
use corpus::tree::Tree;
use eval::brackets::{BracketConfig, BracketScorer, BracketScores};
use grammars::pcfg::Parse;
use models::learn::Observer;

use super::input::{TagUse, observations};
use super::parser::TreeParser;
use crate::Error;
use crate::conversion::{Item, TagColumn};
use crate::reading::Format;
use crate::streaming::map_in_memory;

/// The parses of a treebank in memory.
#[derive(Clone, Debug)]
pub struct ParsedTrees {
    /// One per tree; a tree without words gives none.
    pub parses: Vec<Option<Parse>>,
    /// Number of sentences whose partition function was negative.
    pub negative: u64,
}

/// Parses the words of some trees, with their tags or without. A tree without words gives none. The caller must have started
/// a stage.
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
    let parsed = map_in_memory(trees, observer, |tree, scratch| {
        let item = Item::Tree(tree.clone());
        let sentence = observations(&item, Format::Ptb, tags, TagColumn::default());
        let before = P::negative(scratch);
        let parse = parser.parse_best(&sentence, 1, scratch).into_iter().next();
        (parse, P::negative(scratch) - before)
    })?;
    let negative = parsed.iter().map(|(_, negative)| negative).sum();
    Ok(ParsedTrees { parses: parsed.into_iter().map(|(parse, _)| parse).collect(), negative })
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
