//! Learns head automata from a treebank.

use corpus::dependency::projectivize::projectivize;
use corpus::dependency::{DependencyTree, RootRule};
use corpus::format::conllu::Sentence;

use super::config::{HeadAutomataConfig, Memory, TagModel};
use super::deterministic::Deterministic;
use super::labels::Labels;
use super::lexical::Lexical;
use super::model::{HeadAutomata, Parts, scales};
use super::operators::{LatentAutomaton, MAX_STATES};
use super::sequences::ModifierCounts;
use super::symbols::{SymbolId, Symbols};
use crate::arcs::Word;
use models::learn::{LearnError, Learned, Learner, Observer, Progress};

/// Learns head automata from dependency trees. Trees that are not projective are made projective by lifting arcs.
#[derive(Clone, Debug, Default)]
pub struct HeadAutomataLearner {
    /// Configuration.
    pub config: HeadAutomataConfig,
}

/// A treebank prepared for the learners of the family: projective trees, and counts of their modifier sequences.
#[derive(Clone, Debug)]
pub struct PreparedTreebank<'s> {
    pub(super) sentences: Vec<(&'s Sentence, DependencyTree)>,
    pub(super) symbols: Symbols,
    labels: Labels,
    pub(super) counts: ModifierCounts,
}

impl<'s> PreparedTreebank<'s> {
    /// Prepares sentences. Sentences whose tree does not have exactly one root are left out.
    pub fn new(
        sentences: &'s [Sentence],
        config: &HeadAutomataConfig,
        progress: &mut Progress<'_>,
    ) -> Result<Self, LearnError> {
        progress.stage("modifier sequences", Some(sentences.len() as u64))?;
        let symbols = Symbols::of_sentences(sentences, config.alphabet, config.word_count)
            .ok_or_else(|| LearnError::bad_data("the treebank has no words; give at least one sentence"))?;
        let (mut kept, mut lifted, mut bad) = (Vec::with_capacity(sentences.len()), 0, 0);
        for sentence in sentences {
            match DependencyTree::from_sentence(sentence, RootRule::Single) {
                Ok(tree) => {
                    let projective = projectivize(&tree);
                    lifted += projective.lifted.len();
                    kept.push((sentence, projective.tree));
                }
                Err(_) => bad += 1,
            }
        }
        if kept.is_empty() {
            return Err(LearnError::bad_data(
                "no sentence has a dependency tree with a single root; check the columns HEAD and DEPREL",
            ));
        }
        if bad > 0 {
            progress.note(format_args!("left out {bad} sentences whose tree does not have a single root"));
        }
        let encoded: Vec<Vec<SymbolId>> = kept
            .iter()
            .map(|(sentence, _)| {
                let mut encoded = Vec::new();
                symbols.encode(&Word::of_sentence(sentence), &mut encoded);
                encoded
            })
            .collect();
        let trees = encoded.iter().zip(&kept).map(|(symbols, (_, tree))| (&symbols[..], tree));
        let (counts, _) = ModifierCounts::of_trees(symbols.len(), trees)?;
        let trees =
            encoded.iter().zip(&kept).map(|(symbols, (sentence, tree))| (*sentence, &symbols[..], tree));
        let labels = Labels::learn(symbols.len(), trees);
        progress.advance(sentences.len() as u64)?;
        progress.figure("symbols", symbols.len() as f64);
        progress.figure("lifted arcs", lifted as f64);
        progress.figure("modifier sequences", counts.total());
        progress.figure("different sequences", counts.different() as f64);
        Ok(Self { sentences: kept, symbols, labels, counts })
    }

    /// The alphabet.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The count of each modifier sequence.
    pub fn counts(&self) -> &ModifierCounts {
        &self.counts
    }
}

impl Learner for HeadAutomataLearner {
    type Data = [Sentence];
    type Model = HeadAutomata;

    fn learn(
        &self,
        sentences: &[Sentence],
        observer: &mut dyn Observer,
    ) -> Result<Learned<HeadAutomata>, LearnError> {
        let mut progress = Progress::new(observer);
        let treebank = PreparedTreebank::new(sentences, &self.config, &mut progress)?;
        let model = self.learn_prepared(&treebank, &mut progress)?;
        Ok(progress.finish(model))
    }
}

impl HeadAutomataLearner {
    /// Learns from a treebank that was [prepared](PreparedTreebank::new) for the same alphabet.
    pub fn learn_prepared(
        &self,
        treebank: &PreparedTreebank<'_>,
        progress: &mut Progress<'_>,
    ) -> Result<HeadAutomata, LearnError> {
        let states = match &self.config.tags {
            TagModel::Spectral(config) => config.states,
            TagModel::Em(config) => config.states,
            TagModel::SpectralEm(config) => config.states,
            TagModel::None if self.config.lexical.is_none() => {
                return Err(LearnError::bad_config(
                    "no model of tags and none of words; choose at least one",
                ));
            }
            _ => 1,
        };
        if !(1..=MAX_STATES).contains(&states) {
            return Err(LearnError::bad_config(format!(
                "the number of states must be between 1 and {MAX_STATES}, not {states}"
            )));
        }
        let (symbols, counts) = (&treebank.symbols, &treebank.counts);
        progress.stage("relative frequencies", None)?;
        let memory = match self.config.tags {
            TagModel::Deterministic(Memory::Nothing) => Memory::Nothing,
            _ => Memory::First,
        };
        let deterministic = Deterministic::learn(symbols, counts, memory, self.config.kappa);
        let mut scales = scales(&deterministic, counts);
        let parts = match &self.config.tags {
            TagModel::Deterministic(_) => Parts::deterministic(deterministic),
            TagModel::None => {
                scales.fill(1.0);
                Parts::deterministic(Deterministic::indifferent(symbols.len()))
            }
            TagModel::Spectral(config) => {
                let latent = super::spectral::learn(counts, config, progress)?;
                Parts { deterministic, latent, latent_weight: 1.0, deterministic_weight: config.mixture }
            }
            TagModel::SpectralEm(config) => {
                let latent = super::spectral_em::learn(counts, config, progress)?;
                Parts { deterministic, latent, latent_weight: 1.0, deterministic_weight: config.mixture }
            }
            TagModel::Em(config) => {
                let latent = super::em::learn(counts, config, progress)?;
                Parts { deterministic, latent, latent_weight: 1.0, deterministic_weight: config.mixture }
            }
        };
        let lexical = match &self.config.lexical {
            None => None,
            Some(config) => {
                progress.stage("words", Some(treebank.sentences.len() as u64))?;
                let sentences = treebank.sentences.iter().map(|(sentence, tree)| (*sentence, tree));
                let lexical = Lexical::learn(sentences, config);
                progress.advance(treebank.sentences.len() as u64)?;
                progress.figure("lexical contexts", lexical.size().0 as f64);
                progress.figure("lexical events", lexical.size().1 as f64);
                Some((lexical, config.weights))
            }
        };
        Ok(HeadAutomata::new(symbols.clone(), treebank.labels.clone(), parts, lexical, scales))
    }
}

impl Parts {
    fn deterministic(deterministic: Deterministic) -> Self {
        let latent: Vec<LatentAutomaton> = Vec::new();
        Self { deterministic, latent, latent_weight: 0.0, deterministic_weight: 1.0 }
    }
}
