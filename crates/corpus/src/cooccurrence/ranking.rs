//! Final numbering of words: by decreasing count, ties by code point.

use rayon::prelude::*;

use super::{CountError, TextCounts, VocabLimit};
use crate::ids::{Id, WordId};
use crate::vocab::{Vocab, VocabBuilder};

/// A numbering of the kept words, and the mapping of all words to it.
pub(super) struct Ranking {
    pub(super) vocab: Vocab<WordId>,
    pub(super) words: Vec<u64>,
    /// New word of each old word.
    pub(super) names: Vec<u32>,
    /// The class of words that were not kept, if any.
    pub(super) unknown: Option<WordId>,
}

impl Ranking {
    /// Ranks the words `text(0)`, `text(1)`, …, where word `w` occurs `counts[w]` times. Without a limit, all are kept.
    /// Word `class` is not a word but a class, and receives the words that are not kept.
    pub(super) fn new<'a>(
        counts: &[u64],
        text: impl Fn(usize) -> &'a str + Sync,
        limit: Option<&VocabLimit>,
        class: Option<usize>,
    ) -> Result<Self, CountError> {
        let size = limit.and_then(|limit| limit.size).unwrap_or(usize::MAX);
        let mut least = limit.map_or(0, |limit| limit.min_count);
        if size < counts.len() {
            // Words rarer than the last one kept need not be sorted.
            let mut sorted = counts.to_vec();
            if let Some(class) = class {
                sorted[class] = 0;
            }
            let (_, &mut last, _) = sorted.select_nth_unstable_by(size.max(1) - 1, |a, b| b.cmp(a));
            least = least.max(last);
        }
        let mut kept: Vec<(u64, u64, u32)> = (0..counts.len())
            .filter(|&word| counts[word] >= least && class != Some(word))
            .map(|word| (counts[word], start(text(word)), word as u32))
            .collect();
        kept.par_sort_unstable_by(|one, other| {
            let rank = other.0.cmp(&one.0).then(one.1.cmp(&other.1));
            rank.then_with(|| text(one.2 as usize).cmp(text(other.2 as usize)))
        });
        kept.truncate(size);
        let total: u64 = counts.iter().sum();
        let others = total - kept.iter().map(|word| word.0).sum::<u64>();
        let mut place = None;
        if kept.len() < counts.len()
            && let Some(limit) = limit
        {
            if let Some(taken) = kept.iter().find(|word| text(word.2 as usize) == limit.unknown) {
                return Err(CountError::UnknownTaken(text(taken.2 as usize).to_owned()));
            }
            place = Some(kept.partition_point(|word| {
                word.0 > others || (word.0 == others && text(word.2 as usize) < limit.unknown.as_str())
            }));
        }
        let mut builder = VocabBuilder::<WordId>::new();
        let mut words = Vec::with_capacity(kept.len() + 1);
        let unknown_name = place.map_or(u32::MAX, |place| place as u32);
        let mut names = vec![unknown_name; counts.len()];
        let mut unknown = None;
        for index in 0..=kept.len() {
            if place == Some(index)
                && let Some(limit) = limit
            {
                unknown = Some(builder.intern(&limit.unknown));
                words.push(others);
            }
            if let Some(&(count, _, word)) = kept.get(index) {
                names[word as usize] = builder.intern(text(word as usize)).index() as u32;
                words.push(count);
            }
        }
        Ok(Self { vocab: builder.freeze(), words, names, unknown })
    }

    /// The counts over the renumbered words.
    pub(super) fn apply(self, counts: &TextCounts) -> (TextCounts, Option<WordId>) {
        let pairs = counts.pairs.iter().map(|pairs| pairs.renamed(&self.names, self.words.len())).collect();
        (TextCounts { vocab: self.vocab, words: self.words, pairs }, self.unknown)
    }
}

/// The first bytes as a number with the same order.
fn start(text: &str) -> u64 {
    let mut bytes = [0; 8];
    let length = text.len().min(8);
    bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
    u64::from_be_bytes(bytes)
}
