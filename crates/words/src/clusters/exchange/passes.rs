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

/// At most so many words are scored against the same table, side by side.
const LARGEST_BLOCK: usize = 64;

/// A regrouping leaves so many of the clusters.
const KEPT: f64 = 0.85;

/// Before a regrouping, words are visited only until a pass gains less than so many times the least gain.
const ROUGH: f64 = 4.0;

/// Words, their clusters, and the table of these.
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

/// What a pass did.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Pass {
    pub(super) moves: usize,
    /// In nats of mutual information.
    pub(super) gain: f64,
}

impl<'a> Exchange<'a> {
    /// Begins with the clusters `initial`, all below `clusters`.
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
            // Decided by the words alone, so that the number of threads does not matter.
            block: (words / 128).clamp(1, LARGEST_BLOCK),
        }
    }

    /// Begins anew from other clusters.
    fn restart(&mut self, initial: &[ClusterId]) {
        self.assignment = initial.iter().map(|cluster| cluster.index() as u32).collect();
        self.sizes = sizes(initial, self.sizes.len());
        self.table = Table::new(&ClusterBigrams::new(self.neighbours.right, initial, self.sizes.len()));
        self.fill_empty();
    }

    /// Gives each cluster without words the word that gains most by being alone, of those that are left.
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

    /// Visits the words until a pass gains less than `least_gain`; returns the passes and the moves.
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

    /// Moves a word, if that still is a gain after the moves since it was scored.
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

    /// The best cluster for a word, all others staying where they are.
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

/// How many words each cluster has.
fn sizes(assignment: &[ClusterId], clusters: usize) -> Vec<usize> {
    let mut sizes = vec![0; clusters];
    assignment.iter().for_each(|cluster| sizes[cluster.index()] += 1);
    sizes
}

/// Clusters of the words of `counts`, by moving words until little is gained.
///
/// Begins with the clusters `initial`, or else deals the words out by rank. Words must be in order of falling frequency.
pub fn exchange(
    counts: &PairCounts,
    clusters: usize,
    initial: Option<&[ClusterId]>,
    config: &ExchangeConfig,
    progress: &mut Progress<'_>,
) -> Result<Vec<ClusterId>, LearnError> {
    let words = counts.words();
    check(words, clusters, initial)?;
    // Nobody knows how often words must be visited; on texts from 1M to 57M words it was 7 times from given clusters, 9 or 10 else.
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

/// How often each word is visited at most.
fn most_passes(config: &ExchangeConfig) -> usize {
    config.passes.saturating_mul(config.regroupings + 1)
}

/// An error if there is nothing to cluster or the first clusters do not fit.
fn check(words: usize, clusters: usize, initial: Option<&[ClusterId]>) -> Result<(), LearnError> {
    if words == 0 {
        return Err(LearnError::bad_data("there are no words; give a text with at least one"));
    }
    if clusters == 0 {
        return Err(LearnError::bad_config("there must be at least one cluster"));
    }
    let Some(initial) = initial else { return Ok(()) };
    if initial.len() != words {
        let given = initial.len();
        return Err(LearnError::bad_config(format!(
            "the first clusters are those of {given} words, but there are {words}; give one cluster for each"
        )));
    }
    if let Some(largest) = initial.iter().map(|cluster| cluster.index()).max()
        && largest >= clusters.min(words)
    {
        return Err(LearnError::bad_config(format!(
            "a word begins in cluster {largest}, but there are {}, counted from 0",
            clusters.min(words)
        )));
    }
    Ok(())
}
