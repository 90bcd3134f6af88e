//! Counts from tables that other programs made.

use std::ops::RangeInclusive;

use corpus::cooccurrence::{Boundaries, CountedText, PairCounts, TextCounts};
use corpus::ids::{Id, WordId};
use corpus::vocab::VocabBuilder;

use crate::Error;

/// Distances that count files can have.
const DISTANCES: RangeInclusive<usize> = 1..=1 << 10;

/// Pairs as columns: `count[i]` times, the word `left[i]` stood before `right[i]`. Pairs may come in any order, and more
/// than once.
#[derive(Clone, Copy, Debug)]
pub struct PairColumns<'a> {
    /// Number of the word on the left.
    pub left: &'a [u32],
    /// Number of the word on the right.
    pub right: &'a [u32],
    /// How often they stood so.
    pub count: &'a [u64],
}

/// Counts from columns: the words, how often each occurs, and for each distance 1, 2, … the pairs. Words are numbered from
/// 0 as they are given; `unknown` is the one that stands for all words that were not kept.
///
/// ```
/// use eigentree::corpus::cooccurrence::Boundaries;
/// use eigentree::counting::{PairColumns, counts_from_columns};
/// let pairs = PairColumns { left: &[1, 0], right: &[0, 1], count: &[2, 1] };
/// let counted = counts_from_columns(&["dog", "the"], &[2, 3], &[pairs], Boundaries::Lines, None)?;
/// assert_eq!(counted.counts.vocab.iter().map(|(_, word)| word).collect::<Vec<_>>(), ["the", "dog"]);
/// assert_eq!(counted.counts.pairs[0].get(0, 1), 2);
/// # Ok::<(), eigentree::Error>(())
/// ```
pub fn counts_from_columns(
    words: &[impl AsRef<str>],
    counts: &[u64],
    pairs: &[PairColumns<'_>],
    boundaries: Boundaries,
    unknown: Option<&str>,
) -> Result<CountedText, Error> {
    let refuse = |message: String| Err(Error::Data(message));
    if words.len() != counts.len() {
        return refuse(format!("there are {} words, but {} counts of words", words.len(), counts.len()));
    }
    if !DISTANCES.contains(&pairs.len()) {
        return refuse(format!(
            "there are pairs of {} distances; give at least one table, for distance 1",
            pairs.len()
        ));
    }
    if counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count)).is_none() {
        return refuse("the counts of the words are too large to be added up".to_owned());
    }
    let mut vocab = VocabBuilder::<WordId>::new();
    for (index, word) in words.iter().map(AsRef::as_ref).enumerate() {
        if word.is_empty() || word.contains(|c: char| c.is_ascii_whitespace()) {
            return refuse(format!(
                "word {index}, `{word}`, is empty or has blanks, so that no text can have it"
            ));
        }
        if vocab.intern(word).index() != index {
            return refuse(format!("the word `{word}` occurs twice in the vocabulary"));
        }
    }
    let vocab = vocab.freeze();
    let mut tables = Vec::with_capacity(pairs.len());
    for (index, columns) in pairs.iter().enumerate() {
        tables.push(table(columns, counts, index + 1)?);
    }
    let counts = TextCounts { vocab, words: counts.to_vec(), pairs: tables }.ranked();
    let class = unknown.map(|word| {
        counts.vocab.get(word).ok_or_else(|| {
            Error::Data(format!(
                "the vocabulary does not have `{word}`, which is to stand for all other words"
            ))
        })
    });
    let unknown = class.transpose()?;
    Ok(CountedText { counts, boundaries, unknown })
}

fn table(columns: &PairColumns<'_>, words: &[u64], distance: usize) -> Result<PairCounts, Error> {
    let PairColumns { left, right, count } = *columns;
    if left.len() != right.len() || left.len() != count.len() {
        return Err(Error::Data(format!("the columns of pairs {distance} apart have different lengths")));
    }
    let most = words.len();
    let mut sums = vec![0u64; most];
    for ((&one, &other), &count) in left.iter().zip(right).zip(count) {
        if let Some(bad) = [one, other].into_iter().find(|&word| word as usize >= most) {
            return Err(Error::Data(format!(
                "a pair {distance} apart has the word {bad}, but the last word of the vocabulary is {}",
                most as i64 - 1
            )));
        }
        let sum = &mut sums[one as usize];
        *sum = sum.saturating_add(count);
    }
    // Count files are checked in the same way when they are read.
    if let Some(bad) = sums.iter().zip(words).position(|(sum, word)| sum > word) {
        return Err(Error::Data(format!(
            "word {bad} occurs {} times, but is the left one of {} pairs {distance} apart",
            words[bad], sums[bad]
        )));
    }
    let entries = left.iter().zip(right).zip(count).map(|((&left, &right), &count)| (left, right, count));
    Ok(PairCounts::from_counts(most, entries.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(
        words: &[&str],
        counts: &[u64],
        pairs: (&[u32], &[u32], &[u64]),
        unknown: Option<&str>,
    ) -> Result<CountedText, String> {
        let columns = PairColumns { left: pairs.0, right: pairs.1, count: pairs.2 };
        counts_from_columns(words, counts, &[columns], Boundaries::Lines, unknown)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn what_cannot_be_counts_is_refused() {
        let good: (&[u32], &[u32], &[u64]) = (&[0, 1, 0], &[1, 0, 1], &[1, 1, 1]);
        let counted = made(&["a", "b"], &[2, 2], good, Some("b")).unwrap();
        assert_eq!(counted.counts.pairs[0].iter().collect::<Vec<_>>(), [(0, 1, 2), (1, 0, 1)]);
        assert_eq!(counted.unknown_name(), Some("b"));
        for (result, reason) in [
            (made(&["a"], &[2, 2], good, None), "1 words, but 2 counts"),
            (made(&["a", "a"], &[2, 2], good, None), "occurs twice"),
            (made(&["a", "b c"], &[2, 2], good, None), "has blanks"),
            (made(&["a", "b"], &[1, 2], good, None), "occurs 1 times, but is the left one of 2 pairs"),
            (made(&["a", "b"], &[u64::MAX, 2], good, None), "too large"),
            (made(&["a", "b"], &[2, 2], (&[0], &[2], &[1]), None), "has the word 2"),
            (made(&["a", "b"], &[2, 2], (&[0], &[], &[1]), None), "different lengths"),
            (made(&["a", "b"], &[2, 2], good, Some("c")), "does not have `c`"),
            (made(&[], &[], (&[0], &[0], &[1]), None), "the last word of the vocabulary is -1"),
        ] {
            let error = result.unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        assert!(counts_from_columns(&["a"], &[1], &[], Boundaries::Lines, None).is_err());
    }
}
