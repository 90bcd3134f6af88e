//! Scoring results: one record per sentence, and figures summed over records.

use std::collections::BTreeMap;

use crate::counts::{Counts, Ratio, share};

/// Outcome of a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The sentence has a predicted tree.
    Parsed,
    /// The sentence has a tree marked as not covered by the grammar. The tree is scored, and the sentence counts as a
    /// failure.
    Fallback,
    /// The sentence has no tree, or a tree over other words. It counts as a failure.
    Missing,
}

/// The counts of one sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SentenceBrackets {
    /// Words of the gold sentence, including punctuation, excluding empty elements.
    pub length: usize,
    /// Scored words. 0 if the sentence is skipped: it consists of punctuation, or the configuration excludes it.
    pub words: usize,
    /// Outcome of the sentence.
    pub outcome: Outcome,
    /// Matched, gold and predicted brackets.
    pub brackets: Counts,
    /// Predicted brackets that cross a gold one.
    pub crossing: u32,
    /// Scored words with the gold tag.
    pub tags: usize,
}

impl SentenceBrackets {
    /// Whether the sentence counts in no figure except failures.
    pub fn is_skipped(&self) -> bool {
        self.words == 0
    }

    /// Whether there is a tree with exactly the gold brackets.
    pub fn is_exact(&self) -> bool {
        let Counts { matched, gold, predicted } = self.brackets;
        self.has_tree() && matched == gold && matched == predicted
    }

    /// Whether there is no tree, or one marked as a fallback.
    pub fn is_failure(&self) -> bool {
        self.outcome != Outcome::Parsed
    }

    /// Whether there is a tree to score.
    fn has_tree(&self) -> bool {
        !self.is_skipped() && self.outcome != Outcome::Missing
    }
}

/// A figure that can be computed for any subset of sentences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BracketMetric {
    /// Labelled bracket F1.
    F1,
    /// Labelled bracket precision.
    Precision,
    /// Labelled bracket recall.
    Recall,
    /// Share of sentences that match exactly.
    Exact,
    /// Share of words with the gold tag.
    Tags,
}

/// Records of all sentences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BracketScores {
    /// In the order of the corpus.
    pub sentences: Vec<SentenceBrackets>,
    /// Counts by label.
    pub by_label: BTreeMap<String, Counts>,
    /// Longest sentence of the second report.
    pub cutoff: Option<usize>,
}

/// Figures over a set of sentences. Shares range from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BracketSummary {
    /// Number of sentences, including skipped ones.
    pub sentences: usize,
    /// Sentences that count in no figure except `failures`: punctuation only, or excluded by the configuration.
    pub skipped: usize,
    /// Sentences without a tree, or with one marked as a fallback.
    pub failures: usize,
    /// Matched, gold and predicted brackets: precision, recall and F1.
    pub brackets: Counts,
    /// Share of the scored sentences that match exactly.
    pub exact: f64,
    /// Mean number of crossing brackets per tree.
    pub crossing: f64,
    /// Share of the trees without crossing brackets.
    pub no_crossing: f64,
    /// Share of the trees with at most two crossing brackets.
    pub two_or_less_crossing: f64,
    /// Share of the scored words with the gold tag.
    pub tags: f64,
    /// Scored words.
    pub words: u64,
}

impl BracketScores {
    pub(super) fn new(cutoff: Option<usize>) -> Self {
        Self { sentences: Vec::new(), by_label: BTreeMap::new(), cutoff }
    }

    /// Figures over all sentences.
    pub fn summary(&self) -> BracketSummary {
        summarize(self.sentences.iter())
    }

    /// Figures over the sentences of at most `length` words, including punctuation.
    pub fn summary_up_to(&self, length: usize) -> BracketSummary {
        summarize(self.sentences.iter().filter(|sentence| sentence.length <= length))
    }

    /// Contribution of each sentence to a figure, for significance tests.
    pub fn ratios(&self, metric: BracketMetric) -> Vec<Ratio> {
        let ratio = |sentence: &SentenceBrackets| match metric {
            BracketMetric::F1 => sentence.brackets.f1_ratio(),
            BracketMetric::Precision => sentence.brackets.precision_ratio(),
            BracketMetric::Recall => sentence.brackets.recall_ratio(),
            BracketMetric::Exact => {
                Ratio::of(u64::from(sentence.is_exact()), u64::from(!sentence.is_skipped()))
            }
            BracketMetric::Tags => Ratio::of(sentence.tags as u64, sentence.words as u64),
        };
        self.sentences.iter().map(ratio).collect()
    }
}

fn summarize<'s>(sentences: impl Iterator<Item = &'s SentenceBrackets> + Clone) -> BracketSummary {
    let count = |test: fn(&SentenceBrackets) -> bool| {
        sentences.clone().filter(|sentence| test(sentence)).count() as u64
    };
    let valid = count(|s| !s.is_skipped());
    let trees = count(SentenceBrackets::has_tree);
    let words: u64 = sentences.clone().map(|sentence| sentence.words as u64).sum();
    let total = count(|_| true);
    BracketSummary {
        sentences: total as usize,
        skipped: (total - valid) as usize,
        failures: count(SentenceBrackets::is_failure) as usize,
        brackets: sentences.clone().map(|sentence| sentence.brackets).sum(),
        exact: share(count(SentenceBrackets::is_exact), valid),
        crossing: share(sentences.clone().map(|sentence| u64::from(sentence.crossing)).sum(), trees),
        no_crossing: share(count(|s| s.has_tree() && s.crossing == 0), trees),
        two_or_less_crossing: share(count(|s| s.has_tree() && s.crossing <= 2), trees),
        tags: share(sentences.clone().map(|sentence| sentence.tags as u64).sum(), words),
        words,
    }
}
