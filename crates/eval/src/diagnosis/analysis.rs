//! The analysis of a prediction as a whole.

use super::breakdown::Breakdown;
use super::confusion::ConfusionMatrix;
use crate::counts::Counts;

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
