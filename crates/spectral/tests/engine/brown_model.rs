//! Counts of a model in which every word belongs to one cluster (Stratos et al. 2014, theorem 5.1).

use faer::Mat;
use spectral::decompose::{Path, PathChoice};
use spectral::moments::{CountTableBuilder, CountTransform, Scaling};
use spectral::view::{CountMatrix, ViewPairBuilder};
use spectral::{DecomposeConfig, Decomposition, Rank, RankConfig, decompose_counts, decompose_views};

use crate::random::{dim, distribution, distributions, id, rng};

const WORDS: usize = 15;
const CLUSTERS: usize = 4;

fn cluster(word: usize) -> usize {
    word % CLUSTERS
}

struct Brown {
    /// `P(word | its cluster)`.
    emission: Vec<f64>,
    /// `P(word, next word)`.
    bigrams: Mat<f64>,
}

impl Brown {
    fn random(seed: u64) -> Self {
        let mut rng = rng(seed);
        let mut emission = vec![0.0; WORDS];
        for c in 0..CLUSTERS {
            let members: Vec<usize> = (0..WORDS).filter(|&word| cluster(word) == c).collect();
            for (word, probability) in members.iter().zip(distribution(&mut rng, members.len())) {
                emission[*word] = probability;
            }
        }
        let first = distribution(&mut rng, CLUSTERS);
        let next = distributions(&mut rng, CLUSTERS, CLUSTERS);
        let bigrams = Mat::from_fn(WORDS, WORDS, |x, y| {
            let (c, d) = (cluster(x), cluster(y));
            emission[x] * first[c] * next[c][d] * emission[y]
        });
        Brown { emission, bigrams }
    }

    fn counts(&self) -> CountMatrix<f64> {
        let mut builder = CountTableBuilder::new(dim(WORDS), dim(WORDS));
        for x in 0..WORDS {
            for y in 0..WORDS {
                builder.push(id(x), id(y), self.bigrams[(x, y)]).unwrap();
            }
        }
        CountMatrix::from_table(builder.finish().unwrap()).unwrap()
    }
}

fn config(path: Path) -> DecomposeConfig {
    DecomposeConfig {
        scaling: Scaling::DiagonalCca { pseudo_count: 0.0 },
        path: PathChoice::Given(path),
        tolerance: 1e-12,
        ..DecomposeConfig::new(RankConfig::fixed(Rank::new(9).unwrap()))
    }
}

#[test]
fn left_singular_vectors_are_the_root_of_the_emissions_up_to_rotation() {
    for seed in 30..33 {
        let brown = Brown::random(seed);
        for path in [Path::Dense, Path::Sparse] {
            let decomposition: Decomposition<f64> =
                decompose_counts(&brown.counts(), CountTransform::Identity, &config(path)).unwrap();
            assert_eq!(decomposition.rank().get(), CLUSTERS, "the rank of Ω is the number of clusters");
            assert!((decomposition.singular_values()[0] - 1.0).abs() < 1e-10, "a CCA has top correlation 1");
            let u = decomposition.left().to_mat();
            let root =
                Mat::from_fn(
                    WORDS,
                    CLUSTERS,
                    |x, c| if cluster(x) == c { brown.emission[x].sqrt() } else { 0.0 },
                );
            let rotation = u.transpose() * &root;
            let (identity, same) = (&rotation * rotation.transpose(), &u * &rotation);
            for i in 0..CLUSTERS {
                for j in 0..CLUSTERS {
                    assert!((identity[(i, j)] - f64::from(i == j)).abs() < 1e-8, "Q is orthogonal");
                }
            }
            for x in 0..WORDS {
                for c in 0..CLUSTERS {
                    assert!((same[(x, c)] - root[(x, c)]).abs() < 1e-8, "U Q = √O");
                }
            }
        }
    }
}

#[test]
fn under_the_square_root_words_of_a_cluster_stay_parallel() {
    let brown = Brown::random(34);
    let decomposition: Decomposition<f64> =
        decompose_counts(&brown.counts(), CountTransform::SQUARE_ROOT, &config(Path::Dense)).unwrap();
    assert_eq!(decomposition.rank().get(), CLUSTERS);
    let u = decomposition.left();
    let cosine = |x: usize, y: usize| {
        let dot = |x: usize, y: usize| u.row(x).iter().zip(u.row(y)).map(|(a, b)| a * b).sum::<f64>();
        dot(x, y) / (dot(x, x) * dot(y, y)).sqrt()
    };
    for x in 0..WORDS {
        for y in 0..x {
            let expected = f64::from(cluster(x) == cluster(y));
            assert!((cosine(x, y) - expected).abs() < 1e-8, "{x} {y}: {}", cosine(x, y));
        }
    }
}

#[test]
fn counts_and_rows_of_indicators_are_the_same_views() {
    let brown = Brown::random(35);
    let mut rows = ViewPairBuilder::<f64>::new();
    for x in 0..WORDS {
        for y in 0..WORDS {
            rows.push([(id(x), 1.0)], [(id(y), 1.0)], brown.bigrams[(x, y)]);
        }
    }
    let rows = rows.finish(dim(WORDS), dim(WORDS)).unwrap();
    let config =
        DecomposeConfig { scaling: Scaling::DiagonalCca { pseudo_count: 0.3 }, ..config(Path::Dense) };
    let by_rows = decompose_views(&rows, &config).unwrap();
    let by_counts: Decomposition<f64> =
        decompose_counts(&brown.counts(), CountTransform::Identity, &config).unwrap();
    for (a, b) in by_rows.left_factors().iter().zip(by_counts.left_factors()) {
        assert!((a - b).abs() < 1e-12);
    }
    let (a, b) = (by_rows.report(), by_counts.report());
    assert!((a.noise - b.noise).abs() < 1e-9 * a.noise);
    for (a, b) in a.singular_values.iter().zip(&b.singular_values) {
        assert!((a - b).abs() < 1e-12);
    }
    for (a, b) in by_rows.left().as_slice().iter().zip(by_counts.left().as_slice()) {
        assert!((a - b).abs() < 1e-8);
    }
}
