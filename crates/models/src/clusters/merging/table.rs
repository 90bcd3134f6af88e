//! What each merge of two clusters would cost, kept up to date.
//!
//! With `g(x) = x log x` and `e(x,y) = g(x) + g(y) - g(x+y)`, merging `a` and `b` takes from the mutual information, times N,
//!
//! ```text
//! loss(a,b) = Σ_d e(n(a,d), n(b,d)) + Σ_d e(n(d,a), n(d,b))               over all clusters d,
//!           + corner(a,b)                                                 as the cells of a and b merge both ways,
//!           + s(a) log((l(a)+l(b))/l(a)) + s(b) log((l(a)+l(b))/l(b))     and the same for right sums,
//! ```
//!
//! where `s(a)` is the sum of `a`'s row over the clusters there are now and `l(a)` that over the whole text. `e(x,0)` is 0: a new
//! cluster or a merge changes the first line only where the cluster, or the smaller of the two, has counts, so that a
//! word of few neighbours costs little.

use super::lanes::{self, LANES};
use crate::clusters::kernel::Kernel;

/// A cluster to be put into the table: its counts with those that are there.
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
struct Side {
    counts: Vec<f64>,
    terms: Vec<f64>,
    /// Over the clusters there are now.
    present: Vec<f64>,
    /// Over the whole text; 1 where there is no cluster.
    sums: Vec<f64>,
}

impl Side {
    fn new(width: usize) -> Self {
        let cells = width * width;
        let (counts, terms) = (vec![0.0; cells], vec![0.0; cells]);
        Self { counts, terms, present: vec![0.0; width], sums: vec![1.0; width] }
    }

    fn set(&mut self, at: usize, count: f64) {
        self.counts[at] = count;
        self.terms[at] = lanes::term(count);
    }
}

/// The table, with a place for each cluster of the window.
#[derive(Debug)]
pub(super) struct LossTable {
    width: usize,
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
    /// For at most `places` clusters at a time.
    pub(super) fn new(places: usize, kernel: Kernel) -> Self {
        let width = places.next_multiple_of(LANES);
        Self {
            width,
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

    /// Puts a cluster into a free place.
    pub(super) fn add(&mut self, place: usize, newcomer: &Newcomer) {
        match self.kernel {
            Kernel::Portable => self.add_portable(place, newcomer),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: there is no other way to this kernel than having asked the processor for AVX2.
            Kernel::Avx2 => unsafe { self.add_avx2(place, newcomer) },
        }
    }

    /// Merges the cluster at `gone` into that at `kept`; its place is free then.
    pub(super) fn merge(&mut self, kept: usize, gone: usize) {
        match self.kernel {
            Kernel::Portable => self.merge_portable(kept, gone),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: there is no other way to this kernel than having asked the processor for AVX2.
            Kernel::Avx2 => unsafe { self.merge_avx2(kept, gone) },
        }
    }

    /// The two clusters that cost least to merge, with what they cost, times N.
    pub(super) fn cheapest(&self) -> Option<(usize, usize, f64)> {
        match self.kernel {
            Kernel::Portable => self.cheapest_portable(),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: there is no other way to this kernel than having asked the processor for AVX2.
            Kernel::Avx2 => unsafe { self.cheapest_avx2() },
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn add_avx2(&mut self, place: usize, newcomer: &Newcomer) {
        self.add_inline(place, newcomer);
    }

    fn add_portable(&mut self, place: usize, newcomer: &Newcomer) {
        self.add_inline(place, newcomer);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn merge_avx2(&mut self, kept: usize, gone: usize) {
        self.merge_inline(kept, gone);
    }

    fn merge_portable(&mut self, kept: usize, gone: usize) {
        self.merge_inline(kept, gone);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn cheapest_avx2(&self) -> Option<(usize, usize, f64)> {
        self.cheapest_inline()
    }

    fn cheapest_portable(&self) -> Option<(usize, usize, f64)> {
        self.cheapest_inline()
    }

    #[inline(always)]
    fn add_inline(&mut self, place: usize, newcomer: &Newcomer) {
        let width = self.width;
        let own = newcomer.own as f64;
        for &(a, n) in &newcomer.right {
            self.follows.set(a as usize * width + place, n as f64);
            self.precedes.set(place * width + a as usize, n as f64);
        }
        for &(a, n) in &newcomer.left {
            self.follows.set(place * width + a as usize, n as f64);
            self.precedes.set(a as usize * width + place, n as f64);
        }
        self.follows.set(place * width + place, own);
        self.precedes.set(place * width + place, own);
        self.diagonal[place] = own;

        // The newcomer as a context of the clusters that are there.
        add_context(&mut self.losses, &mut self.buffer, &mut self.follows, place, &newcomer.left);
        add_context(&mut self.losses, &mut self.buffer, &mut self.precedes, place, &newcomer.right);

        let sum = |counts: &[(u32, u64)]| counts.iter().map(|&(_, n)| n as f64).sum::<f64>() + own;
        self.follows.present[place] = sum(&newcomer.right);
        self.precedes.present[place] = sum(&newcomer.left);
        // Whoever is never seen on a side has no counts there, and then any sum will do.
        self.follows.sums[place] = newcomer.left_sum.max(1) as f64;
        self.precedes.sums[place] = newcomer.right_sum.max(1) as f64;

        // The newcomer as a cluster.
        self.active[place] = true;
        self.buffer.fill(0.0);
        for (side, counts) in [(&self.follows, &newcomer.right), (&self.precedes, &newcomer.left)] {
            let contexts = counts.iter().map(|&(d, _)| d as usize).chain([place]);
            for d in contexts {
                let row = d * width..(d + 1) * width;
                let (counts, terms) = (&side.counts[row.clone()], &side.terms[row]);
                lanes::add_joint(&mut self.buffer, counts[place], terms[place], counts, terms);
            }
        }
        direct(&self.follows, &self.precedes, &self.diagonal, place, &mut self.buffer);
        for other in 0..width {
            if self.active[other] && other != place {
                let (low, high) = (other.min(place), other.max(place));
                self.losses[low * width + high] = self.buffer[other];
            }
        }
    }

    #[inline(always)]
    fn merge_inline(&mut self, kept: usize, gone: usize) {
        let width = self.width;
        self.before.fill(0.0);
        direct(&self.follows, &self.precedes, &self.diagonal, kept, &mut self.before);
        join_contexts(&mut self.losses, &mut self.buffer, &mut self.follows, kept, gone);
        join_contexts(&mut self.losses, &mut self.buffer, &mut self.precedes, kept, gone);

        self.buffer.fill(0.0);
        for side in [&mut self.follows, &mut self.precedes] {
            for d in 0..width {
                let row = d * width..(d + 1) * width;
                let more = side.counts[d * width + gone];
                if more != 0.0 {
                    let counts = &side.counts[row];
                    lanes::add_growth(&mut self.buffer, counts[kept], more, counts);
                    side.set(d * width + kept, side.counts[d * width + kept] + more);
                    side.set(d * width + gone, 0.0);
                }
            }
            side.present[kept] += std::mem::take(&mut side.present[gone]);
            side.sums[kept] += std::mem::replace(&mut side.sums[gone], 1.0);
        }
        self.diagonal[kept] = self.follows.counts[kept * width + kept];
        self.diagonal[gone] = 0.0;
        self.buffer.iter_mut().zip(&self.before).for_each(|(change, before)| *change -= before);
        direct(&self.follows, &self.precedes, &self.diagonal, kept, &mut self.buffer);
        add_to_losses(&mut self.losses, &self.buffer, kept, |_| true);
        self.active[gone] = false;
        for other in 0..width {
            let (low, high) = (other.min(gone), other.max(gone));
            self.losses[low * width + high] = f64::INFINITY;
        }
    }

    #[inline(always)]
    fn cheapest_inline(&self) -> Option<(usize, usize, f64)> {
        let width = self.width;
        let (mut least, mut at) = (f64::INFINITY, None);
        for a in 0..width {
            if self.active[a] {
                let found = lanes::smallest(&self.losses[a * width + a + 1..(a + 1) * width]);
                if found < least {
                    (least, at) = (found, Some(a));
                }
            }
        }
        let a = at?;
        let row = &self.losses[a * width..(a + 1) * width];
        let b = (a + 1..width).find(|&b| row[b] == least)?;
        Some((a, b, least))
    }

    #[cfg(test)]
    pub(super) fn loss(&self, a: usize, b: usize) -> f64 {
        self.losses[a.min(b) * self.width + a.max(b)]
    }
}

/// Adds `changes` to the losses of merging `a` with each `b`; with those below `a` only if `wanted`.
#[inline(always)]
fn add_to_losses(losses: &mut [f64], changes: &[f64], a: usize, wanted: impl Fn(usize) -> bool) {
    let width = changes.len();
    let row = &mut losses[a * width + a + 1..(a + 1) * width];
    row.iter_mut().zip(&changes[a + 1..]).for_each(|(loss, change)| *loss += change);
    for b in 0..a {
        if wanted(b) {
            losses[b * width + a] += changes[b];
        }
    }
}

/// Adds the context `d`, whose counts with clusters `counts` are in the table already.
#[inline(always)]
fn add_context(losses: &mut [f64], buffer: &mut [f64], side: &mut Side, d: usize, counts: &[(u32, u64)]) {
    let width = buffer.len();
    let row = d * width..(d + 1) * width;
    for &(a, n) in counts {
        let (a, n) = (a as usize, n as f64);
        buffer.fill(0.0);
        lanes::add_marginal(buffer, n, side.sums[a], &side.sums);
        let (counts, terms) = (&side.counts[row.clone()], &side.terms[row.clone()]);
        // A pair's joint term is added once, by the first of the two.
        lanes::add_joint(&mut buffer[a + 1..], n, terms[a], &counts[a + 1..], &terms[a + 1..]);
        add_to_losses(losses, buffer, a, |_| true);
        side.present[a] += n;
    }
}

/// Makes two contexts one.
#[inline(always)]
fn join_contexts(losses: &mut [f64], buffer: &mut [f64], side: &mut Side, kept: usize, gone: usize) {
    let width = buffer.len();
    let mut own = vec![0.0; width];
    for (b, own) in own.iter_mut().enumerate() {
        let (i, j) = (kept * width + b, gone * width + b);
        *own = lanes::term(side.counts[i] + side.counts[j]) - (side.terms[i] + side.terms[j]);
    }
    let (of_kept, of_gone) =
        (&side.counts[kept * width..(kept + 1) * width], &side.counts[gone * width..(gone + 1) * width]);
    for a in 0..width {
        if of_gone[a] != 0.0 && a != gone {
            buffer.fill(0.0);
            lanes::joined(buffer, [of_kept[a], of_gone[a]], of_kept, of_gone, &own);
            // A pair that both have counts in `gone` is changed once, by the first of the two.
            add_to_losses(losses, buffer, a, |b| of_gone[b] == 0.0);
        }
    }
    for b in 0..width {
        let count = side.counts[gone * width + b];
        if count != 0.0 {
            side.set(kept * width + b, side.counts[kept * width + b] + count);
            side.set(gone * width + b, 0.0);
        }
    }
}

/// Adds the terms of `a` and each `b` that no other cluster has a part in.
#[inline(always)]
fn direct(follows: &Side, precedes: &Side, diagonal: &[f64], a: usize, out: &mut [f64]) {
    use lanes::term;
    let width = out.len();
    let row = a * width..(a + 1) * width;
    // n(b,a) and n(a,b) for all b.
    let (before, after) = (&follows.counts[row.clone()], &precedes.counts[row.clone()]);
    let (before_terms, after_terms) = (&follows.terms[row.clone()], &precedes.terms[row]);
    let aa = diagonal[a];
    let own = term(aa);
    for b in 0..width {
        let (ba, ab, bb) = (before[b], after[b], diagonal[b]);
        let single = (own + term(bb)) + (before_terms[b] + after_terms[b]);
        let double = (term(aa + ba) + term(ab + bb)) + (term(aa + ab) + term(ba + bb));
        out[b] += (double - single) - term((aa + bb) + (ab + ba));
    }
    for side in [follows, precedes] {
        let (weight, sum) = (side.present[a], side.sums[a]);
        let own = lanes::log(sum);
        for b in 0..width {
            let (weight_b, sum_b) = (side.present[b], side.sums[b]);
            let joint = lanes::log(sum + sum_b);
            out[b] += weight * (joint - own) + weight_b * (joint - lanes::log(sum_b));
        }
    }
}
