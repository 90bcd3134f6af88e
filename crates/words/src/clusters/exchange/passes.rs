//! Passes over the words.

use corpus::cooccurrence::PairCounts;
use corpus::ids::Id;
use rayon::prelude::*;

use super::profile::{Neighbours, Profile};
use super::score::Scratch;
use super::table::Table;
use crate::clusters::kernel::Kernel;
use crate::clusters::merging::fewer_clusters;
use crate::clusters::{ClusterBigrams, ClusterId, ExchangeConfig};
use models::learn::{LearnError, Progress};

/// Maximum number of words scored in parallel against the same table.
const LARGEST_BLOCK: usize = 64;

/// Share of the clusters that a regrouping keeps.
const KEPT: f64 = 0.85;

/// Before a regrouping, passes stop when one gains less than this multiple of the least gain.
const ROUGH: f64 = 4.0;

/// Words, their clusters, and the table of cluster pairs.
#[derive(Debug)]
pub(super) struct Exchange<'a> {
    neighbours: Neighbours<'a>,
    assignment: Vec<u32>,
    sizes: Vec<usize>,
    table: Table,
    total: f64,
    kernel: Kernel,
    profile: Profile,
    block: usize,
}

/// The result of a pass.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Pass {
    pub(super) moves: usize,
    /// In nats of mutual information.
    pub(super) gain: f64,
}

impl<'a> Exchange<'a> {
    /// Starts from the clusters `initial`, all below `clusters`.
    pub(super) fn new(
        counts: &'a PairCounts,
        clusters: usize,
        initial: &[ClusterId],
        kernel: Kernel,
    ) -> Self {
        let words = counts.words();
        Self {
            neighbours: Neighbours::new(counts),
            assignment: initial.iter().map(|cluster| cluster.index() as u32).collect(),
            sizes: sizes(initial, clusters),
            table: Table::new(&ClusterBigrams::new(counts, initial, clusters)),
            total: (counts.total() as f64).max(1.0),
            kernel,
            profile: Profile::new(clusters),
            // Depends on the words alone, so that the number of threads does not matter.
            block: (words / 128).clamp(1, LARGEST_BLOCK),
        }
    }

    /// Starts again from other clusters.
    fn restart(&mut self, initial: &[ClusterId]) {
        self.assignment = initial.iter().map(|cluster| cluster.index() as u32).collect();
        self.sizes = sizes(initial, self.sizes.len());
        self.table = Table::new(&ClusterBigrams::new(self.neighbours.right, initial, self.sizes.len()));
        self.fill_empty();
    }

    /// Gives each empty cluster the remaining word that gains most by being alone.
    fn fill_empty(&mut self) {
        let empty: Vec<usize> = (0..self.sizes.len()).filter(|&cluster| self.sizes[cluster] == 0).collect();
        let Some(&first) = empty.first() else { return };
        let (table, neighbours, assignment) = (&self.table, &self.neighbours, &self.assignment);
        let gains: Vec<f64> = (0..assignment.len())
            .into_par_iter()
            .with_min_len(64)
            .map_init(
                || Profile::new(table.classes),
                |profile, word| {
                    profile.read(neighbours, assignment, word);
                    table.gain(profile, assignment[word] as usize, first)
                },
            )
            .collect();
        let mut order: Vec<usize> = (0..gains.len()).collect();
        order.sort_by(|&one, &other| gains[other].total_cmp(&gains[one]).then(one.cmp(&other)));
        for (word, cluster) in order.into_iter().zip(empty) {
            self.consider(word, cluster);
        }
    }

    /// Runs passes until one gains less than `least_gain`; returns the numbers of passes and moves.
    fn settle(
        &mut self,
        passes: usize,
        least_gain: f64,
        progress: &mut Progress<'_>,
    ) -> Result<[usize; 2], LearnError> {
        let mut moves = 0;
        for done in 1..=passes {
            let pass = self.pass(progress)?;
            moves += pass.moves;
            if pass.moves == 0 || pass.gain < least_gain {
                return Ok([done, moves]);
            }
        }
        Ok([passes, moves])
    }

    /// Visits all words once, in order of frequency.
    pub(super) fn pass(&mut self, progress: &mut Progress<'_>) -> Result<Pass, LearnError> {
        let words = self.assignment.len();
        let mut pass = Pass::default();
        for start in (0..words).step_by(self.block) {
            let block = start..words.min(start + self.block);
            let (table, neighbours, assignment) = (&self.table, &self.neighbours, &self.assignment);
            let (kernel, sizes) = (self.kernel, &self.sizes);
            let best: Vec<usize> = block
                .clone()
                .into_par_iter()
                .with_min_len(8)
                .map_init(
                    || Scratch::new(table),
                    |scratch, word| {
                        let home = assignment[word] as usize;
                        if sizes[home] == 1 {
                            return home;
                        }
                        scratch.profile.read(neighbours, assignment, word);
                        scratch.best(kernel, table, home)
                    },
                )
                .collect();
            for (word, best) in block.clone().zip(best) {
                let made = self.consider(word, best);
                pass.moves += made.moves;
                pass.gain += made.gain;
            }
            progress.advance(block.len() as u64)?;
        }
        Ok(pass)
    }

    /// Moves a word, if that is still a gain after the moves since it was scored.
    pub(super) fn consider(&mut self, word: usize, to: usize) -> Pass {
        let from = self.assignment[word] as usize;
        if from == to || self.sizes[from] == 1 {
            return Pass::default();
        }
        self.profile.read(&self.neighbours, &self.assignment, word);
        let gain = self.table.gain(&self.profile, from, to) / self.total;
        if gain <= 1e-12 {
            return Pass::default();
        }
        self.table.shift(&self.profile, from, to);
        self.assignment[word] = to as u32;
        self.sizes[from] -= 1;
        self.sizes[to] += 1;
        Pass { moves: 1, gain }
    }

    /// The best cluster for a word, with all others fixed.
    #[cfg(test)]
    pub(super) fn best(&self, word: usize) -> usize {
        let mut scratch = Scratch::new(&self.table);
        scratch.profile.read(&self.neighbours, &self.assignment, word);
        scratch.best(self.kernel, &self.table, self.assignment[word] as usize)
    }

    /// The table of pairs of clusters.
    #[cfg(test)]
    pub(super) fn bigrams(&self) -> ClusterBigrams {
        self.table.bigrams()
    }

    /// The clusters of the words.
    pub(super) fn assignment(&self) -> Vec<ClusterId> {
        let id = |&cluster: &u32| ClusterId::new(cluster as usize).expect("clusters are fewer than words");
        self.assignment.iter().map(id).collect()
    }
}

/// The number of words in each cluster.
fn sizes(assignment: &[ClusterId], clusters: usize) -> Vec<usize> {
    let mut sizes = vec![0; clusters];
    assignment.iter().for_each(|cluster| sizes[cluster.index()] += 1);
    sizes
}

/// Clusters the words of `counts` by moving words until little is gained.
///
/// Starts from the clusters `initial`, or else distributes the words by rank. Words must be in order of decreasing
/// frequency.
pub fn exchange(
    counts: &PairCounts,
    clusters: usize,
    initial: Option<&[ClusterId]>,
    config: &ExchangeConfig,
    progress: &mut Progress<'_>,
) -> Result<Vec<ClusterId>, LearnError> {
    let words = counts.words();
    check(words, clusters, initial)?;
    // The number of visits is unknown in advance; on texts of 1M to 57M words it was 7 from given clusters, 9 or 10
    // otherwise.
    let visits = if initial.is_some() { 7 } else { 10 };
    progress.stage("exchange", Some((visits.min(most_passes(config)) * words) as u64))?;
    let clusters = clusters.min(words);
    let id = |index: usize| ClusterId::new(index).expect("there are fewer clusters than ids");
    let by_rank: Vec<ClusterId>;
    let initial = match initial {
        Some(initial) => initial,
        None => {
            by_rank = (0..words).map(|word| id(word % clusters)).collect();
            &by_rank
        }
    };
    let mut state = Exchange::new(counts, clusters, initial, Kernel::detect());
    let (mut passes, mut moves) = (0, 0);
    let mut best: Option<(f64, Vec<ClusterId>)> = None;
    for round in 0..=config.regroupings {
        if round > 0 {
            let left = ((clusters as f64 * KEPT) as usize).max(1);
            state.restart(&fewer_clusters(counts, &state.assignment(), left, progress)?);
        }
        let least_gain = config.least_gain * if round < config.regroupings { ROUGH } else { 1.0 };
        let [more_passes, more_moves] = state.settle(config.passes, least_gain, progress)?;
        passes += more_passes;
        moves += more_moves;
        let found = state.assignment();
        let information = ClusterBigrams::new(counts, &found, clusters).mutual_information();
        if best.as_ref().is_none_or(|(most, _)| information > *most) {
            best = Some((information, found));
        }
    }
    progress.figure("passes", passes as f64);
    progress.figure("moves", moves as f64);
    Ok(best.map_or_else(|| initial.to_vec(), |(_, found)| found))
}

/// The maximum number of visits per word.
fn most_passes(config: &ExchangeConfig) -> usize {
    config.passes.saturating_mul(config.regroupings + 1)
}

/// Returns an error if there is nothing to cluster or the initial clusters do not match.
fn check(words: usize, clusters: usize, initial: Option<&[ClusterId]>) -> Result<(), LearnError> {
    if words == 0 {
        return Err(LearnError::bad_data("the text has no words; give a text with at least one"));
    }
    if clusters == 0 {
        return Err(LearnError::bad_config("the number of clusters is 0; it must be at least 1"));
    }
    let Some(initial) = initial else { return Ok(()) };
    if initial.len() != words {
        let given = initial.len();
        return Err(LearnError::bad_config(format!(
            "there are initial clusters for {given} words, but {words} words; give one cluster per word"
        )));
    }
    if let Some(largest) = initial.iter().map(|cluster| cluster.index()).max()
        && largest >= clusters.min(words)
    {
        return Err(LearnError::bad_config(format!(
            "a word has the initial cluster {largest}, but there are only {}, numbered from 0",
            clusters.min(words)
        )));
    }
    Ok(())
}
