//! What went through a stream.

use std::ops::AddAssign;
use std::time::Duration;

use corpus::error::SyntaxError;

use crate::pipeline::Stage;

/// What became of a stream.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Sums over all items.
    pub counts: Counts,
    /// The places that could not be read and were skipped.
    pub skipped: Vec<SyntaxError>,
}

/// What is counted. Work that has no use for a figure leaves it at zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Sentences, those without words included.
    pub sentences: u64,
    /// Words.
    pub words: u64,
    /// Sentences without words.
    pub empty: u64,
    /// Sentences that the grammar does not derive, or that are too long for it.
    pub fallbacks: u64,
    /// Of these, sentences longer than the limit.
    pub too_long: u64,
    /// Sentences whose partition function came out negative, as it may where numbers are no probabilities.
    pub negative: u64,
    /// Given tags that the model does not know: their words may have any.
    pub unknown_tags: u64,
    /// Words without any tag, for which a dependency parser has little to go by.
    pub untagged: u64,
    /// Trees that a reranker chose among.
    pub candidates: u64,
    /// Sentences for which a reranker did not take the first choice of the parser.
    pub changed: u64,
    /// The time of each stage of a pipeline, summed over threads.
    pub times: StageTimes,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.sentences += other.sentences;
        self.words += other.words;
        self.empty += other.empty;
        self.fallbacks += other.fallbacks;
        self.too_long += other.too_long;
        self.negative += other.negative;
        self.unknown_tags += other.unknown_tags;
        self.untagged += other.untagged;
        self.candidates += other.candidates;
        self.changed += other.changed;
        self.times += other.times;
    }
}

/// The time of each stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct StageTimes([Duration; Stage::ALL.len()]);

impl StageTimes {
    /// The stages that took any time, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (Stage, Duration)> {
        Stage::ALL.into_iter().zip(self.0).filter(|(_, time)| !time.is_zero())
    }

    /// Adds to the time of one stage.
    pub(crate) fn add(&mut self, stage: Stage, time: Duration) {
        self.0[stage as usize] += time;
    }
}

impl AddAssign for StageTimes {
    fn add_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, time)| *sum += time);
    }
}
