//! Parses words into labelled trees.

use corpus::dependency::{DependencyTree, Head, RootRule};

use super::labels;
use super::long_sentences::MAX_WORDS;
use super::model::Mst;
use super::pruner;
use super::search::{Question, Search, Trees};
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
    heads: Vec<u32>,
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
    /// The first tree is the same for every `k`. If the arcs that the pruner leaves have fewer than `k` trees, trees with
    /// other arcs fill the list, but none that scores higher than the first.
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
            (0 | 1, Confidences::Skip) => Keep::Best,
            _ => Keep::All,
        };
        let Some(mut trees) = self.score(words, keep, scratch) else { return Vec::new() };
        let mut found = self.search(trees, k, scratch);
        if found.len() < k {
            // The pruner left too few arcs, as happens in short sentences; all arcs give all trees. Some may score
            // higher than the best tree of the pruned arcs, which must stay the first whatever k is: they are left out.
            scratch.candidates = Candidates::all(words.len());
            let Some(all) = self.score_candidates(keep, scratch) else { return Vec::new() };
            let mut more = self.search(all, k, scratch);
            let best = found.first().map_or(f64::INFINITY, |&(_, score)| score);
            more.retain(|(heads, score)| *score <= best && found.iter().all(|(other, _)| other != heads));
            found.extend(more);
            found.sort_by(|one, other| other.1.total_cmp(&one.1));
            found.truncate(k);
            trees = all;
        }
        let posteriors = match confidences {
            Confidences::Skip => None,
            Confidences::Compute => scratch.search.marginals(trees, self.model.form.temperature),
        };
        let mut parses: Vec<DependencyParse> = Vec::with_capacity(found.len());
        for (heads, score) in found {
            let parse = self.labelled(heads, score, posteriors.as_ref(), scratch);
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
        let Scratch { views, candidates, pruner, .. } = scratch;
        model.pruner.candidates(views, &model.form.pruning, None, pruner, candidates);
    }

    /// Scores the trees of a sentence.
    pub(super) fn score(&self, words: &[Word<'_>], keep: Keep, scratch: &mut Scratch) -> Option<Trees> {
        if words.is_empty() {
            return None;
        }
        self.read(words, scratch);
        self.score_candidates(keep, scratch)
    }

    fn score_candidates(&self, keep: Keep, scratch: &mut Scratch) -> Option<Trees> {
        let question = Question { views: &scratch.views, candidates: &scratch.candidates, gold: None };
        scratch.search.score(&self.model.scoring(), &question, keep)
    }

    /// The `k` best of the trees, or the best one.
    fn search(&self, trees: Trees, k: usize, scratch: &mut Scratch) -> Vec<(Vec<Head>, f64)> {
        let (scoring, Scratch { views, candidates, search, .. }) = (self.model.scoring(), scratch);
        let question = Question { views, candidates, gold: None };
        if k > 1 {
            return search.k_best(trees, &scoring, &question, k);
        }
        let mut heads = Vec::new();
        let score = search.best(trees, &scoring, &question, &mut heads);
        score.map(|score| (heads, score)).into_iter().collect()
    }

    /// Labels a tree and restores lifted arcs. With posteriors of arcs it also computes confidences.
    fn labelled(
        &self,
        heads: Vec<Head>,
        score: f64,
        posteriors: Option<&ArcScores>,
        scratch: &mut Scratch,
    ) -> DependencyParse {
        let model = self.model;
        scratch.heads.clear();
        scratch.heads.extend(heads.iter().map(|head| head.number() as u32));
        let (mut labels, mut confidences) = (Vec::new(), Vec::new());
        let wanted = posteriors.map(|_| (&mut confidences, model.form.label_temperature));
        let (views, numbers) = (&scratch.views, &scratch.heads);
        model.labeler.label(views, numbers, model.templates(), &mut scratch.labels, &mut labels, wanted);
        if let Some(posteriors) = posteriors {
            for (word, (confidence, head)) in confidences.iter_mut().zip(&heads).enumerate() {
                *confidence *= posteriors.get(head.number(), word);
            }
        }
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
