//! Parsing a sentence: emissions, coarse pass, fine pass, decoding, fallback.

use corpus::rare_words::SentencePosition;
use corpus::tree::Tree;

use super::config::{ParserConfig, Pruning};
use super::model::Pcfg;
use super::{decode, fallback};
use crate::chart::{Allowed, Chart, Emissions, Mask, Semiring};
use crate::lexicon::{Emission, Observation};

/// How a tree came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The grammar derives the sentence, and the tree is its choice.
    Parsed,
    /// It does not: the tree joins the pieces that the grammar could make below a node labelled
    /// [`FALLBACK_LABEL`](corpus::tree::FALLBACK_LABEL).
    Fallback,
}

/// A tree for a sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct Parse {
    /// The tree, with the labels of the treebank.
    pub tree: Tree,
    /// Natural logarithm of the probability: of the derivation for Viterbi and n-best lists, of the sentence otherwise.
    /// Minus infinity for a fallback.
    pub log_probability: f64,
    /// How it came about.
    pub outcome: Outcome,
}

/// Memory for parsing; one a thread, kept between sentences.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) coarse_words: Emissions,
    pub(super) words: Emissions,
    pub(super) coarse: Chart,
    pub(super) fine: Chart,
    pub(super) mask: Mask,
    emissions: Vec<Emission>,
    /// All fine emissions of the sentence, before pruning: for each word its preterminals.
    all: Vec<Vec<(usize, f32)>>,
}

/// A decoder for a model. It is cheap to make and can be shared by threads.
#[derive(Clone, Debug)]
pub struct Parser<'m> {
    pub(super) model: &'m Pcfg,
    pub(super) config: ParserConfig,
}

impl<'m> Parser<'m> {
    /// Parses with `model`.
    pub fn new(model: &'m Pcfg, config: ParserConfig) -> Self {
        Self { model, config }
    }

    /// The best tree. Every sentence of at least one word gets one; no words, no tree.
    pub fn parse(&self, sentence: &[Observation<'_>], scratch: &mut Scratch) -> Option<Parse> {
        self.parse_best(sentence, 1, scratch).into_iter().next()
    }

    /// The `k` best different trees, best first; at least one for a sentence with words.
    ///
    /// With `k` above 1 trees are ranked by the probability of their derivations, whatever the objective.
    pub fn parse_best(&self, sentence: &[Observation<'_>], k: usize, scratch: &mut Scratch) -> Vec<Parse> {
        if sentence.is_empty() || k == 0 {
            return Vec::new();
        }
        if sentence.len() > self.config.max_words {
            return vec![fallback::flat(self.model, sentence)];
        }
        self.emit(sentence, scratch);
        let coarse = &self.model.coarse;
        if scratch.coarse.inside(coarse, &scratch.coarse_words, Allowed::All, Semiring::Sum).is_none() {
            return vec![fallback::pieces(self.model, sentence, scratch)];
        }
        for pruning in self.attempts() {
            self.prune(pruning, scratch);
            let parses = decode::decode(self, sentence, k, scratch);
            if !parses.is_empty() {
                return parses;
            }
        }
        vec![fallback::pieces(self.model, sentence, scratch)]
    }

    /// The pruning that was asked for, and then none: what was pruned too hard is parsed again.
    fn attempts(&self) -> impl Iterator<Item = Pruning> + use<> {
        let retry = (self.config.pruning != Pruning::None).then_some(Pruning::None);
        std::iter::once(self.config.pruning).chain(retry)
    }

    /// Asks the lexicon for each word.
    fn emit(&self, sentence: &[Observation<'_>], scratch: &mut Scratch) {
        scratch.coarse_words.clear();
        scratch.all.resize_with(sentence.len().max(scratch.all.len()), Vec::new);
        let mut coarse_sums: Vec<(usize, f32)> = Vec::new();
        for (position, &observed) in sentence.iter().enumerate() {
            scratch.emissions.clear();
            self.model.lexicon.emissions(observed, SentencePosition::of(position), &mut scratch.emissions);
            let all = &mut scratch.all[position];
            all.clear();
            coarse_sums.clear();
            for emission in &scratch.emissions {
                let tag = corpus::ids::Id::index(emission.preterminal);
                all.push((tag, emission.probability));
                let (coarse, share) = self.model.coarse_tags[tag];
                let value = emission.probability * share;
                match coarse_sums.iter_mut().find(|(tag, _)| *tag == coarse) {
                    Some((_, sum)) => *sum += value,
                    None => coarse_sums.push((coarse, value)),
                }
            }
            scratch.coarse_words.push_word(coarse_sums.iter().copied());
        }
    }

    /// Cuts the mask and the fine emissions.
    fn prune(&self, pruning: Pruning, scratch: &mut Scratch) {
        let Scratch { coarse, coarse_words, mask, words, all, .. } = scratch;
        match pruning {
            Pruning::Posterior(threshold) => {
                coarse.outside(&self.model.coarse, coarse_words, threshold);
                coarse.mask(coarse_words, threshold, mask);
            }
            Pruning::None => coarse.mask_reachable(coarse_words, mask),
        }
        words.clear();
        for (position, tags) in all.iter().enumerate().take(coarse_words.words()) {
            let kept = mask.symbols(position, position + 1);
            let allowed = |tag: usize| kept.contains(&(self.model.coarse_tags[tag].0 as u32));
            words.push_word(tags.iter().copied().filter(|&(tag, _)| allowed(tag)));
        }
    }
}
