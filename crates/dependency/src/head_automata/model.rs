//! The model that every learner of the family returns: head automata of all heads.

use corpus::dependency::{DependencyTree, Direction, Head, ModifierSequences};
use corpus::ids::Id;

use super::config::LexicalWeights;
use super::deterministic::Deterministic;
use super::labels::Labels;
use super::lexical::Lexical;
use super::operators::{LatentAutomaton, Operators};
use super::sequences::ModifierCounts;
use super::symbols::{SymbolId, Symbols};
use crate::arcs::Word;
use models::signed_log::SignedLog;

/// A split head-automata grammar.
#[derive(Clone, Debug)]
pub struct HeadAutomata {
    pub(super) symbols: Symbols,
    pub(super) labels: Labels,
    pub(super) parts: Parts,
    pub(super) lexical: Option<(Lexical, LexicalWeights)>,
    /// One factor per symbol that compensates for the probability of emitting it.
    pub(super) scales: Vec<f64>,
    pub(super) operators: Operators,
    /// The same in single precision, which charts use first.
    pub(super) single: Operators<f32>,
}

/// The stored parts of the model, from which the operators are built.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Parts {
    pub(super) deterministic: Deterministic,
    /// One automaton per `2 head + direction`, or none at all.
    pub(super) latent: Vec<LatentAutomaton>,
    /// Weight of the hidden states.
    pub(super) latent_weight: f64,
    /// Weight of DET+F relative to the hidden states.
    pub(super) deterministic_weight: f64,
}

impl HeadAutomata {
    pub(super) fn new(
        symbols: Symbols,
        labels: Labels,
        parts: Parts,
        lexical: Option<(Lexical, LexicalWeights)>,
        scales: Vec<f64>,
    ) -> Self {
        let operators = Operators::new(
            &parts.latent,
            parts.latent_weight,
            &parts.deterministic,
            parts.deterministic_weight,
        );
        let single = operators.rounded();
        Self { symbols, labels, parts, lexical, scales, operators, single }
    }

    /// The alphabet.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The labels of arcs.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The maximum number of hidden states of an automaton; 0 if there are none.
    pub fn states(&self) -> usize {
        self.operators.states
    }

    /// Whether no automaton has hidden states, so that the most probable tree can be found.
    pub fn is_deterministic(&self) -> bool {
        self.states() == 0
    }

    /// The model of words, if any, and its weights relative to the model of tags.
    pub fn lexical(&self) -> Option<(&Lexical, LexicalWeights)> {
        self.lexical.as_ref().map(|(lexical, weights)| (lexical, *weights))
    }

    /// Sets the weights of the model of words, if any.
    pub fn set_lexical_weights(&mut self, weights: LexicalWeights) {
        if let Some((_, old)) = &mut self.lexical {
            *old = weights;
        }
    }

    /// The hidden states of the automaton of a head and direction, if any.
    pub fn latent(&self, head: SymbolId, direction: Direction) -> Option<&LatentAutomaton> {
        self.parts.latent.get(2 * head.index() + direction as usize)
    }

    /// The value that an automaton gives a modifier sequence, nearest modifier first. It may be negative for spectral
    /// models.
    pub fn value(&self, head: SymbolId, direction: Direction, modifiers: &[SymbolId]) -> f64 {
        let sequence: Vec<usize> = modifiers.iter().map(|symbol| symbol.index()).collect();
        self.operators.value(2 * head.index() + direction as usize, &sequence)
    }

    /// The state vector of an automaton after a prefix of a modifier sequence.
    pub fn forward(&self, head: SymbolId, direction: Direction, prefix: &[SymbolId]) -> Vec<f64> {
        let sequence: Vec<usize> = prefix.iter().map(|symbol| symbol.index()).collect();
        self.operators.forward(2 * head.index() + direction as usize, &sequence)
    }

    /// The score of a sentence with its tree; a probability for models of tags alone. `None` if the tree is not
    /// projective, has several roots or does not match the words.
    pub fn tree_score(&self, words: &[Word<'_>], tree: &DependencyTree) -> Option<SignedLog> {
        let mut symbols = Vec::new();
        self.symbols.encode(words, &mut symbols);
        let sequences = ModifierSequences::of_tree(tree).ok().filter(|_| symbols.len() == tree.len())?;
        let [root] = sequences.get(Head::ROOT, Direction::Right) else { return None };
        let root = *root as usize;
        let mut score = SignedLog::new(self.operators.root[symbols[root].index()], 0.0);
        let lexical = self.lexical.as_ref().map(|(lexical, weights)| {
            let mut lexemes = Vec::new();
            lexical.encode(words, &mut lexemes);
            (lexical, *weights, lexemes)
        });
        if let Some((lexical, weights, lexemes)) = &lexical {
            score.log += lexical.log_root(lexemes[root], *weights);
        }
        for (at, symbol) in symbols.iter().enumerate() {
            let Some(head) = Head::word(at) else { continue };
            for direction in Direction::BOTH {
                let modifiers = sequences.get(head, direction);
                let sequence: Vec<usize> =
                    modifiers.iter().map(|&word| symbols[word as usize].index()).collect();
                let value = self.operators.value(2 * symbol.index() + direction as usize, &sequence);
                score = score.times(SignedLog::new(value, 0.0));
                if let Some((lexical, weights, lexemes)) = &lexical {
                    score.log += lexical.log_sequence(direction, lexemes, at, modifiers, *weights);
                }
            }
        }
        Some(score)
    }
}

/// For each symbol, the inverse geometric mean of the probability of emitting it and stopping on its two sides.
pub(super) fn scales(deterministic: &Deterministic, counts: &ModifierCounts) -> Vec<f64> {
    let symbols = counts.symbols();
    let mut logs = vec![0.0; symbols];
    let mut totals = vec![0.0; symbols];
    for head in 0..symbols {
        for direction in Direction::BOTH {
            let automaton = 2 * head + direction as usize;
            for (sequence, count) in counts.of(head, direction) {
                for (place, &symbol) in sequence.iter().enumerate() {
                    let p = deterministic.emit[automaton * symbols + symbol as usize][place.min(1)];
                    logs[symbol as usize] += count * p.max(f64::MIN_POSITIVE).ln();
                }
                let stop = deterministic.stop[automaton][sequence.len().min(1)];
                logs[head] += count * stop.max(f64::MIN_POSITIVE).ln();
                totals[head] += count / 2.0;
            }
        }
    }
    logs.iter()
        .zip(&totals)
        .map(|(log, total)| if *total > 0.0 { (-log / total).exp() } else { 1.0 })
        .collect()
}
