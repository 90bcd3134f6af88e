//! Counts of consecutive parts of a text, joined as if the text had been counted whole.
//!
//! If sequences end with lines, and parts with them, counts simply add up. If the whole text is one sequence, the pairs
//! across two parts are missing from both. With the first and last k words of each part, where k is the largest distance,
//! they can be added when neighbours are joined. Joining is associative, so parts can be joined as a tree.

use super::{Boundaries, CountError, CountedText, PairCounts, VocabLimit};
use crate::ids::Id;

/// The words at the ends of a part, as many as the largest distance of pairs, or all if there are fewer. Empty if sequences
/// end with lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Edges {
    /// The first words.
    pub first: Vec<String>,
    /// The last words.
    pub last: Vec<String>,
}

/// The counts of a part of a text.
///
/// ```
/// use eigentree_corpus::cooccurrence::{Boundaries, CountConfig, CountedPart, CountError, TextCounter};
/// let count = |text: &str| -> Result<CountedPart, CountError> {
///     let config = CountConfig { boundaries: Boundaries::None, ..CountConfig::default() };
///     let mut counter = TextCounter::new(config)?;
///     counter.read(text.as_bytes(), "-")?;
///     counter.finish_part()
/// };
/// let joined = count("the dog sees")?.joined(&count("the cat")?)?;
/// assert_eq!(joined, count("the dog sees the cat")?);
/// # Ok::<(), CountError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedPart {
    /// The counts.
    pub counted: CountedText,
    /// The words at either end.
    pub edges: Edges,
}

impl CountedPart {
    /// The counts of this part and the next one.
    pub fn joined(&self, next: &CountedPart) -> Result<CountedPart, CountError> {
        let mut counted = self.counted.plus(&next.counted)?;
        if counted.boundaries == Boundaries::Lines {
            return Ok(Self { counted, edges: Edges::default() });
        }
        let distance = counted.counts.pairs.len();
        let words = counted.counts.words.len();
        let (before, after) = (&self.edges.last, &next.edges.first);
        let name = |word: &String| match counted.counts.vocab.get(word).or(counted.unknown) {
            Some(id) => Ok(id.index() as u32),
            None => Err(CountError::OtherWord(word.clone())),
        };
        let ids = before.iter().chain(after).map(name).collect::<Result<Vec<_>, _>>()?;
        let mut tables = Vec::with_capacity(distance);
        for (index, table) in counted.counts.pairs.iter().enumerate() {
            let apart = index + 1;
            let from = before.len().saturating_sub(apart);
            let across = (from..before.len()).filter(|left| left + apart < ids.len());
            let pairs = across.map(|left| (ids[left], ids[left + apart])).collect();
            tables.push(table.sum(&PairCounts::from_pairs(words, pairs)));
        }
        counted.counts.pairs = tables;
        Ok(Self { counted, edges: self.edges.joined(&next.edges, distance) })
    }

    /// The part over the words of `kept`.
    pub fn over(&self, kept: &CountedText) -> Result<CountedPart, CountError> {
        Ok(Self { counted: self.counted.over(kept)?, edges: self.edges.clone() })
    }

    /// The part with counts of words only: enough to choose a vocabulary.
    pub fn without_pairs(mut self) -> CountedPart {
        let words = self.counted.counts.words.len();
        for table in &mut self.counted.counts.pairs {
            *table = PairCounts::empty(words);
        }
        self.counted.boundaries = Boundaries::Lines;
        self.edges = Edges::default();
        self
    }

    /// The counts, over the words that `limit` keeps if there is one.
    pub fn finish(self, limit: Option<&VocabLimit>) -> Result<CountedText, CountError> {
        match limit {
            Some(limit) => self.counted.restricted(limit),
            None => Ok(self.counted),
        }
    }
}

impl Edges {
    fn joined(&self, next: &Edges, distance: usize) -> Edges {
        let mut first = self.first.clone();
        // Fewer words than the distance are all words of the part.
        if first.len() < distance {
            first.extend(next.first.iter().take(distance - self.first.len()).cloned());
        }
        let missing = distance.saturating_sub(next.last.len()).min(self.last.len());
        let mut last = self.last[self.last.len() - missing..].to_vec();
        last.extend(next.last.iter().cloned());
        Edges { first, last }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CountConfig, TextCounter};
    use super::*;

    fn count(text: &str, boundaries: Boundaries, distance: usize, block_tokens: usize) -> CountedPart {
        let config = CountConfig { boundaries, distance, block_tokens, ..CountConfig::default() };
        let mut counter = TextCounter::new(config).unwrap();
        counter.read(text.as_bytes(), "-").unwrap();
        counter.finish_part().unwrap()
    }

    /// Lines of 0 to 4 words.
    fn lines() -> Vec<String> {
        let mut state = 3u32;
        let mut next = move |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        let line = |_| (0..next(5)).map(|_| format!("w{}", next(6))).collect::<Vec<_>>().join(" ") + "\n";
        (0..60).map(line).collect()
    }

    #[test]
    fn parts_joined_in_any_tree_are_the_whole() {
        let lines = lines();
        for boundaries in [Boundaries::Lines, Boundaries::None] {
            for distance in 1..=3 {
                let part = |range: std::ops::Range<usize>| {
                    count(&lines[range].concat(), boundaries, distance, usize::MAX >> 1)
                };
                let whole = part(0..60);
                let parts: Vec<CountedPart> = (0..60).map(|line| part(line..line + 1)).collect();
                let left = parts[1..].iter().fold(parts[0].clone(), |sum, next| sum.joined(next).unwrap());
                assert_eq!(left, whole, "{boundaries:?} {distance}");
                let mut level = parts;
                while level.len() > 1 {
                    let join = |some: &[CountedPart]| {
                        some[1..].iter().fold(some[0].clone(), |sum, next| sum.joined(next).unwrap())
                    };
                    level = level.chunks(3).map(join).collect();
                }
                assert_eq!(level[0], whole, "{boundaries:?} {distance}");
            }
        }
    }

    #[test]
    fn a_vocabulary_known_beforehand_gives_the_counts_of_one_chosen_afterwards() {
        let lines = lines();
        for boundaries in [Boundaries::Lines, Boundaries::None] {
            let part = |range: std::ops::Range<usize>| count(&lines[range].concat(), boundaries, 2, 1 << 20);
            let parts = [part(0..1), part(1..20), part(20..20), part(20..60)];
            let join = |some: &[CountedPart]| {
                some[1..].iter().fold(some[0].clone(), |sum, next| sum.joined(next).unwrap())
            };
            for limit in [
                VocabLimit::most_frequent(3),
                VocabLimit::most_frequent(100),
                VocabLimit { min_count: 25, ..VocabLimit::default() },
            ] {
                let words: Vec<CountedPart> = parts.iter().map(|part| part.clone().without_pairs()).collect();
                let kept = join(&words).finish(Some(&limit)).unwrap();
                let limited: Vec<CountedPart> = parts.iter().map(|part| part.over(&kept).unwrap()).collect();
                let whole = part(0..60).finish(Some(&limit)).unwrap();
                assert_eq!(join(&limited).finish(None).unwrap(), whole, "{boundaries:?} {limit:?}");
            }
        }
        let small = part_of("a b");
        assert!(
            matches!(part_of("a c").over(&small.counted), Err(CountError::OtherWord(word)) if word == "c")
        );
    }

    fn part_of(text: &str) -> CountedPart {
        count(text, Boundaries::Lines, 1, 1 << 20)
    }

    #[test]
    fn edges_survive_the_end_of_a_block() {
        let mut counters = [10, 1 << 20].map(|block_tokens| {
            let config = CountConfig {
                boundaries: Boundaries::None,
                distance: 3,
                block_tokens,
                ..CountConfig::default()
            };
            TextCounter::new(config).unwrap()
        });
        for line in lines() {
            for counter in &mut counters {
                counter.read(line.as_bytes(), "-").unwrap();
            }
        }
        let [blocks, whole] = counters.map(|counter| counter.finish_part().unwrap());
        assert_eq!(whole.edges.first.len() + whole.edges.last.len(), 6);
        assert_eq!(blocks, whole);
    }
}
