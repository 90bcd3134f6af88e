//! The grammar as a pruner of others: what is left of a sentence for a model with latent states.

use super::parser::{Parser, Scope, Scratch};
use crate::chart::{Forest, Semiring};
use crate::lexicon::Observation;

impl Parser<'_> {
    /// Fills `forest` with the rule applications of at least this posterior; `false` if there is no tree.
    pub(crate) fn forest(
        &self,
        sentence: &[Observation<'_>],
        threshold: f32,
        scratch: &mut Scratch,
        forest: &mut Forest,
    ) -> bool {
        if sentence.is_empty() || sentence.len() > self.config.max_words {
            return false;
        }
        self.emit(sentence, scratch);
        for &pruning in self.attempts(sentence.len()) {
            let scope = self.prune(pruning, scratch);
            if scope == Scope::Nothing {
                return false;
            }
            let Scratch { fine, words, mask, .. } = scratch;
            let grammar = &self.model.fine;
            if fine.inside(grammar, words, scope.allowed(mask, self.model), Semiring::Sum).is_some() {
                fine.outside(grammar, words, threshold);
                fine.forest(grammar, words, threshold, forest);
                if !forest.is_empty() {
                    return true;
                }
            }
        }
        false
    }
}
