//! The sequence model.

use corpus::ids::{Id, WordId};
use corpus::vocab::Vocab;
use rand::Rng;

use super::component::Component;
use super::ngram::NgramModel;
use super::reader::{Clipping, Reader};
use crate::automaton::SequenceCounts;

/// The names of symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Alphabet {
    /// Numbers, from 0.
    Numbers(usize),
    /// Words; unknown words are the symbol after the last.
    Words(Vocab<WordId>),
}

impl Alphabet {
    /// The number of symbols.
    pub fn len(&self) -> usize {
        match self {
            Alphabet::Numbers(count) => *count,
            Alphabet::Words(vocab) => vocab.len() + 1,
        }
    }

    /// Whether there are no symbols.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The id of a symbol. Unknown words have one, unknown numbers have none.
    pub fn symbol(&self, text: &str) -> Option<u32> {
        match self {
            Alphabet::Numbers(count) => text.parse().ok().filter(|&symbol: &u32| (symbol as usize) < *count),
            Alphabet::Words(vocab) => {
                let unknown = u32::try_from(vocab.len()).ok()?;
                Some(vocab.get(text).map_or(unknown, |word| word.index() as u32))
            }
        }
    }

    /// The name of a symbol.
    pub fn text(&self, symbol: u32) -> String {
        match self {
            Alphabet::Numbers(_) => symbol.to_string(),
            Alphabet::Words(vocab) => match WordId::new(symbol as usize) {
                Some(word) if word.index() < vocab.len() => vocab.text(word).to_owned(),
                _ => "<unknown>".to_owned(),
            },
        }
    }
}

/// A mixture of an n-gram model and automata, symbol by symbol.
#[derive(Clone, PartialEq, Debug)]
pub struct SequenceModel {
    pub(super) alphabet: Alphabet,
    pub(super) ngram: NgramModel,
    pub(super) components: Vec<Component>,
    /// The weight of the n-gram model, then of each component; they sum to one.
    pub(super) weights: Vec<f64>,
    /// The singular values found in learning; empty if nothing was decomposed.
    pub(super) spectrum: Vec<f64>,
}

impl SequenceModel {
    /// Builds a mixture. `None` if the alphabets of the parts differ, or the weights are not a distribution in which
    /// the n-gram model has a positive share.
    pub fn new(
        alphabet: Alphabet,
        ngram: NgramModel,
        components: Vec<Component>,
        weights: Vec<f64>,
        spectrum: Vec<f64>,
    ) -> Option<Self> {
        let symbols = alphabet.len();
        let fits = ngram.symbols() == symbols
            && components.iter().all(|component| component.automaton.symbols() == symbols)
            && weights.len() == components.len() + 1
            && weights.iter().all(|weight| (0.0..=1.0).contains(weight))
            && weights[0] > 0.0
            && (weights.iter().sum::<f64>() - 1.0).abs() < 1e-6
            && spectrum.iter().all(|value| value.is_finite());
        fits.then_some(Self { alphabet, ngram, components, weights, spectrum })
    }

    /// The same model with other names of symbols; `None` if their number differs.
    pub fn with_alphabet(self, alphabet: Alphabet) -> Option<Self> {
        (alphabet.len() == self.alphabet.len()).then_some(Self { alphabet, ..self })
    }

    /// The names of symbols.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The number of symbols.
    pub fn symbols(&self) -> usize {
        self.alphabet.len()
    }

    /// The n-gram model.
    pub fn ngram(&self) -> &NgramModel {
        &self.ngram
    }

    /// The automata.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The weights: of the n-gram model, then of each automaton.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The singular values found in learning; empty if nothing was decomposed.
    pub fn spectrum(&self) -> &[f64] {
        &self.spectrum
    }

    /// The natural logarithm of the probability of a sequence.
    pub fn log_probability(&self, sequence: &[u32]) -> f64 {
        Reader::new(self).log_probability(sequence)
    }

    /// The weighted log-probability of all sequences, and how often values were clipped.
    pub fn score(&self, counts: &SequenceCounts) -> (f64, Clipping) {
        let mut reader = Reader::new(self);
        let sum = counts.iter().map(|(sequence, weight)| weight * reader.log_probability(sequence)).sum();
        (sum, reader.clipping())
    }

    /// The most probable next symbols after a prefix, and `None` for the end, with their probabilities; ties by number.
    pub fn predict(&self, prefix: &[u32], most: usize) -> Vec<(Option<u32>, f64)> {
        let mut reader = Reader::new(self);
        prefix.iter().for_each(|&symbol| reader.advance(symbol));
        let mut ranked: Vec<(usize, f64)> = reader.distribution().iter().copied().enumerate().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked.truncate(most);
        let name = |symbol: usize| (symbol < self.symbols()).then_some(symbol as u32);
        ranked.into_iter().map(|(symbol, probability)| (name(symbol), probability)).collect()
    }

    /// Samples a sequence, truncated after `longest` symbols.
    pub fn sample<R: Rng + ?Sized>(&self, longest: usize, rng: &mut R) -> Vec<u32> {
        let mut reader = Reader::new(self);
        let mut sequence = Vec::new();
        while sequence.len() < longest {
            let mut left = rng.random::<f64>();
            let distribution = reader.distribution();
            let drawn = distribution.iter().position(|probability| {
                left -= probability;
                left < 0.0
            });
            match drawn {
                Some(symbol) if symbol < self.symbols() => {
                    sequence.push(symbol as u32);
                    reader.advance(symbol as u32);
                }
                // The end, or a rounding remainder.
                _ => break,
            }
        }
        sequence
    }
}
