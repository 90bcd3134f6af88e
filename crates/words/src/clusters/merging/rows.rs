//! Updates of a row of losses, for each kind of processor.

use super::lanes::{self, term};
use super::table::Side;
use crate::clusters::kernel::for_each_kernel;

/// Entries at certain columns, stored contiguously.
#[derive(Debug, Default)]
struct Columns {
    at: Vec<usize>,
    counts: Vec<f64>,
    others: Vec<f64>,
    terms: Vec<f64>,
    sums: Vec<f64>,
    logs: Vec<f64>,
}

impl Columns {
    /// The number of entries at `a` or before.
    fn up_to(&self, a: usize) -> usize {
        self.at.partition_point(|&at| at <= a)
    }

    /// Adds the values of `buffer` to their columns in `row`, from the entry `first` on.
    #[inline(always)]
    fn scatter(&self, first: usize, buffer: &[f64], row: &mut [f64]) {
        for (&at, change) in self.at[first..].iter().zip(&buffer[first..]) {
            row[at] += change;
        }
    }
}

/// A new context with its counts per cluster.
#[derive(Debug)]
pub(super) struct Context<'a> {
    counts: &'a [f64],
    terms: &'a [f64],
    sums: &'a [f64],
    columns: Columns,
}

impl<'a> Context<'a> {
    /// The context `d`, whose counts per cluster are `counts`.
    pub(super) fn new(side: &'a Side, width: usize, used: usize, d: usize, counts: &[(u32, u64)]) -> Self {
        let mut at: Vec<usize> = counts.iter().map(|&(a, _)| a as usize).collect();
        at.sort_unstable();
        let row = d * width..d * width + used;
        let (counts, terms) = (&side.counts[row.clone()], &side.terms[row]);
        let gather = |values: &[f64]| at.iter().map(|&a| values[a]).collect();
        let columns = Columns {
            counts: gather(counts),
            terms: gather(terms),
            sums: gather(&side.sums),
            logs: at.iter().map(|&a| lanes::log(side.sums[a])).collect(),
            others: Vec::new(),
            at,
        };
        Self { counts, terms, sums: &side.sums[..used], columns }
    }
}

for_each_kernel! {
    /// Adds a context's terms to the losses of `a` with all later clusters.
    pub(super) fn add_context(context: &Context<'_>, a: usize, row: &mut [f64], buffer: &mut [f64]) {
        let Context { counts, terms, sums, columns } = context;
        let first = columns.up_to(a);
        let buffer = &mut buffer[..columns.at.len()];
        buffer.fill(0.0);
        let (weights, others, logs) = (&columns.counts[first..], &columns.sums[first..], &columns.logs[first..]);
        lanes::add_marginals(&mut buffer[first..], weights, sums[a], others, logs);
        if counts[a] != 0.0 {
            lanes::add_marginal(&mut row[a + 1..], counts[a], sums[a], &sums[a + 1..]);
            let (others, other_terms) = (&columns.counts[first..], &columns.terms[first..]);
            lanes::add_joint(&mut buffer[first..], counts[a], terms[a], others, other_terms);
        }
        columns.scatter(first, buffer, row);
    }
}

/// Two contexts that become one.
#[derive(Debug)]
pub(super) struct Joining {
    kept: Vec<f64>,
    gone: Vec<f64>,
    own: Vec<f64>,
    columns: Columns,
}

impl Joining {
    /// The context `gone` joins `kept`.
    pub(super) fn new(side: &Side, width: usize, used: usize, kept: usize, gone: usize) -> Self {
        let row = |d: usize| d * width..d * width + used;
        let of_kept = side.counts[row(kept)].to_vec();
        let of_gone = side.counts[row(gone)].to_vec();
        let terms = side.terms[row(kept)].iter().zip(&side.terms[row(gone)]);
        let both = of_kept.iter().zip(&of_gone);
        let own: Vec<f64> = both.zip(terms).map(|((i, j), (gi, gj))| term(i + j) - (gi + gj)).collect();
        let at: Vec<usize> = (0..used).filter(|&b| of_gone[b] != 0.0 && b != gone).collect();
        let gather = |values: &[f64]| at.iter().map(|&b| values[b]).collect();
        let columns = Columns {
            counts: gather(&of_kept),
            others: gather(&of_gone),
            terms: gather(&own),
            sums: Vec::new(),
            logs: Vec::new(),
            at,
        };
        Self { kept: of_kept, gone: of_gone, own, columns }
    }

    /// The number of clusters with counts in the context that disappears.
    pub(super) fn len(&self) -> usize {
        self.columns.at.len()
    }
}

for_each_kernel! {
    /// Updates the losses of `a` with all later clusters when two contexts become one.
    pub(super) fn join_contexts(joining: &Joining, a: usize, row: &mut [f64], buffer: &mut [f64]) {
        let Joining { kept, gone, own, columns } = joining;
        let mine = [kept[a], gone[a]];
        if gone[a] != 0.0 {
            let from = a + 1;
            lanes::joined(&mut row[from..], mine, &kept[from..], &gone[from..], &own[from..]);
        } else {
            let first = columns.up_to(a);
            let buffer = &mut buffer[..columns.at.len()];
            buffer.fill(0.0);
            let (kept, gone) = (&columns.counts[first..], &columns.others[first..]);
            lanes::joined(&mut buffer[first..], mine, kept, gone, &columns.terms[first..]);
            columns.scatter(first, buffer, row);
        }
    }
}

/// The contexts of one cluster.
#[derive(Debug)]
pub(super) struct Joint<'a> {
    side: &'a Side,
    /// The start of each context's row, and the cluster's count in it; for growth also the increase.
    contexts: Vec<(usize, f64, f64)>,
}

impl<'a> Joint<'a> {
    /// The contexts of `a`, with terms.
    pub(super) fn of(side: &'a Side, width: usize, used: usize, a: usize) -> Self {
        let cells = (0..used).map(|d| (d * width, side.counts[d * width + a], side.terms[d * width + a]));
        Self { side, contexts: cells.filter(|cell| cell.1 != 0.0).collect() }
    }

    /// The contexts of `kept` that grow when `gone` is merged into it.
    pub(super) fn growth_of(side: &'a Side, width: usize, used: usize, kept: usize, gone: usize) -> Self {
        let cells =
            (0..used).map(|d| (d * width, side.counts[d * width + kept], side.counts[d * width + gone]));
        Self { side, contexts: cells.filter(|cell| cell.2 != 0.0).collect() }
    }

    /// The number of contexts.
    pub(super) fn len(&self) -> usize {
        self.contexts.len()
    }
}

for_each_kernel! {
    /// Adds the joint terms of a cluster with those from `from` on.
    pub(super) fn add_joints(joint: &Joint<'_>, from: usize, out: &mut [f64]) {
        for &(row, count, own) in &joint.contexts {
            let cells = row + from..row + from + out.len();
            lanes::add_joint(out, count, own, &joint.side.counts[cells.clone()], &joint.side.terms[cells]);
        }
    }
}

for_each_kernel! {
    /// Adds the changes of a cluster's joint terms with those from `from` on when it grows.
    pub(super) fn add_growths(joint: &Joint<'_>, from: usize, out: &mut [f64]) {
        for &(row, count, more) in &joint.contexts {
            let cells = row + from..row + from + out.len();
            lanes::add_growth(out, count, more, &joint.side.counts[cells]);
        }
    }
}

/// A cluster among all others.
#[derive(Debug)]
pub(super) struct Pair<'a> {
    pub(super) follows: &'a Side,
    pub(super) precedes: &'a Side,
    pub(super) diagonal: &'a [f64],
    pub(super) width: usize,
    pub(super) used: usize,
    pub(super) a: usize,
}

for_each_kernel! {
    /// Adds the terms of a cluster with each other cluster that involve no third cluster.
    pub(super) fn add_direct(pair: &Pair<'_>, out: &mut [f64]) {
        let &Pair { follows, precedes, diagonal, width, used, a } = pair;
        let row = a * width..a * width + used;
        let out = &mut out[..used];
        let diagonal = &diagonal[..used];
        // n(b,a) and n(a,b) for all b.
        let (before, after) = (&follows.counts[row.clone()], &precedes.counts[row.clone()]);
        let (before_terms, after_terms) = (&follows.terms[row.clone()], &precedes.terms[row]);
        let aa = diagonal[a];
        let own = term(aa);
        for b in 0..used {
            let (ba, ab, bb) = (before[b], after[b], diagonal[b]);
            let single = (own + term(bb)) + (before_terms[b] + after_terms[b]);
            let double = (term(aa + ba) + term(ab + bb)) + (term(aa + ab) + term(ba + bb));
            out[b] += (double - single) - term((aa + bb) + (ab + ba));
        }
        for side in [follows, precedes] {
            let (weights, sums) = (&side.present[..used], &side.sums[..used]);
            lanes::add_marginal(out, weights[a], sums[a], sums);
            lanes::add_marginals(out, weights, sums[a], sums, &side.logs[..used]);
        }
    }
}

for_each_kernel! {
    /// The smallest value.
    pub(super) fn smallest(row: &[f64], least: &mut f64) {
        *least = lanes::smallest(row);
    }
}
