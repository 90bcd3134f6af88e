//! The common interface of the parsers of all families.

use grammars::lexicon::Observation;
use grammars::marginals::Marginals;
use grammars::pcfg::{Parse, Pcfg};
use grammars::{lpcfg, pcfg};

use crate::streaming::release;

/// A constituency parser shared by threads, each with its own scratch memory.
pub trait TreeParser: Sync {
    /// Scratch memory for parsing, reused between sentences.
    type Scratch: Default + Send;

    /// The `k` best different trees, best first; at least one for a sentence with words.
    fn parse_best(&self, sentence: &[Observation<'_>], k: usize, scratch: &mut Self::Scratch) -> Vec<Parse>;

    /// The same with the model's confidence in each label over each span; `None` for sentences without confidences.
    fn parse_with_marginals(
        &self,
        sentence: &[Observation<'_>],
        k: usize,
        scratch: &mut Self::Scratch,
    ) -> (Vec<Parse>, Option<Marginals>);

    /// The grammar of the trees, with its tags and words.
    fn grammar(&self) -> &Pcfg;

    /// Longer sentences get a flat fallback.
    fn max_words(&self) -> usize;

    /// The number of sentences parsed with this scratch memory whose partition function was negative. Always 0 for
    /// models whose parameters are probabilities.
    fn negative(scratch: &Self::Scratch) -> u64 {
        let _ = scratch;
        0
    }
}

impl TreeParser for pcfg::Parser<'_> {
    type Scratch = pcfg::Scratch;

    fn parse_best(&self, sentence: &[Observation<'_>], k: usize, scratch: &mut Self::Scratch) -> Vec<Parse> {
        let parses = self.parse_best(sentence, k, scratch);
        release(sentence.len(), scratch);
        parses
    }

    fn parse_with_marginals(
        &self,
        sentence: &[Observation<'_>],
        k: usize,
        scratch: &mut Self::Scratch,
    ) -> (Vec<Parse>, Option<Marginals>) {
        let parses = self.parse_with_marginals(sentence, k, scratch);
        release(sentence.len(), scratch);
        parses
    }

    fn grammar(&self) -> &Pcfg {
        self.model()
    }

    fn max_words(&self) -> usize {
        self.config().max_words
    }
}

impl TreeParser for lpcfg::Parser<'_> {
    type Scratch = lpcfg::Scratch;

    fn parse_best(&self, sentence: &[Observation<'_>], k: usize, scratch: &mut Self::Scratch) -> Vec<Parse> {
        let parses = self.parse_best(sentence, k, scratch);
        release_latent(sentence.len(), scratch);
        parses
    }

    fn parse_with_marginals(
        &self,
        sentence: &[Observation<'_>],
        k: usize,
        scratch: &mut Self::Scratch,
    ) -> (Vec<Parse>, Option<Marginals>) {
        let parses = self.parse_with_marginals(sentence, k, scratch);
        release_latent(sentence.len(), scratch);
        parses
    }

    fn grammar(&self) -> &Pcfg {
        self.model().grammar()
    }

    fn max_words(&self) -> usize {
        self.config().base.max_words
    }

    fn negative(scratch: &Self::Scratch) -> u64 {
        scratch.negative
    }
}

/// As [`release`], but keeps the number of negative sentences.
fn release_latent(words: usize, scratch: &mut lpcfg::Scratch) {
    let negative = scratch.negative;
    release(words, scratch);
    scratch.negative = negative;
}
