//! Where a prediction is wrong: figures by class, length and familiarity, confusions, and a score per sentence.
//!
//! All figures come from [`Counts`] of matched, gold and predicted items, so F1 of a class whose items are the same on
//! both sides is plain accuracy. Kinds of annotation differ only in what they count:
//!
//! | annotation | figures | breakdowns |
//! |---|---|---|
//! | [`dependencies`] | `tag`, `head`, `arc` (head and relation) | relation, tag, distance of the head, length, known words |
//! | [`trees`] | `brackets`, `tags` | label, tag, length of the span and of the sentence, known words |
//! | [`entities`] | `entities`, `tags` | class, length of the entity and of the sentence, known entities |
//!
//! A word is *known* if it occurs in the training data, as it is spelt.

mod breakdown;
mod confusion;
mod dependencies;
mod entities;
mod lengths;
mod trees;

use std::collections::HashSet;

pub use breakdown::{Breakdown, BreakdownRow};
pub use confusion::ConfusionMatrix;
pub use dependencies::{dependencies, known_words};
pub use entities::{entities, known_entities};
pub use trees::{trees, wrong_brackets};

use crate::counts::Counts;

/// What is known from the training data.
pub type Known = HashSet<String>;

/// The score of one sentence.
#[derive(Clone, PartialEq, Debug)]
pub struct SentenceScore {
    /// Number of the sentence, from 1.
    pub number: usize,
    /// Its id in the file, if it has one.
    pub id: String,
    /// Number of words.
    pub words: usize,
    /// Number of wrong items: arcs, brackets or entities.
    pub errors: u64,
    /// The counts behind each figure.
    pub counts: Vec<Counts>,
    /// Its words.
    pub text: String,
}

impl SentenceScore {
    /// How bad the sentence is: both the number of errors and their density count.
    fn badness(&self) -> f64 {
        (self.errors * self.errors) as f64 / self.words.max(1) as f64
    }
}

/// The analysis of a prediction.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Diagnosis {
    /// Names of the figures of each sentence.
    pub figures: Vec<&'static str>,
    /// Figures by class.
    pub breakdowns: Vec<Breakdown>,
    /// What was taken for what.
    pub confusions: Vec<ConfusionMatrix>,
    /// In the order of the corpus.
    pub sentences: Vec<SentenceScore>,
}

impl Diagnosis {
    /// Indices of the sentences with errors, the worst first, at most `most`.
    pub fn worst(&self, most: usize) -> Vec<usize> {
        let mut order: Vec<usize> =
            (0..self.sentences.len()).filter(|&at| self.sentences[at].errors > 0).collect();
        // Sorting is stable: among equals the first in the corpus comes first.
        order.sort_by(|&one, &other| {
            self.sentences[other].badness().total_cmp(&self.sentences[one].badness())
        });
        order.truncate(most);
        order
    }

    /// One line per sentence, separated by tabs: number, id, words, errors, one figure in percent per column, and the
    /// words.
    pub fn to_tsv(&self) -> String {
        let mut text = format!("sentence\tid\twords\terrors\t{}\ttext\n", self.figures.join("\t"));
        for sentence in &self.sentences {
            let figures: Vec<String> =
                sentence.counts.iter().map(|counts| format!("{:.2}", 100.0 * counts.f1())).collect();
            text.push_str(&format!(
                "{}\t{}\t{}\t{}\t{}\t{}\n",
                sentence.number,
                clean(&sentence.id),
                sentence.words,
                sentence.errors,
                figures.join("\t"),
                clean(&sentence.text)
            ));
        }
        text
    }
}

/// A text without tabs and line ends.
fn clean(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}

/// One item that is the same on both sides, right or wrong.
fn one(right: bool) -> Counts {
    Counts { matched: u64::from(right), gold: 1, predicted: 1 }
}
