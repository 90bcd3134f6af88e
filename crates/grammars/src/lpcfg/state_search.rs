//! How many states each symbol needs, found by trying on held-out sentences.
//!
//! One rule for all symbols suits none of them. S. Narayan and S. Cohen (Optimizing Spectral Learning for Parsing, ACL 2016)
//! choose the numbers of all symbols together, each by its effect on accuracy. They learn a model per trial. Here a trial
//! learns nothing: the states of a spectral model are singular directions, the most important first, so that a model with
//! fewer states is a corner of the tensors of one with more ([`sketch`](super::sketch)). Forests and word vectors are computed
//! once per sentence, and a trial parses only the sentences in whose forest its symbol occurs.
//!
//! First all symbols get the same limit, the best of a ladder. Then each symbol, the most frequent first, climbs up or down the
//! ladder as long as that gains, given all others.

use corpus::ids::Id;
use corpus::tree::Tree;
use rayon::prelude::*;

use super::config::{Decoding, StateLimits};
use super::held_out::HeldOutForest;
use super::model::{Lpcfg, Refined};
use super::parameters::Parameters;
use super::parser::{Parser, Scratch};
use super::sketch::corner;
use crate::lexicon::Observation;
use models::learn::{LearnError, Learned, Observer, Progress};

/// Numbers of states to try.
const LADDER: [u32; 11] = [1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 128];

/// Symbols that occur in the forests of a smaller share of the sentences keep the common limit: a few sentences say little.
const LEAST_SHARE: f64 = 0.2;

/// Brackets of a parse compared with the right tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BracketCounts {
    /// Right brackets.
    pub matched: u64,
    /// Brackets of the right tree.
    pub gold: u64,
    /// Brackets of the parse.
    pub predicted: u64,
}

impl BracketCounts {
    fn sum(counts: &[Self]) -> Self {
        counts.iter().fold(Self::default(), |sum, own| Self {
            matched: sum.matched + own.matched,
            gold: sum.gold + own.gold,
            predicted: sum.predicted + own.predicted,
        })
    }

    /// The harmonic mean of precision and recall, between 0 and 1.
    pub fn f1(self) -> f64 {
        2.0 * self.matched as f64 / (self.gold + self.predicted).max(1) as f64
    }
}

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct StateSearch {
    /// The numbers that were chosen.
    pub limits: StateLimits,
    /// F1 of the whole model on the held-out sentences.
    pub before: f64,
    /// F1 with the limits on the same sentences; optimistic, since they chose them.
    pub after: f64,
    /// Number of trials.
    pub trials: usize,
}

/// Chooses the number of states of each symbol by the F1 of `score`, which compares a tree with the right one of the sentence
/// with that number. The model must be one spectral grammar; sentences without a forest are left out.
pub fn search_states(
    model: &Lpcfg,
    parser: &Parser<'_>,
    sentences: &[Vec<Observation<'_>>],
    score: &(dyn Fn(usize, &Tree) -> BracketCounts + Sync),
    observer: &mut dyn Observer,
) -> Result<Learned<StateSearch>, LearnError> {
    let refined = match (&model.grammars[..], &model.spans) {
        ([refined], None) if refined.members.len() == 1 && refined.sketch.is_none() => refined,
        _ => return Err(LearnError::bad_config("numbers of states are searched for with one model alone")),
    };
    let mut progress = Progress::new(observer);
    progress.stage("held-out forests", Some(sentences.len() as u64))?;
    let mut search = Search {
        refined,
        whole: &refined.members[0],
        sentences,
        forests: Vec::with_capacity(sentences.len()),
        score,
        dims: refined.members[0].dims.clone(),
        counts: Vec::new(),
        trials: 0,
    };
    for round in sentences.chunks(ROUND) {
        let found = round
            .par_iter()
            .map_init(Scratch::default, |scratch, sentence| parser.held_out_forest(sentence, scratch));
        search.forests.extend(found.collect::<Vec<_>>());
        progress.advance(round.len() as u64)?;
    }
    let everywhere: Vec<usize> = (0..sentences.len()).filter(|&at| search.forests[at].is_some()).collect();
    search.counts = vec![BracketCounts::default(); sentences.len()];
    search.counts = search.tried(&search.dims.clone(), &everywhere);
    let before = search.f1();

    let places = search.places();
    progress.stage("choose states", Some(1 + places.len() as u64))?;
    let most = search.whole.dims.iter().copied().max().unwrap_or(1);
    let whole = search.dims.clone();
    search.choose_one_for_all(LADDER.into_iter().filter(|&limit| limit < most), &everywhere);
    progress.figure("F1", search.f1());
    progress.advance(1)?;
    for (symbol, places) in &places {
        let (symbol, most) = (*symbol, whole[*symbol]);
        let start = search.dims[symbol];
        let smaller = LADDER.iter().rev().copied().filter(|&limit| limit < start);
        let larger = LADDER.iter().copied().filter(|&limit| limit > start && limit < most);
        let larger = larger.chain((start < most).then_some(most));
        if !search.climb(symbol, smaller, places) {
            search.climb(symbol, larger, places);
        }
        progress.figure("F1", search.f1());
        progress.advance(1)?;
    }
    let symbols = refined.grammar.symbols();
    let limits = symbols.iter().filter_map(|symbol| {
        let (dim, whole) = (search.dims[symbol.index()], whole[symbol.index()]);
        (dim < whole).then(|| (symbols.label(symbol).to_owned(), dim as usize))
    });
    let found =
        StateSearch { limits: StateLimits::new(limits), before, after: search.f1(), trials: search.trials };
    Ok(progress.finish(found))
}

/// A change must gain this many standard errors of its gain. On GUM, with 16 and 32 states, 0 takes the held-out trees from 84.15
/// to 84.83 and the development set from 83.92 to 83.59 (16 states, from words): chance. With 1 the development set gains 0.1
/// and 0.0 points, and with 2 nothing changes.
const CERTAINTY: f64 = 1.0;

/// Whether the second counts have a larger F1 than the first, by more than chance explains.
///
/// With `f` the first F1, a sentence adds `2 Δmatched − f Δpredicted` to the difference of the two, up to a common factor.
fn gain(before: &[BracketCounts], after: &[BracketCounts]) -> bool {
    let f1 = BracketCounts::sum(before).f1();
    let (mut sum, mut squares) = (0.0, 0.0);
    for (one, other) in before.iter().zip(after) {
        let matched = other.matched as f64 - one.matched as f64;
        let predicted = other.predicted as f64 - one.predicted as f64;
        let own = 2.0 * matched - f1 * predicted;
        sum += own;
        squares += own * own;
    }
    sum > 0.0 && sum > CERTAINTY * squares.sqrt()
}

/// Number of sentences between two calls of the observer.
const ROUND: usize = 256;

/// A search under way.
struct Search<'s, 'w> {
    refined: &'s Refined,
    whole: &'s Parameters<f32>,
    sentences: &'s [Vec<Observation<'w>>],
    forests: Vec<Option<HeldOutForest>>,
    score: &'s (dyn Fn(usize, &Tree) -> BracketCounts + Sync),
    /// The best numbers so far, and what they bring in each sentence.
    dims: Vec<u32>,
    counts: Vec<BracketCounts>,
    trials: usize,
}

impl Search<'_, '_> {
    fn f1(&self) -> f64 {
        BracketCounts::sum(&self.counts).f1()
    }

    /// The symbols whose number matters, the most frequent first, each with the sentences in whose forest it occurs.
    fn places(&self) -> Vec<(usize, Vec<usize>)> {
        let mut places: Vec<Vec<usize>> = vec![Vec::new(); self.dims.len()];
        for (at, forest) in self.forests.iter().enumerate() {
            for item in forest.iter().flat_map(HeldOutForest::items) {
                let own = &mut places[item.symbol as usize];
                if own.last() != Some(&at) {
                    own.push(at);
                }
            }
        }
        let least = (LEAST_SHARE * self.sentences.len() as f64) as usize;
        let mut places: Vec<(usize, Vec<usize>)> = places
            .into_iter()
            .enumerate()
            .filter(|(symbol, places)| self.whole.dims[*symbol] > 1 && places.len() > least)
            .collect();
        places.sort_by_key(|(symbol, places)| (std::cmp::Reverse(places.len()), *symbol));
        places
    }

    /// Tries some numbers of states, the same for all symbols, and keeps the best.
    fn choose_one_for_all(&mut self, limits: impl Iterator<Item = u32>, places: &[usize]) {
        let whole = self.dims.clone();
        for limit in limits {
            self.keep_if_better(whole.iter().map(|&dim| dim.min(limit)).collect(), places);
        }
    }

    /// Tries numbers of states of one symbol as long as each is better than the one before; returns whether the first was.
    fn climb(&mut self, symbol: usize, numbers: impl Iterator<Item = u32>, places: &[usize]) -> bool {
        let mut climbed = false;
        for number in numbers {
            let mut dims = self.dims.clone();
            dims[symbol] = number;
            if !self.keep_if_better(dims, places) {
                break;
            }
            climbed = true;
        }
        climbed
    }

    /// Tries numbers of states; keeps them if they are better than those so far, and by more than chance explains.
    fn keep_if_better(&mut self, dims: Vec<u32>, places: &[usize]) -> bool {
        let counts = self.tried(&dims, places);
        self.trials += 1;
        let better = gain(&self.counts, &counts);
        if better {
            (self.dims, self.counts) = (dims, counts);
        }
        better
    }

    /// The counts of all sentences if those in `places` are parsed with these numbers.
    fn tried(&self, dims: &[u32], places: &[usize]) -> Vec<BracketCounts> {
        let parameters = corner(self.whole, &self.refined.grammar, dims.to_vec());
        let found: Vec<(usize, BracketCounts)> = places
            .par_iter()
            .map_init(Scratch::default, |scratch, &at| {
                let forest = self.forests[at].as_ref();
                let tree = forest.and_then(|forest| {
                    forest.best_tree(
                        self.refined,
                        &parameters,
                        &self.sentences[at],
                        Decoding::RuleProduct,
                        scratch,
                    )
                });
                (at, tree.map_or_else(BracketCounts::default, |tree| (self.score)(at, &tree)))
            })
            .collect();
        let mut counts = self.counts.clone();
        found.into_iter().for_each(|(at, own)| counts[at] = own);
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lpcfg::{LpcfgLearner, ParserConfig, Recipe, StateLearner};
    use corpus::synthetic::{english, sample_treebank};
    use models::learn::{Learner, Silent};

    /// Brackets without labels: what matters is that the counts depend on the tree.
    fn spans(tree: &Tree) -> Vec<(usize, usize)> {
        let phrases = tree.nodes().filter(|node| !node.is_word() && !node.is_preterminal());
        let mut spans: Vec<_> = phrases.map(|node| (node.span().start, node.span().end)).collect();
        spans.sort_unstable();
        spans.dedup();
        spans
    }

    #[test]
    fn only_gains_are_kept_and_the_limits_hold_for_the_next_model() {
        let trees = sample_treebank(english(), 700, 3).unwrap();
        let (train, held_out) = trees.split_at(500);
        let recipe = Recipe { learner: Some(StateLearner::Spectral), states: Some(6), ..Recipe::default() };
        let config = recipe.config();
        let model = LpcfgLearner { config: config.clone() }.learn(train, &mut Silent).unwrap().model;
        let parser = Parser::new(&model, ParserConfig::default());
        let sentences: Vec<Vec<Observation<'_>>> =
            held_out.iter().map(|tree| tree.words().map(Observation::Word).collect()).collect();
        let score = |at: usize, tree: &Tree| {
            let (gold, found) = (spans(&held_out[at]), spans(tree));
            let matched = found.iter().filter(|span| gold.contains(span)).count();
            BracketCounts { matched: matched as u64, gold: gold.len() as u64, predicted: found.len() as u64 }
        };
        let search = || search_states(&model, &parser, &sentences, &score, &mut Silent).unwrap().model;
        let found = search();
        assert!(found.trials > 5 && found.after >= found.before, "{found:?}");
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(found, alone.install(search));

        let limits = StateLimits::new([("NP".to_owned(), 2), ("VP".to_owned(), 0)]);
        let limited =
            LpcfgLearner { config: config.with_limits(&limits) }.learn(train, &mut Silent).unwrap().model;
        let symbols = limited.grammar().symbols();
        for symbol in symbols.iter() {
            let [own, whole] =
                [&limited, &model].map(|model| model.grammars[0].members[0].dim(symbol.index()));
            let limit = limits.of(symbols.label(symbol)).unwrap_or(usize::MAX);
            assert_eq!(own, whole.min(limit), "{}", symbols.label(symbol));
        }
        assert_eq!(limits.of("VP"), Some(1), "a symbol has at least one state");
    }

    #[test]
    fn a_gain_must_exceed_its_error() {
        let of = |matched| BracketCounts { matched, gold: 10, predicted: 10 };
        let before = vec![of(5); 100];
        let with = |changes: &[(usize, u64)]| {
            let mut after = before.clone();
            changes.iter().for_each(|&(at, matched)| after[at] = of(matched));
            after
        };
        assert!(!gain(&before, &before));
        assert!(!gain(&before, &with(&[(0, 6)])), "one bracket more");
        assert!(gain(&before, &with(&[(0, 6), (1, 6), (2, 6)])));
        assert!(!gain(&before, &with(&[(0, 6), (1, 6), (2, 4)])));
        assert!(!gain(&with(&[(0, 6), (1, 6)]), &before));
    }
}
