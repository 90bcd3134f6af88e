//! Scores of sequences, and the factors of a sentence.

use corpus::dependency::Direction;

use super::super::config::{LexicalWeights, Memory};
use super::super::factors::{FactorTable, MAX_CLASSES};
use super::super::geometry::Landscape;
use super::Lexical;
use super::lexemes::Lexeme;

impl Lexical {
    /// The weighted logarithm of the probability of a root.
    pub(in super::super) fn log_root(&self, root: Lexeme, weights: LexicalWeights) -> f64 {
        let [tag, word] = self.probabilities(Direction::Right, 0, None, Some(root));
        let cluster = self.cluster_ratio(Direction::Right, None, root);
        weights.tags * tag.ln() + weights.words * word.ln() + weights.clusters * cluster.ln()
    }

    /// The weighted logarithm of the probability of all modifiers of one head on one side.
    pub(in super::super) fn log_sequence(
        &self,
        direction: Direction,
        lexemes: &[Lexeme],
        head: usize,
        modifiers: &[u32],
        weights: LexicalWeights,
    ) -> f64 {
        let mut landscape = Landscape::default();
        landscape.reset(lexemes);
        let (mut state, mut log) = (0, 0.0);
        for &place in modifiers {
            let modifier = lexemes[place as usize];
            let [tag, word] = self.probabilities(direction, state, Some(lexemes[head]), Some(modifier));
            let [between, beside] = self.place_probabilities(&landscape, lexemes, head, place as usize);
            let cluster = self.cluster_ratio(direction, Some(lexemes[head]), modifier);
            log += weights.tags * tag.ln() + weights.words * word.ln() + weights.places * between.ln();
            log += weights.clusters * cluster.ln() + weights.neighbours * beside.ln();
            state = self.state_after(modifier);
        }
        let [stop, _] = self.probabilities(direction, state, Some(lexemes[head]), None);
        log + weights.tags * stop.ln()
    }

    /// Computes the factors of a sentence, each raised to the power of its weight. The factor `p(w_a | t_a)`, the main part
    /// of `P_B`, is the same in all trees; it is left out because it cancels and would only push values out of range.
    /// Returns the logarithm of what was left out.
    pub(in super::super) fn fill(
        &self,
        lexemes: &[Lexeme],
        weights: LexicalWeights,
        table: &mut FactorTable,
    ) -> f64 {
        let words = lexemes.len();
        table.reset(words);
        let alone: Vec<f64> = lexemes.iter().map(|&lexeme| self.alone(lexeme)).collect();
        let mut landscape = Landscape::default();
        landscape.reset(lexemes);
        for (word, &lexeme) in lexemes.iter().enumerate() {
            table.classes[word] = lexeme.class;
            let [tag, own] = self.probabilities(Direction::Right, 0, None, Some(lexeme));
            let cluster = self.cluster_ratio(Direction::Right, None, lexeme);
            table.roots[word] = tag.powf(weights.tags)
                * (own / alone[word]).powf(weights.words)
                * cluster.powf(weights.clusters);
        }
        // One state, two states (first and later modifiers) or four; unused entries repeat the last.
        let states = match self.memory {
            Memory::Nothing => 1,
            Memory::First => 2,
            Memory::FirstCoordinationPunctuation => MAX_CLASSES + 1,
        };
        let mut places = Vec::new();
        for direction in Direction::BOTH {
            for (head, &lexeme) in lexemes.iter().enumerate() {
                let place = direction as usize * words + head;
                let side = match direction {
                    Direction::Left => 0..head,
                    Direction::Right => head + 1..words,
                };
                places.clear();
                places.resize(words, 1.0);
                for modifier in side.clone() {
                    let [between, beside] = self.place_probabilities(&landscape, lexemes, head, modifier);
                    let cluster = self.cluster_ratio(direction, Some(lexeme), lexemes[modifier]);
                    places[modifier] = between.powf(weights.places)
                        * beside.powf(weights.neighbours)
                        * cluster.powf(weights.clusters);
                }
                for state in 0..=MAX_CLASSES {
                    if state >= states {
                        table.stops[place][state] = table.stops[place][states - 1];
                        continue;
                    }
                    let contexts = self.tag_contexts(direction, state, Some(lexeme));
                    table.stops[place][state] =
                        self.tag_probability(contexts, self.stop()).powf(weights.tags);
                    for modifier in side.clone() {
                        let at = lexemes[modifier];
                        let tag = self.tag_probability(contexts, at.tag);
                        let word =
                            self.word_probability((direction, state), Some(lexeme), at, alone[modifier]);
                        table.arcs[place * words + modifier][state] = tag.powf(weights.tags)
                            * (word / alone[modifier]).powf(weights.words)
                            * places[modifier];
                    }
                }
                if states <= MAX_CLASSES {
                    for arc in &mut table.arcs[place * words..][..words] {
                        let last = arc[states - 1];
                        arc[states..].fill(last);
                    }
                }
            }
        }
        weights.words * alone.iter().map(|p| p.ln()).sum::<f64>()
    }
}
