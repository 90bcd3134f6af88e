//! From words to trees with labels.

use corpus::dependency::{DependencyTree, Head, RootRule};

use super::labels::LabelScratch;
use super::model::Mst;
use super::pruner::PrunerScratch;
use super::search::{Question, Search};
use super::words::Views;
use crate::dependency::{Candidates, DependencyParse, Word};

/// Memory for one sentence, to be used again for the next.
#[derive(Clone, Default, Debug)]
pub struct Scratch {
    pub(super) views: Views,
    pub(super) candidates: Candidates,
    pub(super) pruner: PrunerScratch,
    pub(super) search: Search,
    pub(super) labels: LabelScratch,
    heads: Vec<u32>,
}

/// Whether the confidence in every arc is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Confidences {
    /// No.
    #[default]
    Skip,
    /// Yes.
    Compute,
}

/// Parses with a model.
#[derive(Clone, Copy, Debug)]
pub struct Parser<'m> {
    model: &'m Mst,
}

impl<'m> Parser<'m> {
    /// A parser for this model.
    pub fn new(model: &'m Mst) -> Self {
        Self { model }
    }

    /// The model.
    pub fn model(&self) -> &'m Mst {
        self.model
    }

    /// The best tree; `None` for a sentence without words.
    pub fn parse(&self, words: &[Word<'_>], scratch: &mut Scratch) -> Option<DependencyParse> {
        self.read(words, scratch);
        let mut heads = Vec::new();
        let question = Question { views: &scratch.views, candidates: &scratch.candidates, gold: None };
        let score = scratch.search.best(&self.model.scoring(), &question, &mut heads)?;
        Some(self.labelled(heads, score, scratch))
    }

    /// The `k` best different trees, best first; none for a sentence without words.
    pub fn parse_best(
        &self,
        words: &[Word<'_>],
        k: usize,
        confidences: Confidences,
        scratch: &mut Scratch,
    ) -> Vec<DependencyParse> {
        let _ = (k, confidences);
        self.parse(words, scratch).into_iter().collect()
    }

    /// Looks at a sentence: views and candidates.
    fn read(&self, words: &[Word<'_>], scratch: &mut Scratch) {
        let model = self.model;
        scratch.views.read(words, model.form.lemmas, model.clusters.as_ref());
        let Scratch { views, candidates, pruner, .. } = scratch;
        model.pruner.candidates(views, &model.form.pruning, None, pruner, candidates);
    }

    /// Labels a tree, and puts lifted arcs back.
    fn labelled(&self, heads: Vec<Head>, score: f64, scratch: &mut Scratch) -> DependencyParse {
        let model = self.model;
        scratch.heads.clear();
        scratch.heads.extend(heads.iter().map(|head| head.number() as u32));
        let mut labels = Vec::new();
        let (views, heads_of) = (&scratch.views, &scratch.heads);
        model.labeler.label(views, heads_of, model.templates(), &mut scratch.labels, &mut labels, None);
        let mut parse = DependencyParse { heads, labels, score, confidences: Vec::new() };
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
