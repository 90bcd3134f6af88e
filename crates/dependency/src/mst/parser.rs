//! Parses words into labelled trees.

use corpus::dependency::{DependencyTree, RootRule};

use super::config::Order;
use super::labels;
use super::long_sentences::MAX_WORDS;
use super::model::{Form, Mst, Selection};
use super::network::{self, Kept};
use super::pruner;
use super::search::{Found, Question, Search, Trees};
use super::words::Views;
use crate::arcs::{ArcScores, Candidates, DependencyParse, Keep, Word};
use models::confidence::Confidences;

/// Scratch memory, reused between sentences.
#[derive(Clone, Default, Debug)]
pub struct Scratch {
    pub(super) views: Views,
    pub(super) candidates: Candidates,
    pub(super) pruner: pruner::Scratch,
    pub(super) search: Search,
    pub(super) labels: labels::Scratch,
    pub(super) heads: Vec<u32>,
    pub(super) networks: network::Scratch,
    /// Probabilities of the labels of a tree.
    pub(super) probabilities: Vec<f32>,
}

/// The heads among which a tree is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Heads {
    /// Few per word.
    Pruned,
    All,
}

/// Parses with a model.
#[derive(Clone, Copy, Debug)]
pub struct Parser<'m> {
    model: &'m Mst,
}

impl<'m> Parser<'m> {
    /// Creates a parser for this model.
    pub fn new(model: &'m Mst) -> Self {
        Self { model }
    }

    /// The model.
    pub fn model(&self) -> &'m Mst {
        self.model
    }

    /// The best tree; `None` for an empty sentence.
    pub fn parse(&self, words: &[Word<'_>], scratch: &mut Scratch) -> Option<DependencyParse> {
        self.parse_best(words, 1, Confidences::Skip, scratch).into_iter().next()
    }

    /// The `k` best different trees by the scores of their arcs, best first, each with its best labels. None for an
    /// empty sentence; one for a sentence of more than [`MAX_WORDS`] words, which is parsed in parts.
    ///
    /// If the model has a [`Choice`](super::Choice), the score of a tree includes its labels, and the first tree is the
    /// best of those among which labels choose. It is the same for every `k`: other trees fill the list, and if the arcs
    /// that the pruner leaves have fewer than `k` trees, also trees with other arcs, but none that scores higher than the
    /// first.
    pub fn parse_best(
        &self,
        words: &[Word<'_>],
        k: usize,
        confidences: Confidences,
        scratch: &mut Scratch,
    ) -> Vec<DependencyParse> {
        if words.len() > MAX_WORDS {
            return vec![self.parse_parts(words, confidences, scratch)];
        }
        let keep = match (k, confidences) {
            (0 | 1, Confidences::Skip) if self.model.form.choice.trees <= 1 => Keep::Best,
            _ => Keep::All,
        };
        let Some(mut trees) = self.score(words, keep, scratch) else { return Vec::new() };
        let mut found = self.chosen(trees, k, scratch);
        if found.len() < k {
            // The pruner left too few arcs, as happens in short sentences; all arcs give all trees.
            scratch.candidates = Candidates::all(words.len());
            let Some(all) = self.score_candidates(keep, Heads::All, scratch) else { return Vec::new() };
            let more = self.search(all, k, scratch);
            self.join(&mut found, more, k, scratch);
            trees = all;
        }
        let posteriors = match confidences {
            Confidences::Skip => None,
            Confidences::Compute => scratch.search.marginals(trees, self.model.form.temperature),
        };
        let mut parses: Vec<DependencyParse> = Vec::with_capacity(found.len());
        for found in found {
            let parse = self.labelled(found, posteriors.as_ref(), scratch);
            // Trees that differ before lifted arcs are restored may be equal afterwards.
            if self.model.pseudo.is_none() || parses.iter().all(|other| other.heads != parse.heads) {
                parses.push(parse);
            }
        }
        parses
    }

    /// The arc scores that the tree maximises, for other searches; `None` for an empty sentence and for second-order
    /// parsers, which score more than arcs.
    pub fn arc_scores<'s>(&self, words: &[Word<'_>], scratch: &'s mut Scratch) -> Option<&'s ArcScores> {
        let trees = self.score(words, Keep::Best, scratch)?;
        scratch.search.arcs(trees)
    }

    /// Computes views and candidates of a sentence.
    fn read(&self, words: &[Word<'_>], scratch: &mut Scratch) {
        let model = self.model;
        scratch.views.read(words, model.form.lemmas, model.clusters.as_ref());
        scratch.labels.forget();
        let Scratch { views, candidates, pruner, .. } = scratch;
        match model.form.selection {
            Selection::Pruner => {
                model.pruner.candidates(views, &model.form.pruning, None, pruner, candidates);
            }
            Selection::Networks => model.pruner.reach.candidates(views, candidates),
        }
        if let Some(networks) = &model.networks {
            networks.read(&scratch.views, &mut scratch.networks);
        }
    }

    /// Scores the trees of a sentence.
    pub(super) fn score(&self, words: &[Word<'_>], keep: Keep, scratch: &mut Scratch) -> Option<Trees> {
        if words.is_empty() {
            return None;
        }
        self.read(words, scratch);
        self.score_candidates(keep, Heads::Pruned, scratch)
    }

    fn score_candidates(&self, keep: Keep, heads: Heads, scratch: &mut Scratch) -> Option<Trees> {
        if let Some(model) = &self.model.networks {
            let Scratch { views, candidates, networks, .. } = &mut *scratch;
            model.score(views, candidates, networks);
            if heads == Heads::Pruned {
                let Form { selection, order, pruning, .. } = self.model.form;
                let (most, kept) = match (selection, order) {
                    (Selection::Pruner, _) => (usize::MAX, Kept::WordBefore),
                    (Selection::Networks, Order::First) => (pruning.heads, Kept::WordBefore),
                    (Selection::Networks, Order::Siblings | Order::Second) => (pruning.heads, Kept::Nothing),
                };
                model.thin(most, kept, candidates, networks);
            }
        }
        let trees = self.search_candidates(keep, scratch);
        if trees.is_some() || self.model.networks.is_none() {
            return trees;
        }
        // The best heads of the words need not have a tree.
        let Scratch { views, candidates, networks, .. } = &mut *scratch;
        candidates.add_words_before();
        if let Some(model) = &self.model.networks {
            model.score(views, candidates, networks);
        }
        self.search_candidates(keep, scratch)
    }

    /// Scores the trees over the candidates.
    fn search_candidates(&self, keep: Keep, scratch: &mut Scratch) -> Option<Trees> {
        let Scratch { views, candidates, search, networks, .. } = scratch;
        let more = self.model.networks.as_ref().map(|_| &networks.arcs);
        let question = Question { views, candidates, gold: None, more };
        search.score(&self.model.scoring(), &question, keep)
    }

    /// The `k` best of the trees by their arcs, or the best one.
    pub(super) fn search(&self, trees: Trees, k: usize, scratch: &mut Scratch) -> Vec<Found> {
        let (scoring, Scratch { views, candidates, search, networks, .. }) = (self.model.scoring(), scratch);
        let more = self.model.networks.as_ref().map(|_| &networks.arcs);
        let question = Question { views, candidates, gold: None, more };
        if k > 1 {
            return search.k_best(trees, &scoring, &question, k);
        }
        search.best_found(trees, &scoring, &question).into_iter().collect()
    }

    /// Labels a tree and restores lifted arcs. With posteriors of arcs it also computes confidences.
    fn labelled(
        &self,
        mut found: Found,
        posteriors: Option<&ArcScores>,
        scratch: &mut Scratch,
    ) -> DependencyParse {
        let model = self.model;
        let (mut labels, mut confidences) = (std::mem::take(&mut found.labels), Vec::new());
        if labels.is_empty() || posteriors.is_some() {
            let Scratch { views, labels: own, heads, networks, .. } = scratch;
            heads.clear();
            heads.extend(found.heads.iter().map(|head| head.number() as u32));
            let wanted = posteriors.map(|_| (&mut confidences, model.form.label_temperature));
            model.label(views, heads, own, networks, &mut labels, wanted);
        }
        if let Some(posteriors) = posteriors {
            for (word, confidence) in confidences.iter_mut().enumerate() {
                *confidence *= found.posterior(word, posteriors, model.form.temperature);
                *confidence = model.form.odds.of(*confidence);
            }
        }
        let Found { heads, score, .. } = found;
        let mut parse = DependencyParse { heads, labels, score, confidences };
        if let Some(pseudo) = &model.pseudo
            && let Ok(tree) = DependencyTree::new(parse.heads.clone(), RootRule::Single)
            && let Ok(tree) = tree.with_labels(parse.labels.clone())
            && let Ok(tree) = pseudo.deprojectivize(&tree)
        {
            parse.heads = tree.heads().to_vec();
            parse.labels = tree.labels().unwrap_or(&parse.labels).to_vec();
        }
        parse
    }
}
