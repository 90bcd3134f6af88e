//! Pairs of words in a sequence, bucketed by the left word.
//!
//! The bucket of word `a` has one slot per token of `a`, which holds the word `d` positions later, or [`BREAK`] if the
//! sentence ends before. Each group of pieces fills its own part of every bucket, so all threads write at once, and the
//! contents do not depend on the number of threads. Then each bucket is summed in a dense row.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::PairCounts;
use super::row_sum::{RowSum, Rows};
use super::type_table::BREAK;

/// A part of the text as ids below the number of words, or [`BREAK`].
pub(super) struct Piece<'a> {
    pub(super) ids: &'a [u32],
    /// The ids that follow, up to the largest distance.
    pub(super) ahead: Vec<u32>,
}

/// Maximum size of the cursor tables of all threads.
const CURSORS: usize = 1 << 24;
/// Number of tasks for counting rows, for an even load.
const TASKS: usize = 256;

/// Maximum number of tokens counted at once: positions and counts are 32-bit numbers, so that more of them fit into the
/// cache.
pub(super) const MOST_TOKENS: usize = 1 << 31;

/// Counts the pairs of `pieces`, with at most [`MOST_TOKENS`] tokens, at each distance up to `distance`.
pub(super) fn count_pairs(pieces: &[Piece<'_>], words: usize, distance: usize) -> Vec<PairCounts> {
    let groups = group(pieces, rayon::current_num_threads().min(CURSORS / words.max(1)).max(1));
    let counts: Vec<Vec<u32>> = groups
        .par_iter()
        .map(|pieces| {
            let mut counts = vec![0u32; words];
            for &id in pieces.iter().flat_map(|piece| piece.ids) {
                if id != BREAK {
                    counts[id as usize] += 1;
                }
            }
            counts
        })
        .collect();
    let mut starts = vec![0usize; words + 1];
    for word in 0..words {
        starts[word + 1] = starts[word] + counts.iter().map(|counts| counts[word] as usize).sum::<usize>();
    }
    let tokens = starts[words];
    let buckets: Vec<AtomicU32> = std::iter::repeat_with(|| AtomicU32::new(0)).take(tokens).collect();
    let mut next: Vec<u32> = starts[..words].iter().map(|&start| start as u32).collect();
    let cursors: Vec<Vec<u32>> = counts
        .iter()
        .map(|counts| {
            let cursors = next.clone();
            for (place, &count) in next.iter_mut().zip(counts) {
                *place += count;
            }
            cursors
        })
        .collect();
    (1..=distance)
        .map(|distance| {
            groups.par_iter().zip(&cursors).for_each(|(pieces, cursors)| {
                let mut cursors = cursors.clone();
                for piece in *pieces {
                    fill(piece, distance, &mut cursors, &buckets);
                }
            });
            rows_of(&starts, &buckets)
        })
        .collect()
}

/// Splits `pieces` into at most `parts` groups with about the same number of tokens.
fn group<'a, 'b>(pieces: &'a [Piece<'b>], parts: usize) -> Vec<&'a [Piece<'b>]> {
    let total: usize = pieces.iter().map(|piece| piece.ids.len()).sum();
    let share = total / parts + 1;
    let mut groups = Vec::new();
    let (mut start, mut tokens) = (0, 0);
    for (index, piece) in pieces.iter().enumerate() {
        tokens += piece.ids.len();
        if tokens >= share || index + 1 == pieces.len() {
            groups.push(&pieces[start..=index]);
            (start, tokens) = (index + 1, 0);
        }
    }
    groups
}

/// Puts the word `distance` positions after each word of `piece` into the bucket of that word.
fn fill(piece: &Piece<'_>, distance: usize, cursors: &mut [u32], buckets: &[AtomicU32]) {
    let mut put = |left: u32, right: u32| {
        let place = &mut cursors[left as usize];
        buckets[*place as usize].store(right, Ordering::Relaxed);
        *place += 1;
    };
    for sentence in piece.ids.split_inclusive(|&id| id == BREAK) {
        let (words, ahead) = match sentence.split_last() {
            Some((&BREAK, words)) => (words, &[][..]),
            _ => (sentence, piece.ahead.split(|&id| id == BREAK).next().unwrap_or(&[])),
        };
        let inside = words.len().saturating_sub(distance);
        for (&left, &right) in words.iter().zip(&words[words.len() - inside..]) {
            put(left, right);
        }
        for (index, &left) in words.iter().enumerate().skip(inside) {
            put(left, ahead.get(index + distance - words.len()).copied().unwrap_or(BREAK));
        }
    }
}

fn rows_of(starts: &[usize], buckets: &[AtomicU32]) -> PairCounts {
    let words = starts.len() - 1;
    let tasks = even_ranges(starts, TASKS);
    let rows: Vec<Rows> = tasks
        .into_par_iter()
        .map_init(
            || RowSum::<u32>::new(words),
            |sum, range| {
                let mut rows = Rows::default();
                for word in range {
                    let bucket = &buckets[starts[word]..starts[word + 1]];
                    let columns = bucket.iter().map(|right| right.load(Ordering::Relaxed));
                    sum.count_row(bucket.len(), columns, &mut rows);
                }
                rows
            },
        )
        .collect();
    PairCounts::from_rows(words, rows)
}

/// Splits the rows that begin at `starts` into ranges with about the same number of entries.
pub(super) fn even_ranges(starts: &[usize], parts: usize) -> Vec<std::ops::Range<usize>> {
    let rows = starts.len() - 1;
    // Each row counts as well, so that a million empty rows are not a single task.
    let weight = |row: usize| starts[row] + row;
    let share = weight(rows) / parts + 1;
    let mut ranges = Vec::new();
    let mut start = 0;
    for row in 0..rows {
        if weight(row + 1) - weight(start) >= share || row + 1 == rows {
            ranges.push(start..row + 1);
            start = row + 1;
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_cross_pieces_but_no_break() {
        let text = [0, 1, BREAK, 2, 0, 1, 3, 3, BREAK, BREAK, 1, 2, 0, 1];
        let expected = |distance: usize| {
            let pairs = (0..text.len() - distance)
                .filter(|&at| text[at..=at + distance].iter().all(|&id| id != BREAK))
                .map(|at| (text[at], text[at + distance]))
                .collect();
            PairCounts::from_pairs(4, pairs)
        };
        for size in 1..=text.len() {
            let pieces: Vec<Piece<'_>> = (0..text.len())
                .step_by(size)
                .map(|at| {
                    let end = (at + size).min(text.len());
                    Piece { ids: &text[at..end], ahead: text[end..].iter().take(3).copied().collect() }
                })
                .collect();
            for threads in [1, 2, 5] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let counts = pool.install(|| count_pairs(&pieces, 4, 3));
                assert_eq!(counts, [expected(1), expected(2), expected(3)], "{size} {threads}");
            }
        }
    }
}
