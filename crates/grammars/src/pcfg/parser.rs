//! Parses a sentence: emissions, coarse pass, fine pass, decoding, fallback.

use corpus::tree::Tree;

use super::config::{ParserConfig, Pruning};
use super::model::Pcfg;
use super::{decode, fallback};
use crate::chart::{Allowed, Chart, Edges, Emissions, Mask, Semiring, SparseChart};
use crate::lexicon::{BoundaryChance, Observation, SentenceEmissions};

/// How a tree was obtained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The grammar derives the sentence, and the tree is its best parse.
    Parsed,
    /// The grammar does not derive the sentence. The tree joins the pieces that it can derive below a node labelled
    /// [`FALLBACK_LABEL`](corpus::tree::FALLBACK_LABEL).
    Fallback,
}

/// A tree for a sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct Parse {
    /// The tree, with the labels of the treebank.
    pub tree: Tree,
    /// Natural logarithm of the probability: of the derivation for Viterbi and n-best lists, of the sentence for
    /// max-rule decoding (of the derivation where max-rule decoding had to fall back to Viterbi). Minus infinity for a
    /// fallback.
    pub log_probability: f64,
    /// The sign of what the logarithm is of: 1, or −1 where latent states gave a negative sum over trees, for an ensemble in some
    /// member. 0 for a fallback.
    pub sign: i8,
    /// How the tree was obtained.
    pub outcome: Outcome,
}

/// Scratch memory for parsing: one per thread, reused between sentences.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) coarse_words: Emissions,
    pub(super) words: Emissions,
    pub(super) coarse: Chart,
    pub(super) fine: Chart,
    pub(super) edges: Edges,
    pub(super) sparse: SparseChart,
    pub(super) mask: Mask,
    pub(super) emissions: SentenceEmissions,
    /// What begins and ends at each word.
    pub(super) boundaries: Vec<BoundaryChance>,
    /// All fine emissions of the sentence before pruning: for each word, its preterminals.
    pub(super) all: Vec<Vec<(usize, f32)>>,
}

/// A chart with more values than this (256 MB) is only filled if the user asks for an exhaustive parse.
const EXHAUSTIVE_LIMIT: usize = 1 << 26;

/// A decoder for a model. It is cheap to create and can be shared by threads.
#[derive(Clone, Debug)]
pub struct Parser<'m> {
    pub(super) model: &'m Pcfg,
    pub(super) config: ParserConfig,
    attempts: [Pruning; 2],
}

impl<'m> Parser<'m> {
    /// Creates a parser for `model`.
    pub fn new(model: &'m Pcfg, config: ParserConfig) -> Self {
        let attempts = [config.pruning, Pruning::None];
        Self { model, config, attempts }
    }

    /// The model.
    pub fn model(&self) -> &'m Pcfg {
        self.model
    }

    /// The configuration.
    pub fn config(&self) -> &ParserConfig {
        &self.config
    }

    /// The best tree. Every sentence of at least one word gets a tree; `None` for an empty sentence.
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
        for &pruning in self.attempts(sentence.len()) {
            let scope = self.prune(pruning, scratch);
            if scope == Scope::Nothing {
                break;
            }
            let parses = decode::decode(self, sentence, k, scope, scratch);
            if !parses.is_empty() {
                return parses;
            }
        }
        vec![fallback::pieces(self.model, sentence, scratch)]
    }

    /// The requested pruning, then none: sentences that lose all parses to pruning are parsed again, unless the chart
    /// would be very large.
    pub(super) fn attempts(&self, words: usize) -> &[Pruning] {
        match self.config.pruning {
            Pruning::Posterior(_) if self.too_large(words) => &self.attempts[..1],
            Pruning::Posterior(_) if words >= self.config.coarse_from => &self.attempts,
            Pruning::Posterior(_) | Pruning::None => &self.attempts[1..],
        }
    }

    /// Whether an exhaustive chart of this many words is only filled on request.
    pub(super) fn too_large(&self, words: usize) -> bool {
        words * (words + 1) / 2 * self.model.symbols.phrases() > EXHAUSTIVE_LIMIT
    }

    /// Looks up each word in the lexicon.
    pub(super) fn emit(&self, sentence: &[Observation<'_>], scratch: &mut Scratch) {
        scratch.coarse_words.clear();
        scratch.all.resize_with(sentence.len().max(scratch.all.len()), Vec::new);
        let mut coarse_sums: Vec<(usize, f32)> = Vec::new();
        self.model.lexicon.emissions_of_sentence(sentence, &mut scratch.emissions);
        for (position, emissions) in scratch.emissions.iter().enumerate() {
            let all = &mut scratch.all[position];
            all.clear();
            coarse_sums.clear();
            for emission in emissions {
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

    /// Restricts the fine pass: computes the mask and prunes the emissions.
    pub(super) fn prune(&self, pruning: Pruning, scratch: &mut Scratch) -> Scope {
        let Scratch { coarse, coarse_words, mask, words, all, .. } = scratch;
        words.clear();
        let all = &all[..coarse_words.words()];
        match pruning {
            Pruning::None => {
                all.iter().for_each(|tags| words.push_word(tags.iter().copied()));
                Scope::Everything
            }
            Pruning::Posterior(threshold) => {
                let grammar = &self.model.coarse;
                if coarse.inside(grammar, coarse_words, Allowed::All, Semiring::Sum).is_none() {
                    return Scope::Nothing;
                }
                coarse.outside(grammar, coarse_words, threshold);
                coarse.mask(coarse_words, threshold, mask);
                for (position, tags) in all.iter().enumerate() {
                    let kept = mask.symbols(position, position + 1);
                    let allowed = |tag: usize| kept.contains(&(self.model.coarse_tags[tag].0 as u32));
                    words.push_word(tags.iter().copied().filter(|&(tag, _)| allowed(tag)));
                }
                Scope::Masked
            }
        }
    }
}

/// The search space of the fine pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// Everything that can be built.
    Everything,
    /// What the mask of the coarse pass leaves.
    Masked,
    /// Not even the coarse grammar derives the sentence.
    Nothing,
}

impl Scope {
    /// The scope as a chart's [`Allowed`].
    pub(super) fn allowed<'s>(self, mask: &'s Mask, model: &'s Pcfg) -> Allowed<'s> {
        match self {
            Scope::Everything | Scope::Nothing => Allowed::All,
            Scope::Masked => Allowed::Masked { mask, members: &model.members },
        }
    }
}
