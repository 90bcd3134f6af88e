//! Hard states: k-means of projected nodes.
//!
//! The rows `[Y; Z]` of a symbol's nodes, each column brought to variance one and weighted by its singular value's share,
//! are clustered into as many clusters as the symbol has dimensions. Counting nodes by cluster gives a model whose
//! numbers are probabilities.

use linalg::Panel;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::states::States;
use super::treebank::Treebank;

const ROUNDS: usize = 15;

/// Assigns every node to a state.
pub(super) fn cluster(bank: &Treebank, states: &States<f32>, seed: u64) -> States<f32> {
    let mut order: Vec<usize> = (0..bank.sites.len()).collect();
    order.sort_by_key(|&symbol| std::cmp::Reverse(bank.sites[symbol].len()));
    let mut assigned: Vec<(usize, usize, Vec<u32>)> = order
        .into_par_iter()
        .with_max_len(1)
        .map(|symbol| {
            let (dim, assigned) =
                assign(&states.inside[symbol], &states.outside[symbol], seed ^ symbol as u64);
            (symbol, dim, assigned)
        })
        .collect();
    assigned.sort_by_key(|&(symbol, ..)| symbol);
    let dims: Vec<usize> = assigned.iter().map(|&(_, dim, _)| dim).collect();
    let state: Vec<Vec<u32>> = assigned.into_iter().map(|(.., assigned)| assigned).collect();
    States { spectra: states.spectra.clone(), ..States::hard(bank, &dims, &state) }
}

/// The number of clusters that are left, and the cluster of each row.
fn assign(inside: &Panel<f32>, outside: &Panel<f32>, seed: u64) -> (usize, Vec<u32>) {
    let (n, k) = (inside.nrows(), inside.width());
    if k <= 1 || n == 0 {
        return (1, vec![0; n]);
    }
    let width = (2 * k).next_multiple_of(8);
    let mut rows = vec![0.0_f32; n * width];
    for (part, panel) in [inside, outside].into_iter().enumerate() {
        for column in 0..k {
            let values = (0..n).map(|row| f64::from(panel.row(row)[column]));
            let mean = values.clone().sum::<f64>() / n as f64;
            let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / n as f64;
            let scale = if variance > 0.0 { variance.sqrt().recip() } else { 0.0 };
            for row in 0..n {
                let value = ((f64::from(panel.row(row)[column]) - mean) * scale).clamp(-LIMIT, LIMIT);
                rows[row * width + part * k + column] = value as f32;
            }
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut centres = start(&rows, width, k, &mut rng);
    let mut assigned = vec![0_u32; n];
    for _ in 0..ROUNDS {
        let mut moved = 0;
        let norms: Vec<f32> =
            centres.chunks_exact(width).map(|centre| 0.5 * product(centre, centre)).collect();
        for (row, cluster) in rows.chunks_exact(width).zip(&mut assigned) {
            let mut best = (f32::INFINITY, 0);
            for (at, centre) in centres.chunks_exact(width).enumerate() {
                let distance = norms[at] - product(row, centre);
                if distance < best.0 {
                    best = (distance, at as u32);
                }
            }
            moved += usize::from(*cluster != best.1);
            *cluster = best.1;
        }
        let mut counts = vec![0.0_f32; k];
        centres.fill(0.0);
        for (row, &cluster) in rows.chunks_exact(width).zip(&assigned) {
            counts[cluster as usize] += 1.0;
            let centre = &mut centres[cluster as usize * width..][..width];
            centre.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        }
        for (centre, &count) in centres.chunks_exact_mut(width).zip(&counts) {
            centre.iter_mut().for_each(|value| *value /= count.max(1.0));
        }
        if moved * 1000 < n {
            break;
        }
    }
    renumber(k, assigned)
}

/// Projections have long tails; beyond so many standard deviations a node is just extreme.
const LIMIT: f64 = 4.0;

/// Starting centres by k-means++ on a sample.
fn start(rows: &[f32], width: usize, k: usize, rng: &mut ChaCha8Rng) -> Vec<f32> {
    let n = rows.len() / width;
    let row = |at: usize| &rows[at * width..][..width];
    let mut centres = row(rng.random_range(0..n)).to_vec();
    let mut distances = vec![f32::INFINITY; n];
    while centres.len() < k * width {
        let newest = &centres[centres.len() - width..];
        for (at, distance) in distances.iter_mut().enumerate() {
            let d: f32 = row(at).iter().zip(newest).map(|(a, b)| (a - b) * (a - b)).sum();
            *distance = distance.min(d);
        }
        let total: f64 = distances.iter().map(|&d| f64::from(d)).sum();
        let mut wanted = rng.random::<f64>() * total;
        let mut chosen = n - 1;
        for (at, &distance) in distances.iter().enumerate() {
            wanted -= f64::from(distance);
            if wanted <= 0.0 {
                chosen = at;
                break;
            }
        }
        centres.extend_from_slice(row(chosen));
    }
    centres
}

/// Drops empty clusters.
fn renumber(k: usize, mut assigned: Vec<u32>) -> (usize, Vec<u32>) {
    let mut new = vec![u32::MAX; k];
    let mut count = 0;
    for cluster in &mut assigned {
        let slot = &mut new[*cluster as usize];
        if *slot == u32::MAX {
            *slot = count;
            count += 1;
        }
        *cluster = *slot;
    }
    (count as usize, assigned)
}

#[inline]
fn product(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let (a, _) = a.as_chunks::<8>();
    let (b, _) = b.as_chunks::<8>();
    for (a, b) in a.iter().zip(b) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}
