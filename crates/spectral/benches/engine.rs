//! Benchmarks of the engine at treebank size: 400,000 nodes of 80 symbols, about 15 features per side; and ten million
//! bigrams.
//!
//! `RAYON_NUM_THREADS=1 cargo bench -p eigentree-spectral` measures one core.

#![allow(missing_docs, reason = "criterion's macros make public functions")]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use linalg::Panel;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use spectral::moments::CountTableBuilder;
use spectral::operators::{JointMoments, SecondMoment, accumulate};
use spectral::view::{FeatureDim, FeatureId, ViewPair, ViewPairBuilder};
use spectral::{DecomposeConfig, ProjectionPair, Rank, RankConfig, decompose_views};

const SYMBOLS: usize = 80;
const NODES: usize = 400_000;
const FEATURES_PER_SIDE: usize = 15;
const STATES: usize = 24;
const RANK: usize = 12;

fn id(index: usize) -> FeatureId {
    FeatureId::new(index).expect("small")
}

/// An index below `size`; small ones are more frequent, with a distribution like that of words.
fn zipf(rng: &mut ChaCha8Rng, size: usize) -> usize {
    let index = (size as f64).powf(rng.random::<f64>()) as usize - 1;
    index.min(size - 1)
}

/// Sites whose features depend on a hidden state: template t of state h permutes its own block of features.
fn symbol_views(rng: &mut ChaCha8Rng, sites: usize) -> ViewPair<f32> {
    let per_template = (sites / 20).clamp(8, 2500);
    let mut builder = ViewPairBuilder::new();
    for _ in 0..sites {
        let state = rng.random_range(0..STATES);
        let mut view = |side: usize| -> Vec<FeatureId> {
            (0..FEATURES_PER_SIDE)
                .map(|template| {
                    let shift = (state * (7 + side + template)) % per_template;
                    id(template * per_template + (zipf(rng, per_template) + shift) % per_template)
                })
                .collect()
        };
        let (left, right) = (view(0), view(1));
        builder.push_indicators(left, right);
    }
    let dim = FeatureDim::new(per_template * FEATURES_PER_SIDE).expect("small");
    builder.finish(dim, dim).expect("valid sites")
}

/// Symbols with sizes proportional to 1/rank.
fn treebank() -> Vec<ViewPair<f32>> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let harmonic: f64 = (1..=SYMBOLS).map(|rank| 1.0 / rank as f64).sum();
    (1..=SYMBOLS)
        .map(|rank| symbol_views(&mut rng, (NODES as f64 / harmonic / rank as f64) as usize))
        .collect()
}

fn decompose(symbols: &[ViewPair<f32>]) -> Vec<ProjectionPair<f32>> {
    let config = DecomposeConfig::new(RankConfig::cautious(Rank::new(RANK).expect("positive")));
    symbols
        .par_iter()
        .map(|views| {
            decompose_views(views, &config)
                .and_then(|views| views.projections())
                .expect("sites with features")
        })
        .collect()
}

fn project(symbols: &[ViewPair<f32>], projections: &[ProjectionPair<f32>]) -> Vec<(Panel<f32>, Panel<f32>)> {
    symbols
        .par_iter()
        .zip(projections)
        .map(|(views, pair)| pair.project_sites(views).expect("same features"))
        .collect()
}

/// The moments of half of the sites, as if those were binary, and `E[Y Zᵀ]` of all.
fn moments(symbols: &[ViewPair<f32>], projected: &[(Panel<f32>, Panel<f32>)]) {
    symbols.par_iter().zip(projected).for_each(|(views, (y, z))| {
        black_box(SecondMoment::of_rows(y, z, views.weights()).expect("same sites"));
        let dims = [z.width(), y.width(), y.width()];
        let half = views.sites() / 2;
        let add = |moments: &mut JointMoments, site: usize| {
            moments.add(1.0, z.row(site), y.row(half + site), y.row(site));
        };
        black_box(accumulate(half, || JointMoments::new(dims), add).expect("same sizes"));
    });
}

fn engine(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("treebank");
    group.sample_size(10);
    let symbols = treebank();
    let projections = decompose(&symbols);
    let projected = project(&symbols, &projections);
    group.bench_function("decompose", |bencher| bencher.iter(|| decompose(&symbols)));
    group.bench_function("project", |bencher| bencher.iter(|| project(&symbols, &projections)));
    group.bench_function("moments", |bencher| bencher.iter(|| moments(&symbols, &projected)));
    group.finish();
}

fn counts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("counts");
    group.sample_size(10);
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let words: Vec<FeatureId> = (0..10_000_000).map(|_| id(zipf(&mut rng, 50_000))).collect();
    let dim = FeatureDim::new(50_000).expect("small");
    group.bench_function("ten million bigrams", |bencher| {
        bencher.iter_batched(
            || CountTableBuilder::<u64>::new(dim, dim),
            |mut builder| {
                for pair in words.windows(2) {
                    builder.push(pair[0], pair[1], 1).expect("in range");
                }
                builder.finish().expect("ones are counts")
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(benches, engine, counts);
criterion_main!(benches);
