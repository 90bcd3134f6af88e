//! What the parsers of all families have in common.

use grammars::lexicon::Observation;
use grammars::marginals::Marginals;
use grammars::pcfg::{Parse, Pcfg};
use grammars::{lpcfg, pcfg};

/// Something that makes trees of sentences and is shared by threads, each with a scratch of its own.
pub trait TreeParser: Sync {
    /// Memory for parsing, kept between sentences.
    type Scratch: Default + Send;

    /// The `k` best different trees, best first; at least one for a sentence with words.
    fn parse_best(&self, sentence: &[Observation<'_>], k: usize, scratch: &mut Self::Scratch) -> Vec<Parse>;

    /// The same with how sure the model is of each label over each span; `None` for sentences of which it cannot tell.
    fn parse_with_marginals(
        &self,
        sentence: &[Observation<'_>],
        k: usize,
        scratch: &mut Self::Scratch,
    ) -> (Vec<Parse>, Option<Marginals>);

    /// The grammar whose trees these are: it knows tags and words.
    fn grammar(&self) -> &Pcfg;

    /// Longer sentences get a flat fallback.
    fn max_words(&self) -> usize;

    /// Of the sentences parsed with this scratch, those whose partition function came out negative. Never any where numbers
    /// are probabilities.
    fn negative(scratch: &Self::Scratch) -> u64 {
        let _ = scratch;
        0
    }
}

impl TreeParser for pcfg::Parser<'_> {
    type Scratch = pcfg::Scratch;

    fn parse_best(&self, sentence: &[Observation<'_>], k: usize, scratch: &mut Self::Scratch) -> Vec<Parse> {
        self.parse_best(sentence, k, scratch)
    }

    fn parse_with_marginals(
        &self,
        sentence: &[Observation<'_>],
        k: usize,
        scratch: &mut Self::Scratch,
    ) -> (Vec<Parse>, Option<Marginals>) {
        self.parse_with_marginals(sentence, k, scratch)
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
        self.parse_best(sentence, k, scratch)
    }

    fn parse_with_marginals(
        &self,
        sentence: &[Observation<'_>],
        k: usize,
        scratch: &mut Self::Scratch,
    ) -> (Vec<Parse>, Option<Marginals>) {
        self.parse_with_marginals(sentence, k, scratch)
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
