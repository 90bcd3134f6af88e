//! The grammar as a pruner for costlier models: from a sentence to the forest of what matters.
//!
//! ```text
//! emissions ──► coarse inside–outside ──► rule applications ──► fine inside–outside ──► forest
//!               everything                 µ(A→BC,i,k,j) ≥ c     the rules they stand for   µ(a→bc,i,k,j) ≥ e
//! ```
//!
//! The coarse grammar leaves so few rule applications that the fine pass visits them one by one
//! ([`SparseChart`](crate::chart::SparseChart)). If they form no tree of the fine grammar, it leaves more, and at last the fine
//! pass looks at everything.

use super::config::{ParserConfig, Pruning};
use super::model::Pcfg;
use super::parser::{Parser, Scratch};
use crate::chart::{Allowed, Coarse, Emissions, Forest, OpenCells, Semiring};
use crate::lexicon::Observation;

/// Configuration of a [`Pruner`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PrunerConfig {
    /// The fine pass sees the rules behind coarse rule applications whose posterior is at least this.
    pub coarse_threshold: f32,
    /// Of these it keeps the applications whose estimated posterior, by the outside values of the coarse pass, is at
    /// least this.
    pub estimate_threshold: f32,
    /// Cells of the coarse chart stay closed unless the probabilities that phrases begin and end there have at least this
    /// product.
    pub boundary_threshold: f32,
    /// The forest keeps the rule applications whose posterior is at least this.
    pub edge_threshold: f32,
}

/// Shares of the first two thresholds, tried until there is a tree of the fine grammar; cells are closed the first time only.
/// One more coarse pass costs less than the whole fine chart.
const WIDER: [f32; 3] = [1.0, 1e-2, 1e-4];

impl Default for PrunerConfig {
    fn default() -> Self {
        Self {
            coarse_threshold: 1e-5,
            estimate_threshold: 1e-6,
            boundary_threshold: 0.0,
            edge_threshold: 2e-5,
        }
    }
}

/// Finds the rule applications of a sentence that matter. It is cheap to create and can be shared by threads.
#[derive(Clone, Debug)]
pub struct Pruner<'m> {
    parser: Parser<'m>,
    config: PrunerConfig,
}

impl<'m> Pruner<'m> {
    /// Creates a pruner for `model`.
    pub fn new(model: &'m Pcfg, config: PrunerConfig) -> Self {
        Self { parser: Parser::new(model, ParserConfig::default()), config }
    }

    /// Fills `forest`, which then holds at least one tree. Returns the natural logarithm of the probability of the
    /// sentence, summed over what was visited, or `None` if the grammar has no tree (or none that a chart of tolerable
    /// size would find).
    pub fn prune(
        &self,
        sentence: &[Observation<'_>],
        scratch: &mut Scratch,
        forest: &mut Forest,
    ) -> Option<f64> {
        forest.clear();
        if sentence.is_empty() {
            return None;
        }
        let model = self.parser.model;
        self.parser.emit(sentence, scratch);
        let Scratch { coarse, coarse_words, edges, sparse, words, all, emissions, boundaries, .. } = scratch;
        let PrunerConfig { coarse_threshold, estimate_threshold, edge_threshold, .. } = self.config;
        let least = self.config.boundary_threshold;
        let open = match least > 0.0 {
            true => {
                model.lexicon.boundaries(emissions, boundaries);
                Allowed::Open(OpenCells { boundaries, least, intermediate: model.intermediate })
            }
            false => Allowed::All,
        };
        for share in WIDER {
            let allowed = if share == 1.0 { open } else { Allowed::All };
            if coarse.inside(&model.coarse, coarse_words, allowed, Semiring::Sum).is_none() {
                match allowed {
                    Allowed::All => return None,
                    _ => continue,
                }
            }
            coarse.edges(&model.coarse, coarse_words, share * coarse_threshold, edges);
            words.clear();
            for (position, tags) in all[..sentence.len()].iter().enumerate() {
                let kept = coarse_words.indexed(position).filter(|&(at, _)| edges.keeps_tag(at));
                let below =
                    |coarse: usize| tags.iter().filter(move |&&(tag, _)| model.coarse_tags[tag].0 == coarse);
                words.push_word(kept.flat_map(|(_, coarse)| below(coarse)).copied());
            }
            let left = Coarse { edges, words: coarse_words, tags: &model.coarse_tags };
            if let Some(log) = sparse.inside(&model.pairs, words, left, share * estimate_threshold) {
                keep_a_tree(edge_threshold, forest, |threshold, forest| {
                    sparse.forest(&model.pairs, words, threshold, forest);
                });
                return Some(log);
            }
        }
        self.exhaustive(scratch, forest)
    }

    /// Runs the fine pass over everything.
    fn exhaustive(&self, scratch: &mut Scratch, forest: &mut Forest) -> Option<f64> {
        let grammar = &self.parser.model.fine;
        if self.parser.too_large(scratch.coarse_words.words()) {
            return None;
        }
        self.parser.prune(Pruning::None, scratch);
        let Scratch { fine, words, .. } = scratch;
        let log = fine.inside(grammar, words, Allowed::All, Semiring::Sum)?;
        keep_a_tree(self.config.edge_threshold, forest, |threshold, forest| {
            fine.outside(grammar, words, threshold);
            fine.forest(grammar, words, threshold, forest);
        });
        (!forest.is_empty()).then_some(log)
    }
}

/// Lowers the threshold until the forest holds a tree. In a very ambiguous sentence every tree may have an improbable
/// part.
fn keep_a_tree(threshold: f32, forest: &mut Forest, mut cut: impl FnMut(f32, &mut Forest)) {
    let mut threshold = threshold;
    loop {
        cut(threshold, forest);
        if !forest.is_empty() || threshold == 0.0 {
            return;
        }
        threshold = if threshold > 1e-12 { threshold * 0.01 } else { 0.0 };
    }
}

impl Scratch {
    /// The emissions of the last forest: [`Forest::emissions`] are indices into them.
    pub fn words(&self) -> &Emissions {
        &self.words
    }
}
