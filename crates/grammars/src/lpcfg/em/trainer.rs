//! EM, step by step.

use super::super::config::SmoothingConfig;
use super::super::estimate::RARE;
use super::super::parameters::Parameters;
use super::super::profiles::ProfileIndex;
use super::super::treebank::NumberedTreebank;
use super::maximise::maximise;
use super::passes::Vectors;
use super::subtrees::Subtrees;
use crate::pcfg::Pcfg;

/// What stays fixed from step to step.
#[derive(Clone, Debug)]
pub(super) struct Setting<'t> {
    pub(super) grammar: &'t Pcfg,
    pub(super) index: ProfileIndex,
    /// Probabilities of the rules given their parents.
    pub(super) probabilities: Vec<f64>,
    /// Count of each rule.
    pub(super) rule_weights: Vec<f64>,
    pub(super) smoothing: SmoothingConfig,
}

/// Improves the parameters of a model on the trees of a treebank.
#[derive(Clone, Debug)]
pub(crate) struct EmTrainer<'t> {
    setting: Setting<'t>,
    subtrees: Subtrees,
    vectors: Vectors,
    parameters: Parameters<f32>,
    /// `Σ ln p(w | s)` over all words: the part of the log-likelihood that does not depend on states.
    constant: f64,
}

impl<'t> EmTrainer<'t> {
    /// Starts from non-negative parameters. `probabilities` are those of the rules given their parents.
    pub(crate) fn new(
        bank: &NumberedTreebank,
        grammar: &'t Pcfg,
        start: Parameters<f32>,
        probabilities: Vec<f64>,
        smoothing: SmoothingConfig,
    ) -> Self {
        let index = ProfileIndex::new(bank, grammar, RARE);
        let phrases = grammar.symbols().phrases();
        let subtrees = Subtrees::new(bank, &index, phrases);
        let vectors = Vectors::new(&subtrees, &start.dims);
        let rule_weights = bank.applications.iter().map(|nodes| bank.weight_of(nodes)).collect();
        let mut constant = 0.0;
        for (tag, nodes) in bank.sites[phrases..].iter().enumerate() {
            for (site, &node) in nodes.iter().enumerate() {
                let (own, total) = index.weights(tag, index.site(tag, site as u32));
                if own > 0.0 {
                    constant += bank.weight(node) * (own / total).ln();
                }
            }
        }
        let setting = Setting { grammar, index, probabilities, rule_weights, smoothing };
        Self { setting, subtrees, vectors, parameters: start, constant }
    }

    /// Runs one step and returns the log-likelihood of all trees under the parameters before it. Trees that are
    /// impossible under these parameters are left out.
    pub(crate) fn step(&mut self) -> f64 {
        let Self { setting, subtrees, vectors, parameters, constant } = self;
        vectors.ascend(subtrees, parameters);
        let turn = vectors.turn(subtrees, parameters);
        vectors.descend(subtrees, parameters);
        maximise(setting, subtrees, vectors, &turn.roots, parameters);
        turn.log_probability + *constant
    }

    /// The log-likelihood of all trees under the current parameters.
    #[cfg(test)]
    pub(super) fn log_likelihood(&mut self) -> f64 {
        self.vectors.ascend(&self.subtrees, &self.parameters);
        self.vectors.turn(&self.subtrees, &self.parameters).log_probability + self.constant
    }

    /// The number of distinct subtrees.
    #[cfg(test)]
    pub(super) fn subtree_count(&self) -> usize {
        self.subtrees.len()
    }

    /// The current parameters.
    pub(crate) fn parameters(&self) -> &Parameters<f32> {
        &self.parameters
    }

    /// Consumes the trainer and returns the current parameters.
    pub(crate) fn into_parameters(self) -> Parameters<f32> {
        self.parameters
    }
}
