//! Proofs: population averages give the true probabilities; averages that differ by site must be taken by site; EM
//! increases the likelihood.

use corpus::dependency::{DependencyTree, Head, RootRule};
use corpus::ids::WordId;
use corpus::vocab::VocabBuilder;
use faer::Mat;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::arcs::enumerate::{Crossing, all_trees};
use models::learn::{Learner, Silent};
use models::persist::ModelFile;

/// A model with known parameters. Matrices have one column per state.
struct Truth {
    root: Vec<f64>,
    /// The states of heads with a left child, with a right child, with both; they may differ from those of roots.
    heads: [Vec<f64>; 3],
    steps: [Mat<f64>; 2],
    shows: Mat<f64>,
}

fn simplex(n: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let draws: Vec<f64> = (0..n).map(|_| rng.random_range(0.05..1.0)).collect();
    let sum: f64 = draws.iter().sum();
    draws.into_iter().map(|draw| draw / sum).collect()
}

fn columns(rows: usize, columns: usize, rng: &mut ChaCha8Rng) -> Mat<f64> {
    let all: Vec<Vec<f64>> = (0..columns).map(|_| simplex(rows, rng)).collect();
    Mat::from_fn(rows, columns, |i, j| all[j][i])
}

/// Steps that mostly keep the state, so that inverses are well-conditioned and rounding errors small.
fn sticky(k: usize, rng: &mut ChaCha8Rng) -> Mat<f64> {
    let free = columns(k, k, rng);
    Mat::from_fn(k, k, |i, j| 0.5 * free[(i, j)] + if i == j { 0.5 } else { 0.0 })
}

/// Half of the emissions of a state are exclusive to it.
fn partial(symbols: usize, k: usize, rng: &mut ChaCha8Rng) -> Mat<f64> {
    let free = columns(symbols, k, rng);
    let own = |h: usize| (0..symbols).filter(|x| x % k == h).count() as f64;
    Mat::from_fn(symbols, k, |x, h| 0.5 * free[(x, h)] + if x % k == h { 0.5 / own(h) } else { 0.0 })
}

impl Truth {
    fn random(k: usize, symbols: usize, rng: &mut ChaCha8Rng) -> Self {
        Self {
            root: simplex(k, rng),
            heads: [simplex(k, rng), simplex(k, rng), simplex(k, rng)],
            steps: [sticky(k, rng), sticky(k, rng)],
            shows: partial(symbols, k, rng),
        }
    }

    /// One prior everywhere, preserved by both steps.
    fn with_one_prior(mut self) -> Self {
        let k = self.root.len();
        let prior = vec![1.0 / k as f64; k];
        // Circulant matrices preserve the uniform distribution.
        for (shift, step) in self.steps.iter_mut().enumerate() {
            let first: Vec<f64> = (0..k).map(|i| step[(i, 0)]).collect();
            *step = Mat::from_fn(k, k, |i, j| first[(i + (shift + 1) * j) % k]);
        }
        self.heads = [prior.clone(), prior.clone(), prior.clone()];
        self.root = prior;
        self
    }

    fn k(&self) -> usize {
        self.root.len()
    }

    fn symbols(&self) -> usize {
        self.shows.nrows()
    }

    /// p(x | tree), by summing over all states of all words.
    fn probability(&self, symbols: &[u32], heads: &[Head]) -> f64 {
        let (n, k) = (symbols.len(), self.k());
        (0..k.pow(n as u32))
            .map(|code| {
                let state = |word: usize| code / k.pow(word as u32) % k;
                (0..n)
                    .map(|word| {
                        let come = match heads[word].index() {
                            None => self.root[state(word)],
                            Some(head) => self.steps[usize::from(word > head)][(state(word), state(head))],
                        };
                        come * self.shows[(symbols[word] as usize, state(word))]
                    })
                    .product::<f64>()
            })
            .sum()
    }

    /// The averages over infinitely many trees.
    fn moments(&self, words: &Representation) -> TreeMoments {
        let k = self.k();
        let u = Mat::from_fn(self.symbols(), words.dimension(), |x, i| words.row(x)[i]);
        let g = u.transpose() * &self.shows;
        let vector =
            |p: &[f64]| -> Vec<f64> { (0..k).map(|i| (0..k).map(|h| g[(i, h)] * p[h]).sum()).collect() };
        let child = |side: usize, p: &[f64]| -> Vec<f64> {
            (0..k).map(|i| (0..k).map(|h| self.steps[side][(i, h)] * p[h]).sum()).collect()
        };
        // E[U_head U_childᵀ] = G diag(p) T_dᵀ Gᵀ.
        let cross = |side: usize, p: &[f64]| {
            let weighted = Mat::from_fn(k, k, |i, h| g[(i, h)] * p[h]);
            weighted * self.steps[side].transpose() * g.transpose()
        };
        let both = &self.heads[2];
        let triple = |factor: &dyn Fn(usize) -> f64| {
            let weighted = Mat::from_fn(k, k, |i, h| self.steps[0][(i, h)] * both[h] * factor(h));
            &g * weighted * self.steps[1].transpose() * g.transpose()
        };
        let arcs = [0, 1].map(|side| {
            let heads = &self.heads[side];
            (1.0, vector(&child(side, heads)), cross(side, heads))
        });
        TreeMoments {
            root: (1.0, vector(&self.root)),
            arcs,
            triples: 1.0,
            siblings: triple(&|_| 1.0),
            heads: [cross(0, both), cross(1, both)],
            third: (0..k).map(|at| triple(&|h| g[(at, h)])).collect(),
            chains: [0, 1].map(|side| {
                [0, 1].map(|above| {
                    // A distribution of grandparents of its own for each pair of sides.
                    let states = simplex(k, &mut ChaCha8Rng::seed_from_u64((3 * side + above) as u64));
                    let ends = |factor: &dyn Fn(usize) -> f64, step: bool| {
                        let up = Mat::from_fn(k, k, |i, h| self.steps[above][(i, h)] * states[h]);
                        let up = Mat::from_fn(k, k, |i, h| factor(i) * up[(i, h)]);
                        let down = if step { &self.steps[side] * up } else { up };
                        &g * down * g.transpose()
                    };
                    ChainMoments {
                        weight: 1.0,
                        ends: ends(&|_| 1.0, true),
                        heads: ends(&|_| 1.0, false),
                        third: (0..k).map(|at| ends(&|h| g[(at, h)], true)).collect(),
                    }
                })
            }),
        }
    }

    /// A representation whose duals span the emissions of the states; any basis of that span works.
    fn representation(&self, rng: &mut ChaCha8Rng) -> Representation {
        let k = self.k();
        let weights: Vec<f64> = (0..self.symbols()).map(|_| rng.random_range(0.2..2.0)).collect();
        let turn = Mat::from_fn(k, k, |i, j| rng.random_range(-1.0..1.0) + if i == j { 3.0 } else { 0.0 });
        let basis = &self.shows * turn;
        let rows = (0..self.symbols())
            .flat_map(|x| (0..k).map(move |i| (x, i)))
            .map(|(x, i)| basis[(x, i)] / weights[x])
            .collect();
        Representation::new(k, rows, &weights).unwrap()
    }

    fn observations(&self) -> Observations {
        let mut symbols: VocabBuilder<WordId> = VocabBuilder::default();
        for symbol in 1..self.symbols() {
            symbols.intern(&format!("s{symbol}"));
        }
        symbols.intern("");
        Observations::from_parts(Observe::Tags, symbols.freeze()).unwrap()
    }
}

/// The largest relative error over all trees of three words and some of four.
fn largest_error(truth: &Truth, model: &Deptree) -> f64 {
    let mut scratch = Scratch::default();
    let mut worst = 0.0_f64;
    for words in [1, 2, 3, 4] {
        for (number, heads) in all_trees(words, RootRule::Single, Crossing::Allowed).into_iter().enumerate() {
            let symbols: Vec<u32> =
                (0..words).map(|word| ((number * 7 + word * 3) % truth.symbols()) as u32).collect();
            let tree = DependencyTree::new(heads.clone(), RootRule::Single).unwrap();
            let score = model.score_sites(&TreeSites::new(symbols.clone(), &tree), &mut scratch);
            let expected = truth.probability(&symbols, &heads);
            worst = worst.max((score.probability.value() / expected - 1.0).abs());
        }
    }
    worst
}

#[test]
fn population_averages_give_the_true_probabilities() {
    for seed in 0..8 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let truth = Truth::random(2 + seed as usize % 3, 9, &mut rng);
        let words = truth.representation(&mut rng);
        for triples in [Triples::Siblings, Triples::Both] {
            let (moments, observations) = (truth.moments(&words), truth.observations());
            let model = estimate(&moments, observations, &words, (triples, 0.0), None).unwrap();
            let worst = largest_error(&truth, &model);
            assert!(worst < 1e-8, "seed {seed}, {triples:?}: {worst:e}");
        }
    }
}

#[test]
fn one_prior_for_all_sites_recovers_only_where_there_is_one() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let truth = Truth::random(3, 9, &mut rng);
    let words = truth.representation(&mut rng);
    let model = estimate_one_prior(&truth.moments(&words), truth.observations(), &words, 0.0).unwrap();
    let worst = largest_error(&truth, &model);
    assert!(worst > 0.01, "{worst:e}");

    let truth = truth.with_one_prior();
    let words = truth.representation(&mut rng);
    let model = estimate_one_prior(&truth.moments(&words), truth.observations(), &words, 0.0).unwrap();
    let worst = largest_error(&truth, &model);
    assert!(worst < 1e-8, "{worst:e}");
}

#[test]
fn a_change_of_basis_changes_no_probability() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let truth = Truth::random(3, 7, &mut rng);
    let words = truth.representation(&mut rng);
    let model =
        estimate(&truth.moments(&words), truth.observations(), &words, (Triples::Siblings, 0.0), None)
            .unwrap();
    let k = truth.k();
    let a = Mat::from_fn(k, k, |i, j| rng.random_range(-1.0..1.0) + if i == j { 2.0 } else { 0.0 });
    let turned_rows = (0..truth.symbols())
        .flat_map(|x| (0..k).map(move |i| (x, i)))
        .map(|(x, i)| (0..k).map(|j| a[(i, j)] * words.row(x)[j]).sum())
        .collect();
    let turned = Representation::new(k, turned_rows, &vec![1.0; truth.symbols()]).unwrap();
    // The duals must match the rows they belong to, so the weights are those of the first representation.
    let turned = Representation { duals: dual_of(&words, &a), ..turned };
    let other =
        estimate(&truth.moments(&turned), truth.observations(), &turned, (Triples::Siblings, 0.0), None)
            .unwrap();
    let tree = DependencyTree::new(
        [2, 0, 2, 3].iter().map(|&h| Head::from_number(h).unwrap()).collect(),
        RootRule::Single,
    )
    .unwrap();
    let sites = TreeSites::new(vec![1, 2, 3, 4], &tree);
    let mut scratch = Scratch::default();
    let (one, two) = (model.score_sites(&sites, &mut scratch), other.score_sites(&sites, &mut scratch));
    assert!((one.probability.value() / two.probability.value() - 1.0).abs() < 1e-9);
}

/// The duals after `U ← U Aᵀ`: `Y ← Y A⁻¹`.
fn dual_of(words: &Representation, a: &Mat<f64>) -> Vec<f64> {
    let k = words.dimension();
    let inverse = linalg::pseudo_inverse(a.as_ref(), 1e-14).unwrap().matrix;
    (0..words.symbols())
        .flat_map(|x| (0..k).map(move |j| (x, j)))
        .map(|(x, j)| (0..k).map(|i| words.duals[x * k + i] * inverse[(i, j)]).sum())
        .collect()
}

/// Trees of three words, a head between its children, drawn from a known model.
fn samples(truth: &Truth, count: usize, rng: &mut ChaCha8Rng) -> Vec<TreeSites> {
    let draw = |p: &mut dyn Iterator<Item = f64>, rng: &mut ChaCha8Rng| {
        let mut left = rng.random::<f64>();
        let all: Vec<f64> = p.collect();
        all.iter()
            .position(|&p| {
                left -= p;
                left < 0.0
            })
            .unwrap_or(all.len() - 1)
    };
    let k = truth.k();
    let tree = DependencyTree::new(
        [2, 0, 2].iter().map(|&h| Head::from_number(h).unwrap()).collect(),
        RootRule::Single,
    )
    .unwrap();
    (0..count)
        .map(|_| {
            let head = draw(&mut truth.root.iter().copied(), rng);
            let states = [
                draw(&mut (0..k).map(|i| truth.steps[0][(i, head)]), rng),
                head,
                draw(&mut (0..k).map(|i| truth.steps[1][(i, head)]), rng),
            ];
            let symbols =
                states.map(|h| draw(&mut (0..truth.symbols()).map(|x| truth.shows[(x, h)]), rng) as u32);
            TreeSites::new(symbols.to_vec(), &tree)
        })
        .collect()
}

#[test]
fn the_error_falls_like_one_over_the_root_of_the_sample() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let truth = Truth::random(2, 6, &mut rng);
    let words = truth.representation(&mut rng);
    let sizes = [4_000, 16_000, 64_000, 256_000];
    let errors = sizes.map(|size| {
        let rounds = 6;
        let sum: f64 = (0..rounds)
            .map(|_| {
                let sites = samples(&truth, size, &mut rng);
                let moments = TreeMoments::of_trees(&sites, &words);
                let model =
                    estimate(&moments, truth.observations(), &words, (Triples::Siblings, 0.0), None).unwrap();
                let mut scratch = Scratch::default();
                let squares: f64 = sites[..200]
                    .iter()
                    .map(|tree| {
                        let heads: Vec<Head> =
                            [2, 0, 2].iter().map(|&h| Head::from_number(h).unwrap()).collect();
                        let expected = truth.probability(&tree.symbols, &heads);
                        (model.score_sites(tree, &mut scratch).probability.value() - expected).powi(2)
                    })
                    .sum();
                squares.sqrt()
            })
            .sum();
        (sum / rounds as f64).ln()
    });
    let slope = (errors[3] - errors[0]) / (sizes[3] as f64 / sizes[0] as f64).ln();
    assert!((-0.6..-0.4).contains(&slope), "slope {slope}");
}

#[test]
fn chains_of_words_make_the_estimate_more_exact() {
    let known = known::Known::new(3, 12, 4);
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let mut draw =
        |count: usize| -> Vec<TreeWords> { (0..count).map(|_| known.draw(2..=12, &mut rng)).collect() };
    let (train, fresh) = (draw(6_000), draw(400));
    // The words given the tree.
    let truth = Deptree { valences: None, ..known.model() };
    let errors = [Triples::Siblings, Triples::Both].map(|triples| {
        let config = DeptreeConfig {
            observe: Observe::Tags,
            dimension: 3,
            states: StateChoice::Exactly,
            triples,
            ..DeptreeConfig::default()
        };
        let model = SpectralLearner { config, vectors: None }.learn(&train, &mut Silent).unwrap().model;
        let mut scratch = Scratch::default();
        let (mut error, mut negative) = (0.0, 0);
        for tree in &fresh {
            let (found, expected) = (model.score(tree, &mut scratch), truth.score(tree, &mut scratch));
            negative += usize::from(found.probability.sign <= 0);
            error += (found.probability.log - expected.probability.log).abs() / found.words as f64;
        }
        (error / fresh.len() as f64, negative)
    });
    let [siblings, both] = errors;
    assert!(both.0 < 0.8 * siblings.0 && both.1 <= siblings.1, "{siblings:?} {both:?}");
}

#[test]
fn given_vectors_take_the_place_of_the_embedding() {
    use corpus::format::word_vectors::WordVectors;
    use models::representations::VectorTable;

    let data = sentences();
    // The vectors of another text: those of the first eleven words; the twelfth has none.
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let values = (0..44).map(|_| rng.random_range(-1.0_f32..1.0)).collect();
    let vectors = WordVectors::new((0..11).map(|x| format!("w{x}")).collect(), 4, values).unwrap();
    let vectors = Some(VectorTable::new(&vectors).unwrap());
    let config = DeptreeConfig { dimension: 3, ..DeptreeConfig::paper() };
    let learned =
        SpectralLearner { config: config.clone(), vectors: vectors.clone() }.learn(&data, &mut Silent);
    let model = learned.unwrap().model;
    assert_eq!(model.dimension(), 3);
    let mut scratch = Scratch::default();
    assert!(data[..20].iter().all(|tree| model.score(tree, &mut scratch).probability.log.is_finite()));
    // Without vectors, words are embedded by their neighbours in the sentences.
    let without =
        SpectralLearner { config: config.clone(), vectors: None }.learn(&data, &mut Silent).unwrap().model;
    assert_ne!(model.to_bytes().unwrap(), without.to_bytes().unwrap());
    let config = DeptreeConfig { dimension: 5, ..config };
    let error = SpectralLearner { config, vectors }.learn(&data, &mut Silent).unwrap_err().to_string();
    assert!(error.contains("4 dimensions"), "{error}");
}

fn sentences() -> Vec<TreeWords> {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let truth = Truth::random(3, 12, &mut rng);
    let heads: Vec<Head> = [2, 0, 2].iter().map(|&h| Head::from_number(h).unwrap()).collect();
    samples(&truth, 600, &mut rng)
        .iter()
        .map(|tree| {
            let words = tree.symbols.iter().map(|x| (format!("w{x}"), format!("t{}", x % 4))).collect();
            TreeWords::new(words, DependencyTree::new(heads.clone(), RootRule::Single).unwrap()).unwrap()
        })
        .collect()
}

#[test]
fn em_never_makes_the_data_less_likely() {
    let data = sentences();
    let mut last = f64::NEG_INFINITY;
    for steps in 1..12 {
        let config = EmConfig { states: 3, steps, min_count: 5, ..EmConfig::default() };
        let report = EmLearner { config }.learn(&data, &mut Silent).unwrap().report;
        let now = report.figure("log-likelihood").unwrap();
        // The pseudo-count costs a little likelihood.
        assert!(now >= last - 1e-3, "step {steps}: {last} to {now}");
        last = now;
    }
}

#[test]
fn the_score_of_em_is_its_likelihood() {
    let data = sentences();
    for children in [Children::Given, Children::Counted] {
        let config = EmConfig { states: 3, steps: 4, min_count: 5, children, ..EmConfig::default() };
        let model = EmLearner { config: config.clone() }.learn(&data, &mut Silent).unwrap().model;
        let mut scratch = Scratch::default();
        let scored: f64 = data.iter().map(|tree| model.score(tree, &mut scratch).probability.log).sum();
        let next =
            EmLearner { config: EmConfig { steps: 5, ..config } }.learn(&data, &mut Silent).unwrap().report;
        let likelihood = next.figure("log-likelihood").unwrap();
        assert!((scored / likelihood - 1.0).abs() < 1e-9, "{children:?}: {scored} {likelihood}");
    }
}

#[test]
fn numbers_of_children_are_counted_and_survive_a_file() {
    let data = sentences();
    let learn = |children| {
        let config = EmConfig { states: 3, steps: 4, min_count: 5, children, ..EmConfig::default() };
        EmLearner { config }.learn(&data, &mut Silent).unwrap().model
    };
    let (given, counted) = (learn(Children::Given), learn(Children::Counted));
    assert_eq!((given.metadata().family_format, counted.metadata().family_format), (1, 2));
    let loaded = Deptree::from_bytes(counted.to_bytes().unwrap()).unwrap();
    let mut scratch = Scratch::default();
    let score =
        |model: &Deptree, tree: &TreeWords, scratch: &mut Scratch| model.score(tree, scratch).probability.log;
    for tree in &data[..20] {
        assert_eq!(score(&loaded, tree, &mut scratch), score(&counted, tree, &mut scratch));
    }
    // All trees that were seen have a head between two children. Another shape is improbable only if children are counted.
    let chain = |tree: &TreeWords| {
        let heads = [0, 1, 2].iter().map(|&head| Head::from_number(head).unwrap()).collect();
        let words = tree.words().map(|(form, tag)| (form.to_owned(), tag.to_owned())).collect();
        TreeWords::new(words, DependencyTree::new(heads, RootRule::Single).unwrap()).unwrap()
    };
    for tree in &data[..20] {
        let lost = |model: &Deptree, scratch: &mut Scratch| {
            score(model, tree, scratch) - score(model, &chain(tree), scratch)
        };
        assert!(lost(&counted, &mut scratch) > lost(&given, &mut scratch) + 5.0);
    }
}

#[test]
fn a_model_survives_its_file_and_threads_do_not_matter() {
    let data = sentences();
    let config = DeptreeConfig { dimension: 3, min_count: 5, ..DeptreeConfig::default() };
    let learn =
        || SpectralLearner { config: config.clone(), vectors: None }.learn(&data, &mut Silent).unwrap().model;
    let bytes = |model: &Deptree| model.to_bytes().unwrap();
    let saved = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        bytes(&pool.install(learn))
    });
    assert_eq!(saved[0], saved[1]);
    let loaded = Deptree::from_bytes(saved[0].clone()).unwrap();
    assert_eq!(bytes(&loaded), saved[0]);
    let mut scratch = Scratch::default();
    let model = learn();
    for tree in &data[..50] {
        assert_eq!(loaded.score(tree, &mut scratch), model.score(tree, &mut scratch));
    }
}

#[test]
fn long_trees_and_unknown_words_have_scores() {
    let data = sentences();
    let config = DeptreeConfig { dimension: 3, min_count: 5, ..DeptreeConfig::default() };
    let model = SpectralLearner { config, vectors: None }.learn(&data, &mut Silent).unwrap().model;
    let heads: Vec<Head> = (0..3000).map(|word| Head::from_number(word).unwrap()).collect();
    let words = (0..3000).map(|word| (format!("w{}", word % 12), "t1".to_owned())).collect();
    let tree = TreeWords::new(words, DependencyTree::new(heads, RootRule::Single).unwrap()).unwrap();
    let score = model.score(&tree, &mut Scratch::default());
    assert!(score.probability.log.is_finite() && score.probability.log < -100.0, "{score:?}");
    let one = DependencyTree::new(vec![Head::ROOT], RootRule::Single).unwrap();
    let tree = TreeWords::new(vec![("never".into(), "seen".into())], one).unwrap();
    assert!(model.score(&tree, &mut Scratch::default()).probability.log.is_finite());
}
