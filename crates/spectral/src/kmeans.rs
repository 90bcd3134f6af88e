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
    let mut places: Vec<Place> = vec![Place::default(); heaviest.len()];
    let see = |places: &mut [Place], newest: &[f64], number: u32| {
        places.par_iter_mut().zip(&heaviest).with_min_len(256).for_each(|(place, &index)| {
            place.see(number, squared_distance(newest, point(index)));
        });
    };
    see(&mut places, &centres, 0);
    while centres.len() < k * dims {
        let share = |(place, &index): (&Place, &usize)| place.nearest * weights[index];
        let shares = || places.iter().zip(&heaviest).map(share);
        let mut wanted = rng.random::<f64>() * shares().sum::<f64>();
        let drawn = shares().position(|share| {
            wanted -= share;
            wanted < 0.0
        });
        let chosen = point(heaviest[drawn.unwrap_or(0)]);
        see(&mut places, chosen, (centres.len() / dims) as u32);
        centres.extend(chosen);
    }
    // From here on distances are not squared: bounds move by what centres move.
    places.iter_mut().for_each(|place| *place = place.rooted());
    for _ in 0..ROUNDS {
        let moved = step(&mut centres, dims, &places, |at| (point(heaviest[at]), weights[heaviest[at]]));
        if moved.iter().all(|&distance| distance == 0.0) {
            break;
        }
        let most = moved.iter().copied().fold(0.0, f64::max);
        places.par_iter_mut().zip(&heaviest).with_min_len(256).for_each(|(place, &index)| {
            place.nearest += moved[place.cluster as usize];
            place.second -= most;
            if !place.is_sure() {
                let own = &centres[place.cluster as usize * dims..][..dims];
                place.nearest = squared_distance(own, point(index)).sqrt();
                if !place.is_sure() {
                    *place = Place::among(&centres, point(index));
                }
            }
        });
    }
    let mut clusters = vec![None; weights.len()];
    places.iter().zip(&heaviest).for_each(|(place, &index)| clusters[index] = Some(place.cluster));
    clusters
        .into_par_iter()
        .enumerate()
        .with_min_len(256)
        .map(|(index, known)| known.unwrap_or_else(|| Place::among(&centres, point(index)).cluster))
        .collect()
}

/// Where a point stands among the centres, with bounds that spare most distances (Hamerly 2010): while the distance to its own
/// centre is below that to any other, the point stays.
#[derive(Clone, Copy, Debug)]
struct Place {
    cluster: u32,
    /// At least the distance to the own centre.
    nearest: f64,
    /// At most the distance to any other centre.
    second: f64,
}

impl Default for Place {
    fn default() -> Self {
        Self { cluster: 0, nearest: f64::INFINITY, second: f64::INFINITY }
    }
}

impl Place {
    /// A further centre, with its squared distance. Of equal ones the first is nearest.
    fn see(&mut self, cluster: u32, distance: f64) {
        if distance < self.nearest {
            *self = Self { cluster, nearest: distance, second: self.nearest };
        } else if distance < self.second {
            self.second = distance;
        }
    }

    /// The place of a point among centres.
    fn among(centres: &[f64], point: &[f64]) -> Self {
        let mut place = Self::default();
        for (cluster, centre) in centres.chunks_exact(point.len()).enumerate() {
            place.see(cluster as u32, squared_distance(centre, point));
        }
        place.rooted()
    }

    /// With distances instead of their squares.
    fn rooted(self) -> Self {
        Self { nearest: self.nearest.sqrt(), second: self.second.sqrt(), ..self }
    }

    /// Whether no other centre can be as near, rounding included.
    fn is_sure(self) -> bool {
        self.nearest < self.second * (1.0 - 1e-9)
    }
}

/// Moves each centre to the weighted mean of its points, and tells how far. A centre without points stays.
fn step<'p>(
    centres: &mut [f64],
    dims: usize,
    places: &[Place],
    point: impl Fn(usize) -> (&'p [f64], f64),
) -> Vec<f64> {
    let (mut sums, mut totals) = (vec![0.0; centres.len()], vec![0.0; centres.len() / dims]);
    for (at, place) in places.iter().enumerate() {
        let (point, weight) = point(at);
        totals[place.cluster as usize] += weight;
        let sum = &mut sums[place.cluster as usize * dims..][..dims];
        sum.iter_mut().zip(point).for_each(|(sum, entry)| *sum += weight * entry);
    }
    let moves = centres.chunks_exact_mut(dims).zip(sums.chunks_exact_mut(dims)).zip(&totals);
    moves
        .map(|((centre, sum), &total)| {
            if total <= 0.0 {
                return 0.0;
            }
            sum.iter_mut().for_each(|entry| *entry /= total);
            let moved = squared_distance(centre, sum).sqrt();
            centre.copy_from_slice(sum);
            moved
        })
        .collect()
}

fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    /// Lloyd's rounds without bounds, from centres that are drawn in the same way.
    fn plain(points: &[f64], dims: usize, weights: &[f64], k: usize, rng: &mut ChaCha8Rng) -> Vec<u32> {
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
        let point = |index: usize| &points[index * dims..][..dims];
        let nearest = |centres: &[f64], index: usize| {
            let distance = |centre: usize| squared_distance(&centres[centre * dims..][..dims], point(index));
            (0..centres.len() / dims).fold((0, f64::INFINITY), |(best, least), centre| {
                if distance(centre) < least { (centre, distance(centre)) } else { (best, least) }
            })
        };
        let mut centres = point(order[0]).to_vec();
        while centres.len() < k * dims {
            let shares: Vec<f64> =
                order.iter().map(|&index| nearest(&centres, index).1 * weights[index]).collect();
            let mut wanted = rng.random::<f64>() * shares.iter().sum::<f64>();
            let drawn = shares.iter().position(|share| {
                wanted -= share;
                wanted < 0.0
            });
            centres.extend(point(order[drawn.unwrap_or(0)]));
        }
        for _ in 0..ROUNDS {
            let assigned: Vec<usize> = order.iter().map(|&index| nearest(&centres, index).0).collect();
            for cluster in 0..k {
                let own = || order.iter().zip(&assigned).filter(|(_, other)| **other == cluster);
                let total: f64 = own().map(|(&index, _)| weights[index]).sum();
                if total > 0.0 {
                    for dim in 0..dims {
                        let sum: f64 = own().map(|(&index, _)| weights[index] * point(index)[dim]).sum();
                        centres[cluster * dims + dim] = sum / total;
                    }
                }
            }
        }
        (0..weights.len()).map(|index| nearest(&centres, index).0 as u32).collect()
    }

    #[test]
    fn bounds_change_no_cluster() {
        for seed in 0..40 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let (count, dims, k) = (rng.random_range(1..400), rng.random_range(1..6), rng.random_range(1..9));
            // Some points coincide, some weigh nothing.
            let points: Vec<f64> =
                (0..count * dims).map(|_| f64::from(rng.random_range(-20..20_i32)) / 7.0).collect();
            let weights: Vec<f64> = (0..count).map(|_| f64::from(rng.random_range(0..5_u32))).collect();
            let expected = plain(&points, dims, &weights, k, &mut ChaCha8Rng::seed_from_u64(seed));
            let found = kmeans(&points, dims, &weights, k, &mut ChaCha8Rng::seed_from_u64(seed));
            assert_eq!(found, expected, "seed {seed}");
        }
    }
}
