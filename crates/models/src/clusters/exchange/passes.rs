//! Passes over the words.

use corpus::cooccurrence::PairCounts;
use corpus::ids::Id;
use rayon::prelude::*;

use super::profile::{Neighbours, Profile};
use super::score::Scratch;
use super::table::Table;
use crate::clusters::kernel::Kernel;
use crate::clusters::{ClusterBigrams, ClusterId, ExchangeConfig};
use crate::learn::{LearnError, Progress};

/// Words that are scored against the same table, side by side. Fixed, so that the threads do not change the result.
const BLOCK: usize = 64;

/// Words, their clusters, and the table of these.
#[derive(Debug)]
pub(super) struct Exchange<'a> {
    neighbours: Neighbours<'a>,
    assignment: Vec<u32>,
    sizes: Vec<usize>,
    table: Table,
    /// Words may move to the clusters below this.
    targets: usize,
    total: f64,
    kernel: Kernel,
    profile: Profile,
}

/// What a pass did.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Pass {
    pub(super) moves: usize,
    /// In nats of mutual information.
    pub(super) gain: f64,
}

impl<'a> Exchange<'a> {
    /// Begins with the clusters `assignment` below `clusters`, or without: then the most frequent words have a cluster each,
    /// and all others wait in one more, which they leave in the first pass.
    pub(super) fn new(
        counts: &'a PairCounts,
        clusters: usize,
        initial: Option<&[ClusterId]>,
        kernel: Kernel,
    ) -> Self {
        let (assignment, classes): (Vec<u32>, usize) = match initial {
            Some(initial) => (initial.iter().map(|cluster| cluster.index() as u32).collect(), clusters),
            None => ((0..counts.words()).map(|word| word.min(clusters) as u32).collect(), clusters + 1),
        };
        let mut sizes = vec![0; classes];
        let mut cells = vec![0; classes * classes];
        for (word, &cluster) in assignment.iter().enumerate() {
            sizes[cluster as usize] += 1;
            let row = &mut cells[cluster as usize * classes..][..classes];
            for (other, count) in counts.row(word) {
                row[assignment[other as usize] as usize] += count;
            }
        }
        let table = Table::new(&ClusterBigrams::from_table(classes, cells.clone()), cells);
        let profile = Profile::new(classes);
        Self {
            neighbours: Neighbours::new(counts),
            assignment,
            sizes,
            table,
            targets: clusters,
            total: (counts.total() as f64).max(1.0),
            kernel,
            profile,
        }
    }

    /// Visits all words once, in order of frequency.
    pub(super) fn pass(&mut self, progress: &mut Progress<'_>) -> Result<Pass, LearnError> {
        let words = self.assignment.len();
        let mut pass = Pass::default();
        for start in (0..words).step_by(BLOCK) {
            let block = start..words.min(start + BLOCK);
            let (table, neighbours, assignment) = (&self.table, &self.neighbours, &self.assignment);
            let (kernel, targets, sizes) = (self.kernel, self.targets, &self.sizes);
            let best: Vec<usize> = block
                .clone()
                .into_par_iter()
                .with_min_len(8)
                .map_init(
                    || Scratch::new(table),
                    |scratch, word| {
                        let home = assignment[word] as usize;
                        if home < targets && sizes[home] == 1 {
                            return home;
                        }
                        scratch.profile.read(neighbours, assignment, word);
                        scratch.best(kernel, table, home, targets)
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
    fn consider(&mut self, word: usize, to: usize) -> Pass {
        let from = self.assignment[word] as usize;
        let waiting = from >= self.targets;
        if from == to || (!waiting && self.sizes[from] == 1) {
            return Pass::default();
        }
        self.profile.read(&self.neighbours, &self.assignment, word);
        let gain = self.table.gain(&self.profile, from, to) / self.total;
        if !waiting && gain <= 1e-12 {
            return Pass::default();
        }
        self.table.shift(&self.profile, from, to);
        self.assignment[word] = to as u32;
        self.sizes[from] -= 1;
        self.sizes[to] += 1;
        Pass { moves: 1, gain }
    }

    /// The clusters of the words.
    pub(super) fn assignment(&self) -> Vec<ClusterId> {
        let id = |&cluster: &u32| ClusterId::new(cluster as usize).expect("clusters are fewer than words");
        self.assignment.iter().map(id).collect()
    }
}

/// Clusters of the words of `counts`, by moving words until little is gained.
///
/// Begins with the clusters `initial`, or else with the most frequent words. Words must be in order of falling frequency.
pub fn exchange(
    counts: &PairCounts,
    clusters: usize,
    initial: Option<&[ClusterId]>,
    config: &ExchangeConfig,
    progress: &mut Progress<'_>,
) -> Result<Vec<ClusterId>, LearnError> {
    let words = counts.words();
    check(words, clusters, initial)?;
    progress.stage("exchange", None)?;
    let mut state = Exchange::new(counts, clusters.min(words), initial, Kernel::detect());
    if initial.is_none() {
        state.pass(progress)?;
    }
    let (mut moves, mut passes) = (0, 0);
    while passes < config.passes {
        let pass = state.pass(progress)?;
        moves += pass.moves;
        passes += 1;
        if pass.moves == 0 || pass.gain < config.least_gain {
            break;
        }
    }
    progress.figure("passes", passes as f64);
    progress.figure("moves", moves as f64);
    Ok(state.assignment())
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
