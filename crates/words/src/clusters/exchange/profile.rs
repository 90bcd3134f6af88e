//! The neighbouring clusters of a word.

use corpus::cooccurrence::PairCounts;

/// The counts of pairs, by the left word and by the right word.
#[derive(Debug)]
pub(super) struct Neighbours<'a> {
    pub(super) right: &'a PairCounts,
    pub(super) left: PairCounts,
}

impl<'a> Neighbours<'a> {
    pub(super) fn new(counts: &'a PairCounts) -> Self {
        Self { right: counts, left: counts.transposed() }
    }
}

/// A word's neighbours by cluster, excluding the word itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Profile {
    /// The clusters that follow the word, with counts.
    pub(super) right: Vec<(u32, u64)>,
    /// The clusters that precede it.
    pub(super) left: Vec<(u32, u64)>,
    /// How often the word follows itself.
    pub(super) own: u64,
    tally: Vec<u64>,
}

impl Profile {
    /// Creates a profile for words in `classes` clusters.
    pub(super) fn new(classes: usize) -> Self {
        Self { tally: vec![0; classes], ..Self::default() }
    }

    /// Computes the neighbours of `word`, given the clusters `assignment`.
    pub(super) fn read(&mut self, neighbours: &Neighbours<'_>, assignment: &[u32], word: usize) {
        self.own = tally(neighbours.right, assignment, word, &mut self.tally, &mut self.right);
        tally(&neighbours.left, assignment, word, &mut self.tally, &mut self.left);
    }

    /// How often the word precedes any word.
    pub(super) fn left_sum(&self) -> u64 {
        self.own + self.right.iter().map(|&(_, count)| count).sum::<u64>()
    }

    /// How often the word follows any word.
    pub(super) fn right_sum(&self) -> u64 {
        self.own + self.left.iter().map(|&(_, count)| count).sum::<u64>()
    }
}

/// Lists the clusters in a row in order of occurrence; returns the count of the word itself. `tally` is all 0 before
/// and after.
fn tally(
    counts: &PairCounts,
    assignment: &[u32],
    word: usize,
    tally: &mut [u64],
    out: &mut Vec<(u32, u64)>,
) -> u64 {
    out.clear();
    let mut own = 0;
    for (other, count) in counts.row(word) {
        if other as usize == word {
            own = count;
            continue;
        }
        let cluster = assignment[other as usize];
        let sum = &mut tally[cluster as usize];
        if *sum == 0 {
            out.push((cluster, 0));
        }
        *sum += count;
    }
    for (cluster, count) in out {
        *count = std::mem::take(&mut tally[*cluster as usize]);
    }
    own
}
