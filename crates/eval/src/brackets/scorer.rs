//! Scoring of sentences one by one.

use std::io::Read;

use corpus::error::ReadError;
use corpus::format::penn::{Entry, PennReader};
use corpus::tree::{FALLBACK_LABEL, Tree};

use super::config::{BracketConfig, Mismatch, MissingTree, WordCheck};
use super::scores::{BracketScores, Outcome, SentenceBrackets};
use super::spans::{Bracket, Terminal, brackets, crossing, representative, terminals};
use crate::counts::Counts;
use crate::error::EvalError;
use crate::paired::in_step;

/// Scores pairs of trees one by one.
///
/// ```
/// use corpus::format::penn::Entry;
/// use eigentree_eval::brackets::{BracketConfig, BracketScorer};
/// let mut scorer = BracketScorer::new(BracketConfig::collins());
/// let gold = "(ROOT (S (NP (NN time)) (VP (VBZ flies)) (. .)))".parse()?;
/// let predicted = Entry::Tree("(ROOT (NP (NP (NN time)) (NP (NNS flies)) (. .)))".parse()?);
/// scorer.score(&gold, &predicted)?;
/// let summary = scorer.finish().summary();
/// assert_eq!((summary.brackets.matched, summary.brackets.gold), (1, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BracketScorer {
    config: BracketConfig,
    scores: BracketScores,
}

impl BracketScorer {
    /// Creates a scorer without any counts.
    pub fn new(config: BracketConfig) -> Self {
        let scores = BracketScores::new(config.cutoff);
        Self { config, scores }
    }

    /// Scores the next sentence. On error the sentence is not counted.
    pub fn score(&mut self, gold: &Tree, predicted: &Entry) -> Result<(), EvalError> {
        let sentence = self.scores.sentences.len() + 1;
        let config = &self.config;
        let mut gold_terminals = Vec::new();
        terminals(gold, config, &mut gold_terminals);
        let length = gold_terminals.len();
        let kept: Vec<bool> = gold_terminals
            .iter()
            .map(|terminal| !config.delete_labels.iter().any(|label| label == terminal.tag))
            .collect();
        let words = kept.iter().filter(|&&kept| kept).count();
        let mut gold_brackets = Vec::new();
        brackets(gold, &gold_terminals, &kept, config, &mut gold_brackets);

        let mut predicted_terminals = Vec::new();
        let tree = match predicted {
            Entry::Empty => None,
            Entry::Tree(tree) => {
                terminals(tree, config, &mut predicted_terminals);
                match check_words(sentence, &gold_terminals, &predicted_terminals, &kept, config) {
                    Ok(()) => Some(tree),
                    Err(_) if config.mismatch == Mismatch::CountAsFailure => None,
                    Err(error) => return Err(error),
                }
            }
        };
        let mut record = SentenceBrackets {
            length,
            words,
            outcome: match tree {
                None => Outcome::Missing,
                Some(tree) if is_fallback(tree) => Outcome::Fallback,
                Some(_) => Outcome::Parsed,
            },
            brackets: Counts { gold: gold_brackets.len() as u64, ..Counts::default() },
            crossing: 0,
            tags: 0,
        };
        let mut predicted_brackets = Vec::new();
        if let (Some(tree), true) = (tree, words > 0) {
            brackets(tree, &predicted_terminals, &kept, config, &mut predicted_brackets);
            record.crossing = crossing(&gold_brackets, &predicted_brackets, words);
            let same_tag = |one: &Terminal<'_>, other: &Terminal<'_>| {
                one.tag == other.tag || representative(one.tag, config) == representative(other.tag, config)
            };
            let pairs = gold_terminals.iter().zip(&predicted_terminals).zip(&kept);
            record.tags = pairs.filter(|&((one, other), &kept)| kept && same_tag(one, other)).count();
        }
        let is_left_out = record.outcome == Outcome::Missing && config.missing_tree == MissingTree::Skip;
        if words == 0 || is_left_out {
            (record.brackets, record.words) = (Counts::default(), 0);
        } else {
            gold_brackets.sort_unstable();
            predicted_brackets.sort_unstable();
            record.brackets = self.scores.count_by_label(&gold_brackets, &predicted_brackets);
        }
        self.scores.sentences.push(record);
        Ok(())
    }

    /// Returns the counts.
    pub fn finish(self) -> BracketScores {
        self.scores
    }
}

impl BracketScores {
    /// Merges two sorted lists of brackets and adds to the counts by label.
    fn count_by_label(&mut self, gold: &[Bracket<'_>], predicted: &[Bracket<'_>]) -> Counts {
        let mut total = Counts::default();
        let (mut gold, mut predicted) = (gold.iter().peekable(), predicted.iter().peekable());
        loop {
            let order = match (gold.peek(), predicted.peek()) {
                (None, None) => return total,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(one), Some(other)) => one.cmp(other),
            };
            let from_gold = gold.next_if(|_| order.is_le());
            let from_predicted = predicted.next_if(|_| order.is_ge());
            let step = Counts {
                matched: u64::from(order.is_eq()),
                gold: u64::from(order.is_le()),
                predicted: u64::from(order.is_ge()),
            };
            total += step;
            let label = from_gold.or(from_predicted).map_or("", |bracket| bracket.label);
            match self.by_label.get_mut(label) {
                Some(counts) => *counts += step,
                None => {
                    self.by_label.insert(label.to_owned(), step);
                }
            }
        }
    }
}

fn is_fallback(tree: &Tree) -> bool {
    let root = tree.root();
    root.label() == FALLBACK_LABEL || root.only_child().is_some_and(|child| child.label() == FALLBACK_LABEL)
}

fn check_words(
    sentence: usize,
    gold: &[Terminal<'_>],
    predicted: &[Terminal<'_>],
    kept: &[bool],
    config: &BracketConfig,
) -> Result<(), EvalError> {
    if gold.len() != predicted.len() {
        return Err(EvalError::Length { sentence, gold: gold.len(), predicted: predicted.len() });
    }
    if config.words == WordCheck::LengthOnly {
        return Ok(());
    }
    let same = |one: &str, other: &str| {
        one == other
            || config.equal_words.iter().any(|(a, b)| (a == one && b == other) || (a == other && b == one))
    };
    match (0..gold.len()).find(|&at| kept[at] && !same(gold[at].word, predicted[at].word)) {
        None => Ok(()),
        Some(at) => Err(EvalError::Word {
            sentence,
            word: at + 1,
            gold: gold[at].word.to_owned(),
            predicted: predicted[at].word.to_owned(),
            gold_words: gold.len(),
            predicted_words: predicted.len(),
        }),
    }
}

/// Scores a whole prediction. Both sides must have the same number of entries.
pub fn score_entries(
    gold: impl IntoIterator<Item = Result<Entry, ReadError>>,
    predicted: impl IntoIterator<Item = Result<Entry, ReadError>>,
    config: &BracketConfig,
) -> Result<BracketScores, EvalError> {
    let mut scorer = BracketScorer::new(config.clone());
    in_step(gold, predicted, |sentence, gold, predicted| match gold {
        Entry::Tree(tree) => scorer.score(&tree, &predicted),
        Entry::Empty => {
            Err(EvalError::Gold { sentence, lacks: "an empty bracket instead of a tree".to_owned() })
        }
    })?;
    Ok(scorer.finish())
}

/// Scores a whole prediction from two streams of Penn brackets. The names are used in error messages.
pub fn score_readers<G: Read, P: Read>(
    (gold, gold_name): (G, &str),
    (predicted, predicted_name): (P, &str),
    config: &BracketConfig,
) -> Result<BracketScores, EvalError> {
    let mut gold = PennReader::new(gold, gold_name);
    let mut predicted = PennReader::new(predicted, predicted_name);
    score_entries(
        std::iter::from_fn(|| gold.next_entry()),
        std::iter::from_fn(|| predicted.next_entry()),
        config,
    )
}
