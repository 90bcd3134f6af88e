//! Greedy merging of items that enter a window of clusters one by one.

use corpus::cooccurrence::PairCounts;
use corpus::ids::Id;

use super::table::{LossTable, Newcomer};
use crate::clusters::ClusterId;
use crate::clusters::kernel::Kernel;
use models::learn::{LearnError, Progress};

/// Items in clusters, and the merges of these to one.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Merged {
    /// The cluster of each item; clusters are numbered by decreasing frequency.
    pub(crate) assignment: Vec<ClusterId>,
    /// As in [`Hierarchy`](crate::clusters::Hierarchy): the more frequent child first.
    pub(crate) merges: Vec<[u32; 2]>,
    /// The loss of mutual information of each merge, among the clusters present, in nats: first the merges that form
    /// the clusters, then those that form the tree.
    pub(crate) losses: Vec<f64>,
}

/// Marks an item without a slot.
const NOWHERE: u32 = u32::MAX;

/// When the losses of a new cluster are computed.
enum Losses {
    Now,
    Later,
}

/// The active clusters.
struct Window<'a> {
    right: &'a PairCounts,
    left: PairCounts,
    table: LossTable,
    /// The slot of each item that has entered.
    places: Vec<u32>,
    /// The items in each slot.
    members: Vec<Vec<u32>>,
    weights: Vec<u64>,
    newcomer: Newcomer,
    tally: Vec<u64>,
}

/// The units of progress that [`merge_in_window`] reports.
pub(crate) fn work(items: usize, clusters: usize) -> u64 {
    (items + clusters.min(items).saturating_sub(1)) as u64
}

/// Merges items, in order, into `clusters` clusters, and these until there are `until`. Whenever there is one cluster
/// too many, the two whose merge loses the least mutual information are merged (Brown et al. 1992).
pub(crate) fn merge_in_window(
    counts: &PairCounts,
    clusters: usize,
    until: usize,
    kernel: Kernel,
    progress: &mut Progress<'_>,
) -> Result<Merged, LearnError> {
    let items = counts.words();
    let clusters = clusters.clamp(1, items.max(1));
    let places = (clusters + 1).min(items);
    let mut window = Window {
        right: counts,
        left: counts.transposed(),
        table: LossTable::new(places, kernel),
        places: vec![NOWHERE; items],
        members: vec![Vec::new(); places],
        weights: vec![0; places],
        newcomer: Newcomer::default(),
        tally: vec![0; places],
    };
    let total = (counts.total() as f64).max(1.0);
    let mut losses = Vec::with_capacity(items);
    let mut free = 0;
    for item in 0..items {
        window.admit(item, free, if item < clusters { Losses::Later } else { Losses::Now });
        free += 1;
        if item + 1 == clusters {
            window.table.fill();
        }
        if item >= clusters {
            let (_, gone, loss) = window.merge_cheapest().expect("there are at least two clusters");
            losses.push(loss / total);
            free = gone;
        }
        if item % 16 == 15 {
            progress.advance(16)?;
        }
    }
    progress.advance(items as u64 % 16)?;

    let mut order: Vec<usize> = (0..places).filter(|&place| !window.members[place].is_empty()).collect();
    order.sort_by_key(|&place| {
        (std::cmp::Reverse(window.weights[place]), window.members[place].iter().min().copied())
    });
    let mut nodes = vec![0u32; places];
    for (name, &place) in order.iter().enumerate() {
        nodes[place] = name as u32;
    }
    let cluster = |&place: &u32| ClusterId::new(nodes[place as usize] as usize).expect("no more than items");
    let assignment = window.places.iter().map(cluster).collect();
    let mut merges = Vec::with_capacity(order.len());
    for made in 1..=order.len().saturating_sub(until) {
        let weights = window.weights.clone();
        let (kept, gone, loss) = window.merge_cheapest().expect("there are at least two clusters");
        let heavy = (weights[kept], nodes[gone]) >= (weights[gone], nodes[kept]);
        merges.push(if heavy { [nodes[kept], nodes[gone]] } else { [nodes[gone], nodes[kept]] });
        nodes[kept] = (order.len() + made - 1) as u32;
        losses.push(loss / total);
        if window.table.is_sparse() {
            let old = window.table.compact();
            nodes = old.iter().map(|&place| nodes[place]).collect();
            window.weights = old.iter().map(|&place| window.weights[place]).collect();
            window.members = old.iter().map(|&place| std::mem::take(&mut window.members[place])).collect();
        }
        progress.advance(1)?;
    }
    Ok(Merged { assignment, merges, losses })
}

impl Window<'_> {
    /// Adds an item as a cluster in a free slot.
    fn admit(&mut self, item: usize, place: usize, losses: Losses) {
        let Self { right, left, newcomer, tally, places, .. } = self;
        (newcomer.own, newcomer.left_sum) = list(right, item, places, tally, &mut newcomer.right);
        (_, newcomer.right_sum) = list(left, item, places, tally, &mut newcomer.left);
        match losses {
            Losses::Now => self.table.add(place, newcomer),
            Losses::Later => self.table.place(place, newcomer),
        }
        self.weights[place] = newcomer.left_sum.max(newcomer.right_sum);
        self.members[place].push(item as u32);
        self.places[item] = place as u32;
    }

    /// Merges the two cheapest clusters; returns the slot of the larger one, which is kept, that of the other, and the
    /// cost.
    fn merge_cheapest(&mut self) -> Option<(usize, usize, f64)> {
        let (a, b, loss) = self.table.cheapest()?;
        let (kept, gone) = if self.members[a].len() >= self.members[b].len() { (a, b) } else { (b, a) };
        self.table.merge(kept, gone);
        let moved = std::mem::take(&mut self.members[gone]);
        for &item in &moved {
            self.places[item as usize] = kept as u32;
        }
        self.members[kept].extend(moved);
        self.weights[kept] += std::mem::take(&mut self.weights[gone]);
        Some((kept, gone, loss))
    }
}

/// Lists the slots in a row except its own; returns the count with itself and the sum of all. `tally` is all 0 before
/// and after.
fn list(
    counts: &PairCounts,
    item: usize,
    places: &[u32],
    tally: &mut [u64],
    out: &mut Vec<(u32, u64)>,
) -> (u64, u64) {
    out.clear();
    let (mut own, mut sum) = (0, 0);
    for (other, count) in counts.row(item) {
        sum += count;
        if other as usize == item {
            own = count;
            continue;
        }
        let place = places[other as usize];
        if place != NOWHERE {
            let count_here = &mut tally[place as usize];
            if *count_here == 0 {
                out.push((place, 0));
            }
            *count_here += count;
        }
    }
    for (place, count) in out {
        *count = std::mem::take(&mut tally[*place as usize]);
    }
    (own, sum)
}
