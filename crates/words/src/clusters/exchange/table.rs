//! The bigram table of clusters while words move: exact counts, and single-precision rows for scoring.

use super::lanes::{EMPTY, LANES};
use super::profile::Profile;
use crate::clusters::information::{ClusterBigrams, entropy_term};

/// Terms `x log x` of counts below this are precomputed.
const LOOKED_UP: usize = 1 << 15;

/// Single-precision rows of the table: counts, their logarithms, and the gain of one more.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) counts: Vec<f32>,
    pub(super) logs: Vec<f32>,
    pub(super) gains_of_one: Vec<f32>,
}

impl Rows {
    fn new(cells: usize) -> Self {
        let [counts, logs, gains_of_one] = single(0).map(|value| vec![value; cells]);
        Self { counts, logs, gains_of_one }
    }

    #[inline]
    fn set(&mut self, at: usize, values: [f32; 3]) {
        self.counts[at] = values[0];
        self.logs[at] = values[1];
        self.gains_of_one[at] = values[2];
    }
}

/// Count, logarithm and gain of one more, as the kernel expects them.
fn single(count: u64) -> [f32; 3] {
    let exact = (count as f64).max(f64::from(EMPTY));
    let one_more = (exact + 1.0) * (exact + 1.0).ln() - exact * exact.ln();
    [exact as f32, exact.ln() as f32, if count == 0 { 0.0 } else { one_more as f32 }]
}

/// Counts of pairs of clusters with their sums.
#[derive(Debug)]
pub(super) struct Table {
    /// The number of clusters.
    pub(super) classes: usize,
    /// The same, padded to whole lanes.
    pub(super) width: usize,
    /// Row-major: how often `c` precedes `d`.
    counts: Vec<u64>,
    left_sums: Vec<u64>,
    right_sums: Vec<u64>,
    /// Row `d` holds for each `c` how often `c` precedes `d`.
    pub(super) before: Rows,
    /// Row `d` holds for each `c` how often `c` follows `d`.
    pub(super) after: Rows,
    /// How often each cluster precedes something.
    pub(super) left: Rows,
    /// How often each cluster follows something.
    pub(super) right: Rows,
    /// How often each cluster precedes itself.
    pub(super) diagonal: Rows,
    terms: Vec<f64>,
    singles: Vec<[f32; 3]>,
}

impl Table {
    /// The table of these counts.
    pub(super) fn new(bigrams: &ClusterBigrams) -> Self {
        let classes = bigrams.clusters();
        let width = classes.next_multiple_of(LANES);
        let mut table = Self {
            classes,
            width,
            counts: bigrams.counts().to_vec(),
            left_sums: bigrams.left_sums().to_vec(),
            right_sums: bigrams.right_sums().to_vec(),
            before: Rows::new(classes * width),
            after: Rows::new(classes * width),
            left: Rows::new(width),
            right: Rows::new(width),
            diagonal: Rows::new(width),
            terms: (0..LOOKED_UP as u64).map(entropy_term).collect(),
            singles: (0..LOOKED_UP as u64).map(single).collect(),
        };
        for c in 0..classes {
            table.show_sums(c);
            for d in 0..classes {
                if table.counts[c * classes + d] > 0 {
                    table.show(c, d);
                }
            }
        }
        table
    }

    fn term(&self, count: u64) -> f64 {
        self.terms.get(count as usize).copied().unwrap_or_else(|| entropy_term(count))
    }

    fn single(&self, count: u64) -> [f32; 3] {
        self.singles.get(count as usize).copied().unwrap_or_else(|| single(count))
    }

    /// How often `c` precedes `d`.
    pub(super) fn count(&self, c: usize, d: usize) -> u64 {
        self.counts[c * self.classes + d]
    }

    /// How often `c` precedes something.
    pub(super) fn left_sum(&self, c: usize) -> u64 {
        self.left_sums[c]
    }

    /// How often `c` follows something.
    pub(super) fn right_sum(&self, c: usize) -> u64 {
        self.right_sums[c]
    }

    /// The gain in mutual information, times the number of pairs, when a word moves from one cluster to another.
    pub(super) fn gain(&self, profile: &Profile, from: usize, to: usize) -> f64 {
        let term = |count| self.term(count);
        let mut gain = 0.0;
        // The four cells of the two clusters change from both sides and are handled last.
        let (mut a, mut b) = ([0; 2], [0; 2]);
        for &(d, n) in &profile.right {
            match d as usize {
                d if d == from => a[0] = n,
                d if d == to => a[1] = n,
                d => {
                    let (source, target) = (self.count(from, d), self.count(to, d));
                    gain += (term(source - n) - term(source)) + (term(target + n) - term(target));
                }
            }
        }
        for &(d, n) in &profile.left {
            match d as usize {
                d if d == from => b[0] = n,
                d if d == to => b[1] = n,
                d => {
                    let (source, target) = (self.count(d, from), self.count(d, to));
                    gain += (term(source - n) - term(source)) + (term(target + n) - term(target));
                }
            }
        }
        let own = profile.own;
        let mut change = |old: u64, new: u64| gain += term(new) - term(old);
        let cell = self.count(from, from);
        change(cell, cell - a[0] - b[0] - own);
        let cell = self.count(from, to);
        change(cell, cell - a[1] + b[0]);
        let cell = self.count(to, from);
        change(cell, cell + a[0] - b[1]);
        let cell = self.count(to, to);
        change(cell, cell + a[1] + b[1] + own);
        let (left, right) = (profile.left_sum(), profile.right_sum());
        change(self.left_sums[from] - left, self.left_sums[from]);
        change(self.left_sums[to] + left, self.left_sums[to]);
        change(self.right_sums[from] - right, self.right_sums[from]);
        change(self.right_sums[to] + right, self.right_sums[to]);
        gain
    }

    /// Moves a word's counts from one cluster to another.
    pub(super) fn shift(&mut self, profile: &Profile, from: usize, to: usize) {
        for &(d, n) in &profile.right {
            let d = d as usize;
            self.counts[from * self.classes + d] -= n;
            self.counts[to * self.classes + d] += n;
            self.show(from, d);
            self.show(to, d);
        }
        for &(d, n) in &profile.left {
            let d = d as usize;
            self.counts[d * self.classes + from] -= n;
            self.counts[d * self.classes + to] += n;
            self.show(d, from);
            self.show(d, to);
        }
        if profile.own > 0 {
            self.counts[from * self.classes + from] -= profile.own;
            self.counts[to * self.classes + to] += profile.own;
            self.show(from, from);
            self.show(to, to);
        }
        let (left, right) = (profile.left_sum(), profile.right_sum());
        self.left_sums[from] -= left;
        self.left_sums[to] += left;
        self.right_sums[from] -= right;
        self.right_sums[to] += right;
        self.show_sums(from);
        self.show_sums(to);
    }

    /// Updates a cell of the single-precision rows.
    #[inline]
    fn show(&mut self, c: usize, d: usize) {
        let values = self.single(self.counts[c * self.classes + d]);
        self.before.set(d * self.width + c, values);
        self.after.set(c * self.width + d, values);
        if c == d {
            self.diagonal.set(c, values);
        }
    }

    fn show_sums(&mut self, c: usize) {
        self.left.set(c, self.single(self.left_sums[c]));
        self.right.set(c, self.single(self.right_sums[c]));
    }

    /// The counts.
    #[cfg(test)]
    pub(super) fn bigrams(&self) -> ClusterBigrams {
        ClusterBigrams::from_table(self.classes, self.counts.clone())
    }
}
