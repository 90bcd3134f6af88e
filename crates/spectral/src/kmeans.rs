//! Weighted k-means over projected vectors: hard states from a decomposition.
//!
//! Starts of EM and learners with non-negative parameters assign each projected vector to one of k states. The centres
//! start at points drawn in proportion to weight and squared distance from the earlier ones (k-means++).

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

const ROUNDS: usize = 20;

/// Number of points that are clustered; the others go to the nearest centre.
const POINTS: usize = 20_000;

/// The cluster of each row of `points`, which has `dims` values, below `k`. Rows count by their weight.
///
/// ```
/// use rand::SeedableRng;
/// use spectral::kmeans;
/// let points = [0.0, 0.1, 5.0, 5.1];
/// let clusters = kmeans(&points, 1, &[1.0; 4], 2, &mut rand_chacha::ChaCha8Rng::seed_from_u64(1));
/// assert!(clusters[0] == clusters[1] && clusters[2] == clusters[3] && clusters[1] != clusters[2]);
/// ```
pub fn kmeans(points: &[f64], dims: usize, weights: &[f64], k: usize, rng: &mut ChaCha8Rng) -> Vec<u32> {
    if weights.is_empty() || dims == 0 || k == 0 {
        return vec![0; weights.len()];
    }
    let mut heaviest: Vec<usize> = (0..weights.len()).collect();
    heaviest.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
    heaviest.truncate(POINTS);
    let point = |index: usize| &points[index * dims..][..dims];
    let mut centres = point(heaviest[0]).to_vec();
    let mut distances = vec![f64::INFINITY; heaviest.len()];
    while centres.len() < k * dims {
        let newest = &centres[centres.len() - dims..];
        for (distance, &index) in distances.iter_mut().zip(&heaviest) {
            *distance = distance.min(squared_distance(newest, point(index)));
        }
        let shares = || distances.iter().zip(&heaviest).map(|(distance, &index)| distance * weights[index]);
        let mut wanted = rng.random::<f64>() * shares().sum::<f64>();
        let drawn = shares().position(|share| {
            wanted -= share;
            wanted < 0.0
        });
        let chosen = point(heaviest[drawn.unwrap_or(0)]).to_vec();
        centres.extend(chosen);
    }
    for _ in 0..ROUNDS {
        let assigned: Vec<u32> =
            heaviest.par_iter().with_min_len(256).map(|&index| nearest(&centres, point(index))).collect();
        let (mut sums, mut totals) = (vec![0.0; k * dims], vec![0.0; k]);
        for (&index, &cluster) in heaviest.iter().zip(&assigned) {
            let weight = weights[index];
            totals[cluster as usize] += weight;
            let sum = &mut sums[cluster as usize * dims..][..dims];
            sum.iter_mut().zip(point(index)).for_each(|(sum, entry)| *sum += weight * entry);
        }
        for ((centre, sum), &total) in
            centres.chunks_exact_mut(dims).zip(sums.chunks_exact(dims)).zip(&totals)
        {
            if total > 0.0 {
                centre.iter_mut().zip(sum).for_each(|(centre, sum)| *centre = sum / total);
            }
        }
    }
    (0..weights.len())
        .into_par_iter()
        .with_min_len(256)
        .map(|index| nearest(&centres, point(index)))
        .collect()
}

fn nearest(centres: &[f64], point: &[f64]) -> u32 {
    let mut best = (f64::INFINITY, 0);
    for (index, centre) in centres.chunks_exact(point.len()).enumerate() {
        let distance = squared_distance(centre, point);
        if distance < best.0 {
            best = (distance, index as u32);
        }
    }
    best.1
}

fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}
