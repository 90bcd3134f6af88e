//! The three representations of a cross moment agree, in both precisions and on any number of threads.

use rand::Rng;
use rayon::ThreadPoolBuilder;
use spectral::decompose::{Path, PathChoice};
use spectral::operators::{JointMoments, SecondMoment, accumulate};
use spectral::view::{FeatureId, ViewPair, ViewPairBuilder};
use spectral::{DecomposeConfig, Decomposition, Rank, RankConfig, decompose_views};

use crate::random::{dim, distributions, draw, id, rng};

const STATES: usize = 6;
const FEATURES: usize = 300;

/// Sites with five features per side, drawn from the distribution of their hidden state.
fn views<T: linalg::Scalar>(sites: usize) -> ViewPair<T> {
    let mut rng = rng(60);
    let emissions = distributions(&mut rng, 2 * STATES, FEATURES);
    let mut builder = ViewPairBuilder::new();
    for _ in 0..sites {
        let state = rng.random_range(0..STATES);
        let mut view = |side: usize| -> Vec<FeatureId> {
            (0..5).map(|_| id(draw(&mut rng, &emissions[side * STATES + state]))).collect()
        };
        let (left, right) = (view(0), view(1));
        builder.push_indicators(left, right);
    }
    builder.finish(dim(FEATURES), dim(FEATURES)).unwrap()
}

fn decompose<T: linalg::Scalar>(views: &ViewPair<T>, path: Path, tolerance: f64) -> Decomposition<T> {
    let rank = RankConfig::fixed(Rank::new(STATES).unwrap());
    let config = DecomposeConfig { path: PathChoice::Given(path), tolerance, ..DecomposeConfig::new(rank) };
    decompose_views(views, &config).unwrap()
}

#[test]
fn paths_and_precisions_agree() {
    let exact = decompose(&views::<f64>(3000), Path::Dense, 1e-3);
    for path in [Path::Sparse, Path::MatrixFree] {
        let truncated = decompose(&views::<f64>(3000), path, 1e-11);
        assert!(truncated.converged());
        compare(&exact, &truncated, 1e-9);
        assert_eq!(truncated.path(), path);
        assert!((exact.report().noise / truncated.report().noise - 1.0).abs() < 0.1);
    }
    for path in [Path::Dense, Path::Sparse, Path::MatrixFree] {
        compare(&exact, &decompose(&views::<f32>(3000), path, 1e-5), 2e-3);
    }
}

fn compare<T: linalg::Scalar>(exact: &Decomposition<f64>, other: &Decomposition<T>, tolerance: f64) {
    for (a, b) in exact.singular_values().iter().zip(other.singular_values()) {
        assert!((a - b).abs() < tolerance * exact.singular_values()[0], "{:?}: {a} {b}", other.path());
    }
    let (exact_pair, other_pair) = (exact.projections().unwrap(), other.projections().unwrap());
    for (a, b) in [(exact_pair.left, other_pair.left), (exact_pair.right, other_pair.right)] {
        let size = a.weights().as_slice().iter().fold(0.0_f64, |max, x| max.max(x.abs()));
        for (a, b) in a.weights().as_slice().iter().zip(b.weights().as_slice()) {
            assert!((a - b.to_f64()).abs() < tolerance * size, "{:?}: {a} {b:?}", other.path());
        }
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    // Enough sites for several chunks of accumulation and several tasks of the products.
    let views = views::<f32>(30_000);
    let run = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut bits: Vec<u64> = Vec::new();
            for path in [Path::Sparse, Path::MatrixFree] {
                let decomposition = decompose(&views, path, 1e-4);
                let (y, z) = decomposition.projections().unwrap().project_sites(&views).unwrap();
                let second = SecondMoment::of_rows(&y, &z, views.weights()).unwrap().sum();
                let joint = accumulate(
                    views.sites(),
                    || JointMoments::new([STATES; 3]),
                    |moments, site| {
                        moments.add(1.0, z.row(site), y.row(site), y.row(views.sites() - 1 - site))
                    },
                )
                .unwrap();
                bits.extend(decomposition.singular_values().iter().map(|value| value.to_bits()));
                bits.extend(y.as_slice().iter().chain(z.as_slice()).map(|value| u64::from(value.to_bits())));
                bits.extend((0..STATES * STATES).map(|i| second[(i / STATES, i % STATES)].to_bits()));
                bits.extend(joint.third.into_sum().as_slice().iter().map(|value| value.to_bits()));
            }
            bits
        })
    };
    let one = run(1);
    assert!(one.len() > 600_000);
    assert!(run(2) == one && run(5) == one);
}

#[test]
fn chunked_sums_equal_one_pass() {
    // Whole numbers, so that the sum is exact in any order.
    let value = |site: usize, i: usize| ((site * 31 + i * 17) % 7) as f32 - 3.0;
    let sites = 3 * 4096 + 17;
    let add = |moments: &mut JointMoments, site: usize| {
        let [z, y, y2] = [0, 2, 4].map(|offset| [value(site, offset), value(site, offset + 1)]);
        moments.add((site % 4) as f64, &z, &y, &y2);
    };
    let chunked = accumulate(sites, || JointMoments::new([2; 3]), add).unwrap();
    let mut whole = JointMoments::new([2; 3]);
    (0..sites).for_each(|site| add(&mut whole, site));
    assert_eq!(chunked.first, whole.first);
    assert_eq!((&chunked.zy, &chunked.zy2, &chunked.yy2), (&whole.zy, &whole.zy2, &whole.yy2));
    assert_eq!(chunked.third.into_sum(), whole.third.into_sum());
}
