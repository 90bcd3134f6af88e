//! The analysis of one sentence.

use std::fmt;

use corpus::format::conllu::{ConlluWriter, Sentence};
use corpus::tree::Tree;
use grammars::pcfg::Outcome;

/// The analysis of one sentence by any parser: a tree of phrases, or a dependency tree.
///
/// It displays as one line of Penn brackets, or as a sentence of CoNLL-U with the empty line that ends it.
#[derive(Clone, Debug)]
pub struct Parse {
    pub(super) analysis: Analysis,
    pub(super) score: f64,
    pub(super) confidences: Vec<f32>,
}

#[derive(Clone, Debug)]
pub(super) enum Analysis {
    Phrases { tree: Tree, outcome: Outcome },
    Dependencies(Sentence),
}

impl Parse {
    /// The tree of phrases, if the parser builds such trees.
    pub fn tree(&self) -> Option<&Tree> {
        match &self.analysis {
            Analysis::Phrases { tree, .. } => Some(tree),
            Analysis::Dependencies(_) => None,
        }
    }

    /// The sentence with its dependency tree, if the parser builds such trees.
    pub fn sentence(&self) -> Option<&Sentence> {
        match &self.analysis {
            Analysis::Phrases { .. } => None,
            Analysis::Dependencies(sentence) => Some(sentence),
        }
    }

    /// The head of every word, as CoNLL-U has it: words count from 1, and 0 is the root. `None` for a tree of phrases.
    pub fn heads(&self) -> Option<Vec<usize>> {
        let head = |word: corpus::format::conllu::Token<'_>| word.head().map_or(0, |head| head.number());
        self.sentence().map(|sentence| sentence.words().map(head).collect())
    }

    /// The words.
    pub fn words(&self) -> Vec<&str> {
        match &self.analysis {
            Analysis::Phrases { tree, .. } => tree.words().collect(),
            Analysis::Dependencies(sentence) => sentence.words().map(|word| word.form()).collect(),
        }
    }

    /// Whether the model derives the sentence. If not, a grammar joins the pieces that it could build below a node `FALLBACK`;
    /// a dependency parser always has a tree.
    pub fn is_derived(&self) -> bool {
        !matches!(self.analysis, Analysis::Phrases { outcome: Outcome::Fallback, .. })
    }

    /// The score by which the parse is better than others of the same sentence: a log-probability for grammars and head
    /// automata, a sum of weights otherwise. Minus infinity for what is not derived.
    pub fn score(&self) -> f64 {
        self.score
    }

    /// How probable each part of the parse is by the model: each node but the words of a tree of phrases, from the top down and
    /// from left to right; the head with its label of each word of a dependency tree. Empty unless
    /// [`Parser::with_confidences`](super::Parser::with_confidences) asked for it and the model can tell.
    pub fn confidences(&self) -> &[f32] {
        &self.confidences
    }

    /// The mean of the [`confidences`](Self::confidences), which is the share of parts that the model expects to be right.
    pub fn confidence(&self) -> Option<f32> {
        let parts = self.confidences.len();
        (parts > 0).then(|| self.confidences.iter().sum::<f32>() / parts as f32)
    }
}

impl fmt::Display for Parse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.analysis {
            Analysis::Phrases { tree, .. } => tree.fmt(f),
            Analysis::Dependencies(sentence) => {
                let mut text = Vec::new();
                ConlluWriter::new(&mut text).write(sentence).map_err(|_| fmt::Error)?;
                f.write_str(&String::from_utf8_lossy(&text))
            }
        }
    }
}
