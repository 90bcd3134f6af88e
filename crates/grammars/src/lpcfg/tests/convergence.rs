//! Consistency: with growing sample size M the error falls like 1/√M.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use spectral::moments::Scaling;

use super::learnt::{Learnt, exact_config};
use super::truth::{Population, Truth};
use crate::lpcfg::features::FeatureSet;

/// The count of each tree in a sample.
fn sample(population: &Population, size: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let mut ends = Vec::with_capacity(population.trees.len());
    let mut total = 0.0;
    for probability in &population.probabilities {
        total += probability;
        ends.push(total);
    }
    let mut counts = vec![0.0; ends.len()];
    for _ in 0..size {
        let drawn = rng.random::<f64>() * total;
        let at = ends.partition_point(|&end| end <= drawn).min(ends.len() - 1);
        counts[at] += 1.0;
    }
    counts
}

/// `Σ |p̂ − p|` over all trees.
fn distance(population: &Population, learnt: &Learnt) -> f64 {
    let pairs = population.trees.iter().zip(&population.probabilities);
    pairs.map(|(tree, &truth)| (learnt.probability(&learnt.parameters, tree) - truth).abs()).sum()
}

#[test]
fn errors_fall_like_one_over_the_root_of_the_sample_size() {
    const SIZES: [usize; 4] = [20_000, 80_000, 320_000, 1_280_000];
    const SAMPLES: u64 = 3;
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let population = Truth::random(&mut rng, [1, 1, 2, 2, 2, 2]).population();
    // The true number of states; anything beyond is noise.
    let config = exact_config(2, FeatureSet::Paper, Scaling::DiagonalCca { pseudo_count: 0.0 });
    let mut points = Vec::new();
    for size in SIZES {
        let mut sum = 0.0;
        for _ in 0..SAMPLES {
            let counts = sample(&population, size, &mut rng);
            let (trees, counts): (Vec<_>, Vec<f64>) = population
                .trees
                .iter()
                .zip(&counts)
                .filter(|&(_, &count)| count > 0.0)
                .map(|(tree, &count)| (tree.clone(), count))
                .unzip();
            sum += distance(&population, &Learnt::new(&trees, &counts, &config));
        }
        let error = sum / SAMPLES as f64;
        eprintln!("{size} trees: distance {error:.5}");
        points.push(((size as f64).ln(), error.ln()));
    }
    let n = points.len() as f64;
    let mean = |value: fn(&(f64, f64)) -> f64| points.iter().map(value).sum::<f64>() / n;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>()
        / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>();
    eprintln!("slope {slope:.3}");
    assert!((slope + 0.5).abs() < 0.1, "{slope}");
}
