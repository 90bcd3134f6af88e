//! Greedy merging checked against an implementation that recomputes everything.

use corpus::cooccurrence::PairCounts;
use corpus::ids::Id;

use super::window::{Merged, merge_in_window};
use crate::clusters::brown;
use crate::clusters::kernel::Kernel;
use crate::clusters::truth::{brown_model, random_counts, same_partition};
use models::learn::{Progress, Silent};

fn merged(counts: &PairCounts, clusters: usize, kernel: Kernel) -> Merged {
    merge_in_window(counts, clusters, 1, kernel, &mut Progress::new(&mut Silent)).unwrap()
}

/// The mutual information of groups of items: only pairs of these items, with item probabilities of the whole text.
fn information(counts: &PairCounts, groups: &[Vec<usize>]) -> f64 {
    let (left, right, total) = (counts.left_sums(), counts.right_sums(), counts.total() as f64);
    let count = |a: &[usize], b: &[usize]| -> u64 {
        let row = |&item: &usize| counts.row(item).filter(|&(other, _)| b.contains(&(other as usize)));
        a.iter().flat_map(row).map(|(_, count)| count).sum()
    };
    let mut sum = 0.0;
    for a in groups {
        for b in groups {
            let joint = count(a, b) as f64;
            if joint > 0.0 {
                let before: u64 = a.iter().map(|&item| left[item]).sum();
                let after: u64 = b.iter().map(|&item| right[item]).sum();
                sum += joint / total * (joint * total / (before as f64 * after as f64)).ln();
            }
        }
    }
    sum
}

/// Items.
type Group = Vec<usize>;

/// Brown's algorithm by definition: the groups of items after the window, and all merges with losses as groups of
/// items.
fn naive(counts: &PairCounts, clusters: usize) -> (Vec<Group>, Vec<(Group, f64)>) {
    let mut groups: Vec<Group> = Vec::new();
    let mut merges = Vec::new();
    let mut merge = |groups: &mut Vec<Group>| {
        let before = information(counts, groups);
        let (mut least, mut best) = (f64::INFINITY, Vec::new());
        for a in 0..groups.len() {
            for b in 0..a {
                let mut tried = groups.clone();
                let gone = tried.remove(a);
                tried[b].extend(gone);
                tried[b].sort_unstable();
                let loss = before - information(counts, &tried);
                if loss < least {
                    (least, best) = (loss, vec![(tried[b].clone(), tried)]);
                }
            }
        }
        let (group, tried) = best.pop().unwrap();
        merges.push((group, least));
        *groups = tried;
    };
    for item in 0..counts.words() {
        groups.push(vec![item]);
        if groups.len() > clusters {
            merge(&mut groups);
        }
    }
    let window = groups.clone();
    while groups.len() > 1 {
        merge(&mut groups);
    }
    (window, merges)
}

#[test]
fn merges_are_those_of_the_definition() {
    for (words, clusters, density, seed) in [
        (24, 6, 0.5, 1),
        (30, 9, 0.25, 2),
        (26, 1, 0.4, 3),
        (18, 18, 0.6, 4),
        (25, 12, 0.9, 5),
        (40, 5, 0.1, 6),
    ] {
        let counts = random_counts(words, density, seed);
        let (groups, merges) = naive(&counts, clusters);
        let found = merged(&counts, clusters, Kernel::detect());
        let mut group_of = vec![0; words];
        for (group, items) in groups.iter().enumerate() {
            items.iter().for_each(|&item| group_of[item] = group);
        }
        assert!(same_partition(&found.assignment, &group_of), "seed {seed}");
        assert_eq!(found.losses.len(), merges.len());
        for ((_, expected), loss) in merges.iter().zip(&found.losses) {
            assert!((expected - loss).abs() < 1e-10, "seed {seed}: {expected} {loss}");
        }
        // The items under each node of the tree.
        let mut nodes = vec![Vec::new(); groups.len()];
        for (item, cluster) in found.assignment.iter().enumerate() {
            nodes[cluster.index()].push(item);
        }
        for (merge, (expected, _)) in found.merges.iter().zip(&merges[words - groups.len()..]) {
            let mut items = [nodes[merge[0] as usize].clone(), nodes[merge[1] as usize].clone()].concat();
            items.sort_unstable();
            assert_eq!(&items, expected, "seed {seed}");
            nodes.push(items);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn all_processors_and_threads_make_the_same_merges() {
    let counts = random_counts(600, 0.2, 7);
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let one = pool(1).install(|| merged(&counts, 290, Kernel::Portable));
    let two = pool(2).install(|| merged(&counts, 290, Kernel::detect()));
    assert_eq!(one, two);
    assert_eq!(one.losses.len(), 599);
}

#[test]
fn clear_clusters_are_found() {
    for seed in 0..5 {
        let (counts, truth) = brown_model(90, 6, seed);
        let hierarchy = brown(&counts, 6, &mut Progress::new(&mut Silent)).unwrap();
        assert!(same_partition(hierarchy.assignment(), &truth), "seed {seed}");
    }
}

#[test]
fn words_without_neighbours_do_no_harm() {
    let counts = PairCounts::from_pairs(5, vec![(0, 1), (1, 0), (0, 1)]);
    for clusters in 1..7 {
        let found = merged(&counts, clusters, Kernel::detect());
        assert_eq!(found.merges.len() + 1, clusters.min(5));
        assert!(found.losses.iter().all(|loss| loss.is_finite()));
    }
    assert!(merged(&PairCounts::empty(0), 3, Kernel::detect()).assignment.is_empty());
}
