//! Training lists for re-ranking.

use corpus::format::conllu::Sentence;
use dependency::arcs::Word;
use dependency::deptree::{Deptree, TreeWords};
use dependency::mst::{ClusterPaths, Mst, MstConfig, MstLearner, Parser, Scratch};
use dependency::reranker::{Candidate, GoldList, NBest};
use models::learn::{Learner, Observer};
use rayon::prelude::*;

use super::trees::{forms_and_tags, tree_of, tree_words};
use crate::Error;
use crate::dependency_parsing::DependencyParser;
use crate::parsing::Confidences;
use crate::streaming::ScratchPool;

/// Configuration of the lists.
#[derive(Clone, Debug)]
pub struct JackknifeConfig {
    /// Number of folds.
    pub folds: usize,
    /// Number of trees per list.
    pub trees: usize,
    /// Configuration of the parsers.
    pub parser: MstConfig,
    /// Word clusters used as features by the parsers.
    pub clusters: Option<ClusterPaths>,
}

impl Default for JackknifeConfig {
    fn default() -> Self {
        Self { folds: 3, trees: 50, parser: MstConfig::default(), clusters: None }
    }
}

/// Lists for all sentences of a treebank, in order: each fold is parsed by a parser learnt from the others. A fold is a
/// run of consecutive sentences, so that few documents are cut; [`GoldList::part`] is its number.
pub fn jackknife(
    sentences: &[Sentence],
    config: &JackknifeConfig,
    observer: &mut dyn Observer,
) -> Result<Vec<GoldList>, Error> {
    let folds = fold_count(config.folds, sentences.len());
    let part_of = |at: usize| part_of(at, sentences.len(), folds);
    let mut lists: Vec<(usize, GoldList)> = Vec::with_capacity(sentences.len());
    for fold in 0..folds {
        observer.stage(&format!("fold {} of {folds}", fold + 1), None);
        let others: Vec<Sentence> =
            with_part(sentences, |at| part_of(at) != fold).map(|(_, s)| s.clone()).collect();
        let (numbers, own): (Vec<usize>, Vec<Sentence>) =
            with_part(sentences, |at| part_of(at) == fold).map(|(at, s)| (at, s.clone())).unzip();
        let learner = MstLearner {
            config: config.parser.clone(),
            clusters: config.clusters.clone(),
            ..Default::default()
        };
        let learned = learner.learn(&others, &mut Passing { observer }).map_err(Error::from)?;
        let found = gold_lists(&learned.model, &own, config.trees);
        let found = found.into_iter().map(|list| list.map(|list| GoldList { part: fold, ..list }));
        lists.extend(numbers.into_iter().zip(found).filter_map(|(at, list)| Some((at, list?))));
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    lists.sort_by_key(|(at, _)| *at);
    Ok(lists.into_iter().map(|(_, list)| list).collect())
}

/// The number of folds that a treebank of this size can have.
fn fold_count(folds: usize, sentences: usize) -> usize {
    folds.max(2).min(sentences.max(2))
}

/// The fold of a sentence.
fn part_of(at: usize, sentences: usize, folds: usize) -> usize {
    at * folds / sentences.max(1)
}

/// Latent tree models of all folds, each learnt from the sentences of the others by `learn`.
pub fn jackknife_latent(
    sentences: &[Sentence],
    folds: usize,
    mut learn: impl FnMut(&[TreeWords]) -> Result<Deptree, Error>,
) -> Result<Vec<Deptree>, Error> {
    let folds = fold_count(folds, sentences.len());
    let fold = |fold: usize| {
        let others = with_part(sentences, |at| part_of(at, sentences.len(), folds) != fold);
        let others: Vec<Sentence> = others.map(|(_, sentence)| sentence.clone()).collect();
        learn(&tree_words(&others).trees)
    };
    (0..folds).map(fold).collect()
}

fn with_part(
    sentences: &[Sentence],
    keep: impl Fn(usize) -> bool,
) -> impl Iterator<Item = (usize, &Sentence)> {
    sentences.iter().enumerate().filter(move |&(at, _)| keep(at))
}

/// The lists of a parser for sentences whose trees are known; `None` for a sentence without a tree.
pub fn gold_lists(model: &Mst, sentences: &[Sentence], trees: usize) -> Vec<Option<GoldList>> {
    let parser = Parser::new(model);
    let pool = ScratchPool::<Scratch>::new();
    sentences
        .par_iter()
        .with_max_len(8)
        .map(|sentence| {
            let gold = tree_of(sentence).ok()?;
            let words = Word::of_sentence(sentence);
            let parses = pool.lend(|scratch| {
                DependencyParser::parse_best(&parser, &words, trees, Confidences::Skip, scratch)
            });
            let candidates = parses.into_iter().filter_map(|parse| {
                let tree =
                    corpus::dependency::DependencyTree::new(parse.heads, corpus::dependency::RootRule::Any)
                        .ok()?;
                Some(Candidate { tree, score: parse.score })
            });
            let list = NBest::new(forms_and_tags(sentence), candidates.collect())?;
            Some(GoldList { list, gold: gold.heads().to_vec(), part: 0 })
        })
        .collect()
}

/// Forwards cancellation only: the stages of a fold are not stages of the whole.
struct Passing<'a> {
    observer: &'a dyn Observer,
}

impl Observer for Passing<'_> {
    fn cancelled(&self) -> bool {
        self.observer.cancelled()
    }
}
