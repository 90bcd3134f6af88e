//! A table of the cost of each merge of two clusters, updated incrementally.
//!
//! With `g(x) = x log x` and `e(x,y) = g(x) + g(y) - g(x+y)`, merging `a` and `b` reduces the mutual information, times
//! N, by
//!
//! ```text
//! loss(a,b) = Σ_d e(n(a,d), n(b,d)) + Σ_d e(n(d,a), n(d,b))               over all clusters d,
//!           + corner(a,b)                                                 as the cells of a and b merge both ways,
//!           + s(a) log((l(a)+l(b))/l(a)) + s(b) log((l(a)+l(b))/l(b))     and the same for right sums,
//! ```
//!
//! where `s(a)` is the sum of `a`'s row over the current clusters and `l(a)` that over the whole text. `e(x,0)` is 0: a
//! new cluster or a merge changes the first line only where the cluster, or the smaller of the two, has counts, so a
//! word with few neighbours costs little.

use rayon::prelude::*;

use super::lanes::{self, LANES};
use super::rows::{self, Context, Joint, Pair};
use crate::clusters::kernel::Kernel;

/// With fewer terms than this, threads do not pay off.
const SHARED_WORK: usize = 1 << 16;

/// Number of clusters per range when sums over contexts are divided among threads.
const RANGE: usize = 16 * LANES;

/// A cluster to be added to the table: its counts with the present clusters.
#[derive(Clone, Debug, Default)]
pub(super) struct Newcomer {
    /// The clusters that follow it.
    pub(super) right: Vec<(u32, u64)>,
    /// The clusters that precede it.
    pub(super) left: Vec<(u32, u64)>,
    /// How often it follows itself.
    pub(super) own: u64,
    /// How often it precedes anything in the whole text.
    pub(super) left_sum: u64,
    /// How often it follows anything in the whole text.
    pub(super) right_sum: u64,
}

/// For each context its counts with all clusters, on one side, and for each cluster their sum.
#[derive(Debug)]
pub(super) struct Side {
    pub(super) counts: Vec<f64>,
    pub(super) terms: Vec<f64>,
    /// Sums over the current clusters.
    pub(super) present: Vec<f64>,
    /// Sums over the whole text; 1 where there is no cluster.
    pub(super) sums: Vec<f64>,
    /// The logarithms of `sums`.
    pub(super) logs: Vec<f64>,
}

impl Side {
    fn new(width: usize) -> Self {
        let cells = width * width;
        let (counts, terms) = (vec![0.0; cells], vec![0.0; cells]);
        Self { counts, terms, present: vec![0.0; width], sums: vec![1.0; width], logs: vec![0.0; width] }
    }

    fn set(&mut self, at: usize, count: f64) {
        self.counts[at] = count;
        self.terms[at] = lanes::term(count);
    }

    fn set_sum(&mut self, place: usize, sum: f64) {
        self.sums[place] = sum;
        self.logs[place] = lanes::log(sum);
    }
}

/// The table, with one slot per cluster of the window.
#[derive(Debug)]
pub(super) struct LossTable {
    width: usize,
    /// Slots from here on are free, in whole lanes.
    used: usize,
    kernel: Kernel,
    active: Vec<bool>,
    /// Context `d` follows: row `d` holds `n(a,d)` for all `a`.
    follows: Side,
    /// Context `d` precedes: row `d` holds `n(d,a)`.
    precedes: Side,
    diagonal: Vec<f64>,
    /// Row `a` holds the losses of merging `a` with each `b > a`.
    losses: Vec<f64>,
    buffer: Vec<f64>,
    before: Vec<f64>,
}

impl LossTable {
    /// Creates a table for at most `places` clusters at a time.
    pub(super) fn new(places: usize, kernel: Kernel) -> Self {
        let width = places.next_multiple_of(LANES);
        Self {
            width,
            used: 0,
            kernel,
            active: vec![false; width],
            follows: Side::new(width),
            precedes: Side::new(width),
            diagonal: vec![0.0; width],
            losses: vec![f64::INFINITY; width * width],
            buffer: vec![0.0; width],
            before: vec![0.0; width],
        }
    }

    /// Puts a cluster into a free slot, without its losses yet.
    pub(super) fn place(&mut self, place: usize, newcomer: &Newcomer) {
        let width = self.width;
        let own = newcomer.own as f64;
        for &(a, n) in &newcomer.right {
            self.follows.set(a as usize * width + place, n as f64);
            self.precedes.set(place * width + a as usize, n as f64);
            self.precedes.present[a as usize] += n as f64;
        }
        for &(a, n) in &newcomer.left {
            self.follows.set(place * width + a as usize, n as f64);
            self.precedes.set(a as usize * width + place, n as f64);
            self.follows.present[a as usize] += n as f64;
        }
        self.follows.set(place * width + place, own);
        self.precedes.set(place * width + place, own);
        self.diagonal[place] = own;
        let sum = |counts: &[(u32, u64)]| counts.iter().map(|&(_, n)| n as f64).sum::<f64>() + own;
        self.follows.present[place] = sum(&newcomer.right);
        self.precedes.present[place] = sum(&newcomer.left);
        // A cluster never seen on a side has no counts there, so any sum works.
        self.follows.set_sum(place, newcomer.left_sum.max(1) as f64);
        self.precedes.set_sum(place, newcomer.right_sum.max(1) as f64);
        self.active[place] = true;
        self.used = self.used.max((place + 1).next_multiple_of(LANES));
    }

    /// Fills in the losses of all pairs.
    pub(super) fn fill(&mut self) {
        let Self { width, used, kernel, active, follows, precedes, diagonal, losses, .. } = self;
        let (width, used, kernel) = (*width, *used, *kernel);
        let rows = losses.par_chunks_mut(width).take(used).enumerate();
        rows.filter(|(a, _)| active[*a]).for_each_init(
            || vec![0.0; width],
            |buffer, (a, row)| {
                buffer.fill(0.0);
                for side in [&*follows, &*precedes] {
                    let joint = Joint::of(side, width, used, a);
                    rows::add_joints(kernel, &joint, a + 1, &mut buffer[a + 1..used]);
                }
                rows::add_direct(kernel, &Pair { follows, precedes, diagonal, width, used, a }, buffer);
                for b in a + 1..used {
                    row[b] = if active[b] { buffer[b] } else { f64::INFINITY };
                }
            },
        );
    }

    /// Adds a cluster in a free slot.
    pub(super) fn add(&mut self, place: usize, newcomer: &Newcomer) {
        self.place(place, newcomer);
        let Self { width, used, kernel, follows, precedes, losses, .. } = self;
        let (width, used, kernel) = (*width, *used, *kernel);
        // The new cluster as a context of the present clusters.
        for (side, counts) in [(&*follows, &newcomer.left), (&*precedes, &newcomer.right)] {
            let context = Context::new(side, width, used, place, counts);
            let work = counts.len() * used;
            for_rows(losses, width, used, work, |row, buffer, a| {
                if a != place {
                    rows::add_context(kernel, &context, a, row, buffer);
                }
            });
        }
        // The new cluster as a cluster.
        self.buffer.fill(0.0);
        self.add_all_joints(place);
        self.add_direct(place);
        for other in 0..used {
            if self.active[other] && other != place {
                let (low, high) = (other.min(place), other.max(place));
                self.losses[low * width + high] = self.buffer[other];
            }
        }
    }

    /// Merges the cluster at `gone` into the one at `kept` and frees its slot.
    pub(super) fn merge(&mut self, kept: usize, gone: usize) {
        let (width, used, kernel) = (self.width, self.used, self.kernel);
        self.buffer.fill(0.0);
        self.add_direct(kept);
        std::mem::swap(&mut self.buffer, &mut self.before);
        for side in [&mut self.follows, &mut self.precedes] {
            let pair = rows::Joining::new(side, width, used, kept, gone);
            for_rows(&mut self.losses, width, used, pair.len() * used, |row, buffer, a| {
                if a != gone {
                    rows::join_contexts(kernel, &pair, a, row, buffer);
                }
            });
            for b in 0..used {
                let count = side.counts[gone * width + b];
                if count != 0.0 {
                    side.set(kept * width + b, side.counts[kept * width + b] + count);
                    side.set(gone * width + b, 0.0);
                }
            }
        }
        self.buffer.fill(0.0);
        for side in [&mut self.follows, &mut self.precedes] {
            let growth = Joint::growth_of(side, width, used, kept, gone);
            let ranges = self.buffer[..used].chunks_mut(RANGE).enumerate();
            if growth.len() * used < SHARED_WORK {
                ranges.for_each(|(at, out)| rows::add_growths(kernel, &growth, at * RANGE, out));
            } else {
                let ranges = ranges.collect::<Vec<_>>().into_par_iter();
                ranges.for_each(|(at, out)| rows::add_growths(kernel, &growth, at * RANGE, out));
            }
            for d in 0..used {
                let more = side.counts[d * width + gone];
                if more != 0.0 {
                    side.set(d * width + kept, side.counts[d * width + kept] + more);
                    side.set(d * width + gone, 0.0);
                }
            }
            side.present[kept] += std::mem::take(&mut side.present[gone]);
            side.set_sum(kept, side.sums[kept] + side.sums[gone]);
            side.set_sum(gone, 1.0);
        }
        self.diagonal[kept] = self.follows.counts[kept * width + kept];
        self.diagonal[gone] = 0.0;
        self.buffer.iter_mut().zip(&self.before).for_each(|(change, before)| *change -= before);
        self.add_direct(kept);
        self.active[gone] = false;
        for other in 0..used {
            let (low, high) = (other.min(kept), other.max(kept));
            self.losses[low * width + high] += self.buffer[other];
            let (low, high) = (other.min(gone), other.max(gone));
            self.losses[low * width + high] = f64::INFINITY;
        }
    }

    /// Adds to the buffer the joint terms of the cluster at `a` with all others.
    fn add_all_joints(&mut self, a: usize) {
        let Self { width, used, kernel, follows, precedes, buffer, .. } = self;
        for side in [&*follows, &*precedes] {
            let joint = Joint::of(side, *width, *used, a);
            rows::add_joints(*kernel, &joint, 0, &mut buffer[..*used]);
        }
    }

    /// Adds to the buffer the terms of the cluster at `a` with all others that involve no third cluster.
    fn add_direct(&mut self, a: usize) {
        let Self { width, used, kernel, follows, precedes, diagonal, buffer, .. } = self;
        let (width, used) = (*width, *used);
        rows::add_direct(*kernel, &Pair { follows, precedes, diagonal, width, used, a }, buffer);
    }

    /// The two clusters that are cheapest to merge, with their cost times N.
    pub(super) fn cheapest(&self) -> Option<(usize, usize, f64)> {
        let (mut least, mut at) = (f64::INFINITY, None);
        for a in (0..self.used).filter(|&a| self.active[a]) {
            let mut found = f64::INFINITY;
            let row = &self.losses[a * self.width + a + 1..a * self.width + self.used];
            rows::smallest(self.kernel, row, &mut found);
            if found < least {
                (least, at) = (found, Some(a));
            }
        }
        let a = at?;
        let row = &self.losses[a * self.width..(a + 1) * self.width];
        let b = (a + 1..self.used).find(|&b| row[b] == least)?;
        Some((a, b, least))
    }

    /// Whether many slots in between are free, so that [`compact`](Self::compact) would save time.
    pub(super) fn is_sparse(&self) -> bool {
        let clusters = self.active.iter().filter(|&&active| active).count();
        self.used > 2 * LANES && 5 * clusters.next_multiple_of(LANES) <= 4 * self.used
    }

    /// Closes the gaps between clusters; returns the old slot of each.
    pub(super) fn compact(&mut self) -> Vec<usize> {
        let width = self.width;
        let old: Vec<usize> = (0..self.used).filter(|&place| self.active[place]).collect();
        let used = old.len().next_multiple_of(LANES);
        let table = |cells: &mut Vec<f64>, empty: f64| {
            for x in 0..used {
                for y in 0..used {
                    // Cells only move towards the front, so none is overwritten before it was read.
                    cells[x * width + y] = match (old.get(x), old.get(y)) {
                        (Some(x), Some(y)) => cells[x * width + y],
                        _ => empty,
                    };
                }
            }
        };
        let list = |cells: &mut Vec<f64>, empty: f64| {
            for x in 0..used {
                cells[x] = old.get(x).map_or(empty, |&x| cells[x]);
            }
        };
        for side in [&mut self.follows, &mut self.precedes] {
            table(&mut side.counts, 0.0);
            table(&mut side.terms, 0.0);
            list(&mut side.present, 0.0);
            list(&mut side.sums, 1.0);
            list(&mut side.logs, 0.0);
        }
        list(&mut self.diagonal, 0.0);
        table(&mut self.losses, f64::INFINITY);
        for place in 0..self.used {
            self.active[place] = place < old.len();
        }
        self.used = used;
        old
    }
}

/// Updates all rows of the losses, on several threads if there is enough work.
fn for_rows(
    losses: &mut [f64],
    width: usize,
    used: usize,
    work: usize,
    change: impl Fn(&mut [f64], &mut Vec<f64>, usize) + Sync,
) {
    if work == 0 {
        return;
    }
    if work < SHARED_WORK {
        let mut buffer = vec![0.0; used];
        let rows = losses.chunks_mut(width).take(used).enumerate();
        rows.for_each(|(a, row)| change(&mut row[..used], &mut buffer, a));
    } else {
        let rows = losses.par_chunks_mut(width).take(used).enumerate().with_min_len(8);
        rows.for_each_init(|| vec![0.0; used], |buffer, (a, row)| change(&mut row[..used], buffer, a));
    }
}
