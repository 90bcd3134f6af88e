//! Parsing with the true model.

use super::super::error::OracleError;
use super::super::lpcfg::{LatentGrammar, StateId};
use super::chart::Chart;
use super::decode::best_tree;
use super::prefixes::Prefixes;
use crate::tree::Tree;

/// A parser that knows the grammar of the sampled sentences, including the hidden states.
///
/// ```
/// use eigentree_corpus::synthetic::{Oracle, english};
/// let oracle = Oracle::new(english()).unwrap();
/// let parse = oracle.parse(&["Who", "is", "not", "honest", "?"]).unwrap();
/// let expected = "(SBARQ (WHNP (WP Who)) (SQ (VP (VBZ is) (RB not) (ADJP (JJ honest)))) (. ?))";
/// assert_eq!(parse.tree.to_string(), expected);
/// ```
#[derive(Clone, Debug)]
pub struct Oracle<'g> {
    grammar: &'g LatentGrammar,
    prefixes: Prefixes,
}

/// Parse of a sentence under the true model.
#[derive(Clone, PartialEq, Debug)]
pub struct OracleParse {
    /// The tree with the lowest expected number of wrong and missing brackets. Its root is a symbol of the grammar, not
    /// a `ROOT` above it.
    pub tree: Tree,
    /// Natural logarithm of the probability of the words, with their tags if given.
    pub log_probability: f64,
}

impl<'g> Oracle<'g> {
    /// Creates a parser for `grammar`.
    ///
    /// # Errors
    /// If unary rules lead from a symbol back to it: sentences then have infinitely many derivations.
    pub fn new(grammar: &'g LatentGrammar) -> Result<Self, OracleError> {
        Ok(Self { grammar, prefixes: Prefixes::new(grammar)? })
    }

    /// The grammar.
    pub fn grammar(&self) -> &'g LatentGrammar {
        self.grammar
    }

    /// Parses words. `None` if the grammar does not derive them, or if their probability underflows, which takes
    /// hundreds of words.
    pub fn parse(&self, words: &[&str]) -> Option<OracleParse> {
        self.parse_readings(words, self.grammar.readings(words))
    }

    /// Parses words with known tags, one per word.
    pub fn parse_tagged(&self, words: &[&str], tags: &[&str]) -> Option<OracleParse> {
        if words.len() != tags.len() {
            return None;
        }
        let mut readings = self.grammar.readings(words);
        for (reading, &tag) in readings.iter_mut().zip(tags) {
            reading.retain(|&(state, _)| self.grammar.label(state) == tag);
        }
        self.parse_readings(words, readings)
    }

    fn parse_readings(&self, words: &[&str], mut readings: Vec<Vec<(StateId, f64)>>) -> Option<OracleParse> {
        // Scale the largest number of each word to 1, so that only rules make the numbers of long sentences small.
        let mut log_scale = 0.0;
        for reading in &mut readings {
            let largest = reading.iter().map(|&(_, probability)| probability).fold(0.0, f64::max);
            if largest <= 0.0 {
                return None;
            }
            reading.iter_mut().for_each(|(_, probability)| *probability /= largest);
            log_scale += largest.ln();
        }
        if words.is_empty() {
            return None;
        }
        let mut chart = Chart::inside(&self.prefixes, &readings);
        let total = chart.outside(self.grammar.roots())?;
        let tree = best_tree(self.grammar, &self.prefixes, &chart, words)?;
        Some(OracleParse { tree, log_probability: total.ln() + log_scale })
    }
}
