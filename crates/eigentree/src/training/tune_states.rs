//! Choosing how many states each symbol has, on trees held out of the training set.

use corpus::format::penn::Entry;
use corpus::tree::Tree;
use eval::brackets::{BracketConfig, BracketScorer};
use grammars::lexicon::Observation;
use grammars::lpcfg::{
    BracketCounts, LpcfgConfig, LpcfgLearner, Method, Parser, ParserConfig, StateSearch, search_states,
};
use models::learn::{Learner, Observer};

use super::tune::hold_out;
use crate::Error;

/// The numbers of states that did best, and what they brought.
#[derive(Clone, PartialEq, Debug)]
pub struct StateTuning {
    /// The result of the search.
    pub search: StateSearch,
    /// How many trees were held out.
    pub held_out: usize,
}

/// Chooses the number of states of each symbol, from words alone, on a tenth of the trees. A spectral model of the other trees is
/// learnt once, with the most states that the first member may have, and [`search_states`] takes states from it.
pub fn tune_states(
    config: &LpcfgConfig,
    parsing: &ParserConfig,
    trees: &[Tree],
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<StateTuning, Error> {
    let spectral = config.members.iter().find_map(Method::projection).ok_or_else(|| {
        Error::Data(
            "numbers of states are chosen for spectral models; EM from a random start has one for all"
                .to_owned(),
        )
    })?;
    let (train, held_out) = hold_out(trees, seed)?;
    let alone = LpcfgConfig {
        members: vec![Method::Spectral(spectral.clone())],
        companions: Vec::new(),
        spans: None,
        sketch: None,
        ..config.clone()
    };
    let model = LpcfgLearner { config: alone }.learn(&train, observer)?.model;
    let parser = Parser::new(&model, parsing.clone());
    let sentences: Vec<Vec<Observation<'_>>> =
        held_out.iter().map(|tree| tree.words().map(Observation::Word).collect()).collect();
    let brackets = BracketConfig::collins();
    let score = |at: usize, tree: &Tree| {
        let mut scorer = BracketScorer::new(brackets.clone());
        // A tree that cannot be compared has other words; it counts nothing.
        if scorer.score(&held_out[at], &Entry::Tree(tree.clone())).is_err() {
            return BracketCounts::default();
        }
        let counts = scorer.finish().summary().brackets;
        BracketCounts { matched: counts.matched, gold: counts.gold, predicted: counts.predicted }
    };
    let search = search_states(&model, &parser, &sentences, &score, observer)?.model;
    observer.note(format_args!(
        "numbers of states chosen on {} held-out training trees in {} trials: F1 {:.2} instead of {:.2} there, {} symbols limited",
        held_out.len(),
        search.trials,
        100.0 * search.after,
        100.0 * search.before,
        search.limits.iter().len()
    ));
    Ok(StateTuning { search, held_out: held_out.len() })
}
