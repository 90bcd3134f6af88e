//! Lists of candidate trees.

use corpus::dependency::{DependencyTree, Head};

/// A tree that a parser proposes.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The tree.
    pub tree: DependencyTree,
    /// The parser's score; larger is better.
    pub score: f64,
}

/// A sentence with the candidate trees of a parser, at least one.
#[derive(Clone, Debug)]
pub struct NBest {
    words: Vec<(String, String)>,
    candidates: Vec<Candidate>,
}

impl NBest {
    /// `words` are forms and tags. `None` if there is no tree, or one has a different number of words.
    pub fn new(words: Vec<(String, String)>, candidates: Vec<Candidate>) -> Option<Self> {
        let fit = candidates.iter().all(|candidate| candidate.tree.len() == words.len());
        (fit && !candidates.is_empty()).then_some(Self { words, candidates })
    }

    /// Forms and tags.
    pub fn words(&self) -> &[(String, String)] {
        &self.words
    }

    /// The trees.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }
}

/// A list whose gold tree is known.
#[derive(Clone, Debug)]
pub struct GoldList {
    /// The list.
    pub list: NBest,
    /// The gold heads.
    pub gold: Vec<Head>,
    /// The part of the treebank that the sentence belongs to, if the lists were made part by part; else 0.
    pub part: usize,
}

impl GoldList {
    /// The number of words of a tree with the correct head.
    pub fn correct(&self, candidate: &Candidate) -> usize {
        candidate.tree.heads().iter().zip(&self.gold).filter(|(found, gold)| found == gold).count()
    }

    /// The tree with the most correct words; ties go to the one that the parser prefers.
    pub fn oracle(&self) -> usize {
        let candidates = self.list.candidates();
        let better = |a: usize, b: usize| {
            let (one, other) = (&candidates[a], &candidates[b]);
            let order = self.correct(one).cmp(&self.correct(other)).then(one.score.total_cmp(&other.score));
            if order.is_lt() { b } else { a }
        };
        (1..candidates.len()).fold(0, better)
    }
}
