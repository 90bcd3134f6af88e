//! Properties of Ward's clustering.

use corpus::ids::Id;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::window::{ward, ward_by};
use crate::clusters::kernel::Kernel;
use crate::clusters::{ClusterId, Embedding, Hierarchy};
use models::learn::{Observer, Progress, Silent};

/// Random directions near a few centres, and decreasing weights.
fn random(words: usize, dimension: usize, seed: u64) -> (Embedding, Vec<u64>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let centres: Vec<f64> = (0..7 * dimension).map(|_| rng.random_range(-1.0..1.0)).collect();
    let values: Vec<f64> = (0..words * dimension)
        .map(|at| centres[(at / dimension % 7) * dimension + at % dimension] + rng.random_range(-0.7..0.7))
        .collect();
    let embedding = Embedding::from_rows(words, dimension, |word, at| values[word * dimension + at]);
    let weights = (0..words).map(|word| 100_000 / (word as u64 + 1) + rng.random_range(1..5)).collect();
    (embedding, weights)
}

fn run(embedding: &Embedding, weights: &[u64], clusters: usize, kernel: Kernel) -> Hierarchy {
    ward_by(embedding, weights, clusters, kernel, &mut Progress::new(&mut Silent)).unwrap()
}

/// A cluster of the reference implementation.
struct Cluster {
    node: u32,
    weight: u64,
    mean: Vec<f64>,
    words: Vec<usize>,
}

/// Merges the nearest pair, with distances recomputed from the means (Eq. 2): returns the merged nodes, the heavier
/// first.
fn merge_nearest(active: &mut Vec<Cluster>, made: u32) -> [u32; 2] {
    let mut best = (f64::INFINITY, 0, 0);
    for a in 0..active.len() {
        for b in 0..a {
            let [wa, wb] = [a, b].map(|at| active[at].weight as f64);
            let squares = active[a].mean.iter().zip(&active[b].mean).map(|(x, y)| (x - y) * (x - y));
            let distance = wa * wb / (wa + wb) * squares.sum::<f64>();
            if distance < best.0 {
                best = (distance, a, b);
            }
        }
    }
    let other = active.swap_remove(best.1);
    let one = &mut active[best.2];
    let heavy = (one.weight, other.node) >= (other.weight, one.node);
    let merge = if heavy { [one.node, other.node] } else { [other.node, one.node] };
    let (wa, wb) = (one.weight as f64, other.weight as f64);
    one.mean.iter_mut().zip(&other.mean).for_each(|(x, y)| *x = (wa * *x + wb * y) / (wa + wb));
    one.weight += other.weight;
    one.words.extend(other.words);
    one.node = made;
    merge
}

/// The algorithm as the paper states it.
fn reference(embedding: &Embedding, weights: &[u64], clusters: usize) -> Hierarchy {
    let words = embedding.words();
    let (mut active, mut inner) = (Vec::new(), Vec::new());
    for (word, &weight) in weights.iter().enumerate() {
        let mean = embedding.row(word).iter().map(|&value| f64::from(value)).collect();
        active.push(Cluster { node: word as u32, weight, mean, words: vec![word] });
        if active.len() > clusters {
            let made = (words + inner.len()) as u32;
            inner.push(merge_nearest(&mut active, made));
        }
    }
    active.sort_by_key(|cluster| (std::cmp::Reverse(cluster.weight), cluster.words.iter().min().copied()));
    let mut assignment = vec![ClusterId::new(0).unwrap(); words];
    for (name, cluster) in active.iter_mut().enumerate() {
        cluster.node = name as u32;
        cluster.words.iter().for_each(|&word| assignment[word] = ClusterId::new(name).unwrap());
    }
    let leaves = active.len();
    let mut merges = Vec::new();
    while active.len() > 1 {
        let made = (leaves + merges.len()) as u32;
        merges.push(merge_nearest(&mut active, made));
    }
    Hierarchy::new(assignment, merges).unwrap().with_inner_merges(inner).unwrap()
}

#[test]
fn it_makes_the_merges_of_the_plain_algorithm() {
    for (seed, words, dimension, clusters) in [
        (1, 150, 9, 20),
        (2, 150, 3, 1),
        (3, 200, 16, 60),
        (4, 90, 5, 89),
        (5, 70, 8, 70),
        (6, 40, 2, 9),
        (7, 1, 3, 4),
        (8, 2, 3, 1),
    ] {
        let (embedding, weights) = random(words, dimension, seed);
        for weights in [weights, vec![1; words]] {
            let found = run(&embedding, &weights, clusters, Kernel::detect());
            assert_eq!(found.inner_merges().len() + found.merges().len() + 1, words);
            assert_eq!(found, reference(&embedding, &weights, clusters), "case {seed}");
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn all_processors_find_the_same_clusters() {
    if Kernel::detect() == Kernel::Portable {
        eprintln!("SKIPPED: this processor has no AVX2");
        return;
    }
    let (embedding, weights) = random(1500, 43, 11);
    let [portable, vectors] =
        [Kernel::Portable, Kernel::Avx2].map(|kernel| run(&embedding, &weights, 101, kernel));
    assert_eq!(portable, vectors);
}

#[test]
fn threads_do_not_matter() {
    let (embedding, weights) = random(1500, 43, 12);
    let [one, two] = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&embedding, &weights, 77, Kernel::detect()))
    });
    assert_eq!(one, two);
}

#[test]
fn words_all_alike_make_a_tree_too() {
    let embedding = Embedding::from_rows(300, 4, |_, _| 0.0);
    let hierarchy = run(&embedding, &[0; 300], 10, Kernel::detect());
    assert_eq!((hierarchy.clusters(), hierarchy.words()), (10, 300));
}

#[test]
fn what_does_not_fit_is_refused_and_it_stops_when_told() {
    struct Impatient;
    impl Observer for Impatient {
        fn cancelled(&self) -> bool {
            true
        }
    }
    let (embedding, weights) = random(20, 3, 13);
    let mut silent = Silent;
    let mut progress = Progress::new(&mut silent);
    assert!(ward(&embedding, &weights[1..], 4, &mut progress).unwrap_err().is_bad_config());
    assert!(ward(&embedding, &weights, 0, &mut progress).unwrap_err().is_bad_config());
    let stopped = ward(&embedding, &weights, 4, &mut Progress::new(&mut Impatient));
    assert!(stopped.unwrap_err().is_cancelled());
}
