//! Guarantees of the spectral method (Stratos et al. 2014, Theorems 5.1 and 5.2).

use std::ops::ControlFlow;

use corpus::cooccurrence::PairCounts;
use linalg::LinearOperator;
use models::learn::{LearnError, Observer, Silent};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::context::context_moment;
use super::truth::{random_counts, ranks, same_partition};
use super::{ClusterConfig, Context, CountTransform, Hierarchy, Method, SpectralConfig, learn};

/// A Brown model.
struct BrownTruth {
    cluster: Vec<usize>,
    /// `o(x | C(x))`.
    emission: Vec<f64>,
    /// `t(d | c)`, row-major.
    transition: Vec<Vec<f64>>,
}

fn normalised(mut values: Vec<f64>) -> Vec<f64> {
    let sum: f64 = values.iter().sum();
    values.iter_mut().for_each(|value| *value /= sum);
    values
}

/// An index, drawn by its probability.
fn draw(probabilities: impl Iterator<Item = f64>, rng: &mut ChaCha8Rng) -> usize {
    let mut left: f64 = rng.random();
    let mut last = 0;
    for (index, probability) in probabilities.enumerate() {
        last = index;
        left -= probability;
        if left < 0.0 {
            break;
        }
    }
    last
}

impl BrownTruth {
    /// Each cluster has one successor that is preferred by `leaning`: the larger it is, the larger the smallest
    /// singular value.
    fn random(words: usize, clusters: usize, leaning: f64, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let cluster: Vec<usize> = (0..words).map(|word| word % clusters).collect();
        let mut emission: Vec<f64> = (0..words).map(|_| rng.random_range(0.1..1.0)).collect();
        for c in 0..clusters {
            let sum: f64 = (0..words).filter(|&word| cluster[word] == c).map(|word| emission[word]).sum();
            (0..words).filter(|&word| cluster[word] == c).for_each(|word| emission[word] /= sum);
        }
        let mut follows = |c: usize, d: usize| {
            let more = if d == (c + 1) % clusters { leaning * clusters as f64 } else { 0.0 };
            rng.random_range(0.05..1.0_f64).powi(4) + more
        };
        let transition =
            (0..clusters).map(|c| normalised((0..clusters).map(|d| follows(c, d)).collect())).collect();
        Self { cluster, emission, transition }
    }

    /// The bigrams of a text of infinite length, scaled by `scale`: `B = O diag(π̃) (O T)ᵀ`.
    fn population(&self, scale: f64) -> PairCounts {
        let clusters = self.transition.len();
        let mut share = vec![1.0 / clusters as f64; clusters];
        for _ in 0..200 {
            let next = |d: usize| (0..clusters).map(|c| share[c] * self.transition[c][d]).sum();
            share = (0..clusters).map(next).collect();
        }
        let words = self.cluster.len();
        let mut entries = Vec::new();
        for x in 0..words {
            for y in 0..words {
                let (c, d) = (self.cluster[x], self.cluster[y]);
                let joint = self.emission[x] * share[c] * self.transition[c][d] * self.emission[y];
                entries.push((x as u32, y as u32, (scale * joint).round() as u64));
            }
        }
        PairCounts::from_counts(words, entries)
    }

    /// The pairs at a distance in a text of infinite length, scaled by `scale`.
    fn population_at(&self, distance: usize, scale: f64) -> PairCounts {
        let clusters = self.transition.len();
        let product = |a: &[Vec<f64>], b: &[Vec<f64>]| -> Vec<Vec<f64>> {
            let entry = |c: usize, d: usize| (0..clusters).map(|e| a[c][e] * b[e][d]).sum();
            (0..clusters).map(|c| (0..clusters).map(|d| entry(c, d)).collect()).collect()
        };
        let steps = (1..distance).fold(self.transition.clone(), |steps, _| product(&steps, &self.transition));
        // Every row of a high power is the stationary distribution.
        let stationary = (0..8).fold(self.transition.clone(), |power, _| product(&power, &power));
        let words = self.cluster.len();
        let mut entries = Vec::new();
        for x in 0..words {
            for y in 0..words {
                let (c, d) = (self.cluster[x], self.cluster[y]);
                let joint = self.emission[x] * stationary[0][c] * steps[c][d] * self.emission[y];
                entries.push((x as u32, y as u32, (scale * joint).round() as u64));
            }
        }
        PairCounts::from_counts(words, entries)
    }

    /// The bigrams of a text of `tokens` words.
    fn sample(&self, tokens: usize, seed: u64) -> PairCounts {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let words = self.cluster.len();
        let (mut pairs, mut before, mut state) = (Vec::new(), None, 0);
        for _ in 0..tokens {
            state = draw(self.transition[state].iter().copied(), &mut rng);
            let own = |word: usize| if self.cluster[word] == state { self.emission[word] } else { 0.0 };
            let word = draw((0..words).map(own), &mut rng) as u32;
            pairs.extend(before.map(|before| (before, word)));
            before = Some(word);
        }
        PairCounts::from_pairs(words, pairs)
    }

    /// Whether the method finds the true clusters from these counts.
    fn found(&self, counts: &PairCounts, kappa: f64) -> bool {
        let names = ranks(counts);
        let hierarchy = spectral(&counts.renamed(&names, names.len()), self.transition.len(), kappa);
        let found: Vec<_> = names.iter().map(|&name| hierarchy.assignment()[name as usize]).collect();
        same_partition(&found, &self.cluster)
    }
}

fn paper(clusters: usize, kappa: f64) -> ClusterConfig {
    let spectral =
        SpectralConfig { context: Context::Right(1), kappa, tolerance: 1e-5, ..SpectralConfig::paper() };
    let method = Method::Spectral;
    ClusterConfig { method, clusters, spectral: Some(spectral), ..ClusterConfig::default() }
}

fn spectral(counts: &PairCounts, clusters: usize, kappa: f64) -> Hierarchy {
    learn(std::slice::from_ref(counts), None, &paper(clusters, kappa), &mut Silent).unwrap().model
}

/// `Û = √O Qᵀ` with an orthogonal `Q`, that is, `Û Ûᵀ = √O √Oᵀ`.
#[test]
fn singular_vectors_are_the_roots_of_emissions() {
    for (words, clusters, seed) in [(40, 3, 1), (120, 7, 2), (300, 12, 3)] {
        let truth = BrownTruth::random(words, clusters, 0.3, seed);
        let counts = truth.population(1e15);
        let config = paper(clusters, 0.0).spectral();
        let matrix = context_moment::<f64>(std::slice::from_ref(&counts), &config).unwrap();
        assert_eq!(matrix.ncols(), words);
        let svd = matrix.decompose(clusters, 1e-12, &mut |_| ControlFlow::Continue(())).unwrap().unwrap();
        assert_eq!(svd.s.len(), clusters);
        let mut largest = 0.0_f64;
        for x in 0..words {
            for y in 0..words {
                let found: f64 = (0..clusters).map(|i| svd.u[(x, i)] * svd.u[(y, i)]).sum();
                let same = truth.cluster[x] == truth.cluster[y];
                let roots = if same { (truth.emission[x] * truth.emission[y]).sqrt() } else { 0.0 };
                largest = largest.max((found - roots).abs());
            }
        }
        assert!(largest < 1e-8, "{words} words: {largest:e}");
    }
}

#[test]
fn true_clusters_are_recovered_from_true_bigrams() {
    for seed in 0..10 {
        let truth = BrownTruth::random(200, 4 + seed as usize, 0.3, seed);
        assert!(truth.found(&truth.population(1e15), 0.0), "seed {seed}");
    }
}

#[test]
fn recovery_rises_with_the_length_of_the_text() {
    let rate = |tokens: usize| {
        let hits = (0..10).filter(|&seed| {
            let truth = BrownTruth::random(40, 4, 0.3, 100 + seed);
            truth.found(&truth.sample(tokens, seed), 0.0)
        });
        hits.count()
    };
    let rates = [1_000, 10_000, 100_000, 1_000_000].map(rate);
    assert!(rates.is_sorted(), "{rates:?} of 10");
    assert!(rates[0] < 5 && rates[3] == 10, "{rates:?} of 10");
}

#[test]
fn threads_do_not_matter() {
    let pairs = [random_counts(2500, 0.01, 21), random_counts(2500, 0.02, 22)];
    for method in [Method::Spectral, Method::SpectralExchange] {
        let config = ClusterConfig { method, clusters: 60, ..ClusterConfig::default() };
        let [one, two] = [1, 2].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| learn(&pairs, None, &config, &mut Silent).unwrap().model)
        });
        assert_eq!(one, two, "{method:?}");
    }
}

#[test]
fn stages_are_told_and_any_of_them_can_be_stopped() {
    /// Cancels in the stage with this name.
    struct Until(&'static str, Vec<String>);
    impl Observer for Until {
        fn stage(&mut self, name: &str, _total: Option<u64>) {
            self.1.push(name.to_owned());
        }
        fn cancelled(&self) -> bool {
            self.1.last().is_some_and(|name| name == self.0)
        }
    }
    let pairs = [random_counts(600, 0.05, 23), random_counts(600, 0.05, 24)];
    let config = ClusterConfig { clusters: 30, ..ClusterConfig::default() };
    let stages = ["decompose", "ward", "exchange", "merge"];
    for (at, stage) in stages.into_iter().enumerate() {
        let mut observer = Until(stage, Vec::new());
        assert!(learn(&pairs, None, &config, &mut observer).unwrap_err().is_cancelled());
        assert_eq!(observer.1, stages[..=at]);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let counts = random_counts(50, 0.3, 25);
    let run = |change: &dyn Fn(&mut SpectralConfig)| {
        let mut config = paper(5, 1.0);
        let mut spectral = config.spectral();
        change(&mut spectral);
        config.spectral = Some(spectral);
        learn(std::slice::from_ref(&counts), None, &config, &mut Silent)
            .map(|learned| learned.model.clusters())
    };
    let refused = |result: Result<usize, LearnError>| result.is_err_and(|error| error.is_bad_config());
    assert_eq!(run(&|_| ()).unwrap(), 5);
    assert_eq!(run(&|config| config.rank = Some(1000)).unwrap(), 5);
    assert!(refused(run(&|config| config.context = Context::Both(2))));
    assert!(refused(run(&|config| config.context = Context::Right(0))));
    assert!(refused(run(&|config| config.kappa = -1.0)));
    assert!(refused(run(&|config| config.kappa = f64::NAN)));
    assert!(refused(run(&|config| config.transform = CountTransform::Power(0.0))));
    assert!(refused(run(&|config| config.tolerance = 1.0)));
    assert!(refused(run(&|config| config.rank = Some(0))));
    let nothing = [PairCounts::empty(9)];
    let hierarchy = learn(&nothing, None, &paper(4, 0.0), &mut Silent).unwrap().model;
    assert_eq!((hierarchy.words(), hierarchy.clusters()), (9, 4));
    assert!(learn(&[], None, &paper(4, 0.0), &mut Silent).unwrap_err().is_bad_data());
}

/// Appendix A: with words on both sides, one or two of them, the blocks share the left singular vectors.
#[test]
fn wider_contexts_of_the_population_give_the_true_clusters() {
    for seed in 0..3 {
        let truth = BrownTruth::random(24, 4, 0.4, seed);
        let scale = 1e9;
        let near = truth.population_at(1, scale);
        assert_eq!(near, truth.population(scale), "both ways of computing the population agree");
        let names = ranks(&near);
        let counts: Vec<PairCounts> =
            [1, 2].map(|distance| truth.population_at(distance, scale).renamed(&names, names.len())).to_vec();
        for context in [Context::Right(1), Context::Both(1), Context::Right(2), Context::Both(2)] {
            let mut config = paper(4, 0.0);
            config.spectral = config.spectral.map(|spectral| SpectralConfig { context, ..spectral });
            let hierarchy = learn(&counts, None, &config, &mut Silent).unwrap().model;
            let found: Vec<_> = names.iter().map(|&name| hierarchy.assignment()[name as usize]).collect();
            assert!(same_partition(&found, &truth.cluster), "seed {seed}, {context}");
        }
    }
}
