//! Finds the best cluster for a word by scoring all clusters at once.
//!
//! A word that leaves its cluster and joins `c` adds its counts to the row and the column of `c`. The gain of cluster
//! `c` is a sum of gains of cells, one per neighbouring cluster of the word. The table is stored in rows so that these
//! sums run over all `c` in lanes.

use super::lanes::{self, LANES};
use super::profile::Profile;
use super::table::{Rows, Table};
use crate::clusters::kernel::Kernel;

/// Scratch memory for scoring one word.
#[derive(Debug)]
pub(super) struct Scratch {
    pub(super) profile: Profile,
    scores: Vec<f32>,
    /// How often the word precedes each cluster, and follows each.
    right: Vec<f32>,
    left: Vec<f32>,
    /// Cells of the word's cluster without the word, and what the word adds to them.
    rest: Vec<f32>,
    added: Vec<f32>,
}

impl Scratch {
    pub(super) fn new(table: &Table) -> Self {
        let width = table.width;
        Self {
            profile: Profile::new(table.classes),
            scores: vec![0.0; width],
            right: vec![0.0; width],
            left: vec![0.0; width],
            rest: Vec::new(),
            added: Vec::new(),
        }
    }

    /// The best cluster for the word of `self.profile`, which is in cluster `home`. It stays if nothing is better.
    pub(super) fn best(&mut self, kernel: Kernel, table: &Table, home: usize) -> usize {
        match kernel {
            Kernel::Portable => self.best_portable(table, home),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this kernel is only selected after AVX2 was detected.
            Kernel::Avx2 => unsafe { self.best_avx2(table, home) },
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn best_avx2(&mut self, table: &Table, home: usize) -> usize {
        self.score(table, home)
    }

    fn best_portable(&mut self, table: &Table, home: usize) -> usize {
        self.score(table, home)
    }

    #[inline(always)]
    fn score(&mut self, table: &Table, home: usize) -> usize {
        let Self { profile, scores, right, left, rest, added } = self;
        for &(d, n) in &profile.right {
            right[d as usize] = n as f32;
        }
        for &(d, n) in &profile.left {
            left[d as usize] = n as f32;
        }
        scores.fill(0.0);
        add_side(scores, &profile.right, &table.before, left, home);
        add_side(scores, &profile.left, &table.after, right, home);
        let diagonal = &table.diagonal;
        lanes::correct_diagonal(scores, &diagonal.counts, &diagonal.logs, right, left, profile.own as f32);
        let (left_sum, right_sum) = (profile.left_sum(), profile.right_sum());
        lanes::subtract_gains(scores, &table.left.counts, &table.left.logs, left_sum as f32);
        lanes::subtract_gains(scores, &table.right.counts, &table.right.logs, right_sum as f32);

        rest.clear();
        added.clear();
        let mut cell = |count: u64, n: u64| {
            rest.push((count - n) as f32);
            added.push(n as f32);
        };
        let mut corner = profile.own;
        for &(d, n) in &profile.right {
            if d as usize == home {
                corner += n;
            } else {
                cell(table.count(home, d as usize), n);
            }
        }
        for &(d, n) in &profile.left {
            if d as usize == home {
                corner += n;
            } else {
                cell(table.count(d as usize, home), n);
            }
        }
        cell(table.count(home, home), corner);
        rest.resize(rest.len().next_multiple_of(LANES), 1.0);
        added.resize(rest.len(), 0.0);
        let sums = [(table.left_sum(home), left_sum), (table.right_sum(home), right_sum)];
        let [left_loss, right_loss] = sums.map(|(count, n)| {
            let x = ((count - n) as f32).max(lanes::EMPTY);
            lanes::gain(x, lanes::log(x), n as f32)
        });
        let stay = lanes::sum_of_gains(rest, added) - left_loss - right_loss;

        for &(d, _) in &profile.right {
            right[d as usize] = 0.0;
        }
        for &(d, _) in &profile.left {
            left[d as usize] = 0.0;
        }
        largest(&scores[..table.classes], home, stay)
    }
}

/// Adds the gains of cells on one side of the word. `opposite` holds the word's counts on the other side, which the
/// cells of its home lose when it leaves.
#[inline(always)]
fn add_side(scores: &mut [f32], side: &[(u32, u64)], rows: &Rows, opposite: &[f32], home: usize) {
    let width = scores.len();
    for &(d, n) in side {
        let row = d as usize * width..(d as usize + 1) * width;
        if d as usize == home {
            lanes::add_gains_of_rest(scores, &rows.counts[row], opposite, n as f32);
        } else if n == 1 {
            lanes::add(scores, &rows.gains_of_one[row]);
        } else {
            lanes::add_gains(scores, &rows.counts[row.clone()], &rows.logs[row], n as f32);
        }
    }
}

/// The first cluster with the largest score, if that is better than staying.
#[inline(always)]
fn largest(scores: &[f32], home: usize, stay: f32) -> usize {
    let (mut best, mut cluster) = (stay, home);
    for (c, &score) in scores.iter().enumerate() {
        if score > best && c != home {
            (best, cluster) = (score, c);
        }
    }
    cluster
}
