//! From the population moments of a latent tree model, the probability of every tree.

use faer::{Mat, MatRef};
use linalg::{Panel, pseudo_inverse};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use spectral::decompose::{Path, PathChoice};
use spectral::moments::Scaling;
use spectral::operators::{
    Correction, FirstMoment, Mode, OperatorEstimator, SecondMoment, Tensor3, ThirdMoment,
};
use spectral::view::ViewPair;
use spectral::{DecomposeConfig, Projection, ProjectionPair, Rank, RankConfig, decompose_views};

use crate::latent_tree::{Children, LatentTree, Population, States, Subtree, WORDS};
use crate::random::{invertible, rng};

const STATES: States = States { s: 2, a: 3, b: 2, c: 3, d: 2 };

/// The observable operators of the model.
struct Operators {
    root: Vec<f64>,
    s: Tensor3,
    a_binary: Tensor3,
    a_unary: Mat<f64>,
    words: [Vec<Vec<f64>>; 3],
}

fn times(matrix: MatRef<'_, f64>, vector: &[f64]) -> Vec<f64> {
    (0..matrix.nrows()).map(|i| vector.iter().enumerate().map(|(j, x)| matrix[(i, j)] * x).sum()).collect()
}

impl Operators {
    fn inside(&self, subtree: Subtree) -> Vec<f64> {
        match subtree {
            Subtree::Binary { b, c } => self.a_binary.contract(&self.words[0][b], &self.words[1][c]),
            Subtree::Unary { d } => times(self.a_unary.as_ref(), &self.words[2][d]),
        }
    }

    fn probability(&self, left: Subtree, right: Subtree) -> f64 {
        let inside = self.s.contract(&self.inside(left), &self.inside(right));
        self.root.iter().zip(inside).map(|(root, inside)| root * inside).sum()
    }

    /// The same model with another basis at each symbol.
    fn change_basis(&self, rng: &mut ChaCha8Rng) -> Operators {
        let mut basis = |size| {
            let matrix = invertible(rng, size);
            let inverse = pseudo_inverse(matrix.as_ref(), 1e-12).unwrap().matrix;
            (matrix, inverse.transpose().to_owned())
        };
        let [s, a] = [self.s.dims()[0], self.a_binary.dims()[0]].map(&mut basis);
        let [b, c, d] = [0, 1, 2].map(|symbol| basis(self.words[symbol][0].len()));
        let change = |tensor: &Tensor3, head: &Mat<f64>, first: &Mat<f64>, second: &Mat<f64>| {
            let tensor = tensor.multiply_mode(Mode::First, head.as_ref());
            tensor.multiply_mode(Mode::Second, first.as_ref()).multiply_mode(Mode::Third, second.as_ref())
        };
        let words = [(0, &b.1), (1, &c.1), (2, &d.1)].map(|(symbol, basis)| {
            self.words[symbol].iter().map(|word| times(basis.as_ref(), word)).collect()
        });
        Operators {
            root: times(s.0.as_ref(), &self.root),
            s: change(&self.s, &s.1, &a.0, &a.0),
            a_binary: change(&self.a_binary, &a.1, &b.0, &c.0),
            a_unary: a.1.as_ref() * &self.a_unary * d.0.transpose(),
            words,
        }
    }
}

/// One symbol: its projected sites and its estimator.
struct Symbol {
    y: Panel<f64>,
    z: Panel<f64>,
    estimator: OperatorEstimator,
}

impl Symbol {
    fn new(views: &ViewPair<f64>, projections: &ProjectionPair<f64>, correction: Correction) -> Self {
        let (y, z) = projections.project_sites(views).unwrap();
        let cross = SecondMoment::of_rows(&y, &z, views.weights()).unwrap();
        Symbol { y, z, estimator: OperatorEstimator::new(&cross, correction).unwrap() }
    }

    fn rank(&self) -> usize {
        self.y.width()
    }
}

fn estimate(population: &Population, symbols: &[Symbol; 5]) -> Operators {
    let [s, a, b, c, d] = symbols;
    let mut root = FirstMoment::new(s.rank());
    let mut s_rule = ThirdMoment::new([s.rank(), a.rank(), a.rank()]);
    let mut a_binary = ThirdMoment::new([a.rank(), b.rank(), c.rank()]);
    let mut a_unary = SecondMoment::new([a.rank(), d.rank()]);
    let mut words = [b, c, d].map(|symbol| vec![FirstMoment::new(symbol.rank()); WORDS]);
    for example in &population.examples {
        let weight = example.weight;
        root.add(weight, s.y.row(example.s));
        s_rule.add(weight, s.z.row(example.s), a.y.row(example.a[0].0), a.y.row(example.a[1].0));
        for ((site, children), below) in example.a.iter().zip([example.left, example.right]) {
            match (children, below) {
                (Children::Binary { b: b_site, c: c_site }, Subtree::Binary { b: b_word, c: c_word }) => {
                    a_binary.add(weight, a.z.row(*site), b.y.row(*b_site), c.y.row(*c_site));
                    words[0][b_word].add(weight, b.z.row(*b_site));
                    words[1][c_word].add(weight, c.z.row(*c_site));
                }
                (Children::Unary { d: d_site }, Subtree::Unary { d: word }) => {
                    a_unary.add(weight, a.z.row(*site), d.y.row(*d_site));
                    words[2][word].add(weight, d.z.row(*d_site));
                }
                _ => unreachable!("sites follow subtrees"),
            }
        }
    }
    let [b_words, c_words, d_words] = words;
    let emissions = |symbol: &Symbol, words: &[FirstMoment]| -> Vec<Vec<f64>> {
        words.iter().map(|word| symbol.estimator.arity0(word).unwrap()).collect()
    };
    Operators {
        root: root.over(1.0).unwrap(),
        s: s.estimator.arity2(s_rule).unwrap(),
        a_binary: a.estimator.arity2(a_binary).unwrap(),
        a_unary: a.estimator.arity1(&a_unary).unwrap(),
        words: [emissions(b, &b_words), emissions(c, &c_words), emissions(d, &d_words)],
    }
}

fn largest_error(model: &LatentTree, operators: &Operators) -> f64 {
    let pairs = Subtree::all().flat_map(|left| Subtree::all().map(move |right| (left, right)));
    pairs
        .map(|(left, right)| (operators.probability(left, right) - model.probability(left, right)).abs())
        .fold(0.0, f64::max)
}

fn views(population: &Population) -> [&ViewPair<f64>; 5] {
    [&population.s, &population.a, &population.b, &population.c, &population.d]
}

fn learn(population: &Population, config: &DecomposeConfig, correction: Correction) -> Operators {
    let symbols = views(population).map(|views| {
        let decomposition = decompose_views(views, config).unwrap();
        Symbol::new(views, &decomposition.projections().unwrap(), correction)
    });
    // The root has no outside view, so it has only one visible state; all other symbols show all of theirs.
    let ranks = symbols.each_ref().map(Symbol::rank);
    assert_eq!(ranks, [1, STATES.a, STATES.b, STATES.c, STATES.d]);
    estimate(population, &symbols)
}

fn config() -> DecomposeConfig {
    DecomposeConfig { tolerance: 1e-12, ..DecomposeConfig::new(RankConfig::fixed(Rank::new(12).unwrap())) }
}

#[test]
fn every_tree_has_its_true_probability_whatever_the_path_and_scaling() {
    let model = LatentTree::random(&mut rng(1), STATES);
    let population = Population::new(&model);
    let total: f64 = population.examples.iter().map(|example| example.weight).sum();
    assert!((total - 1.0).abs() < 1e-12, "the model enumerates all trees");
    for path in [Path::Dense, Path::Sparse, Path::MatrixFree] {
        for scaling in [Scaling::None, Scaling::DiagonalCca { pseudo_count: 0.01 }] {
            for correction in [Correction::AssumeIdentity, Correction::default()] {
                let config = DecomposeConfig { path: PathChoice::Given(path), scaling, ..config() };
                let error = largest_error(&model, &learn(&population, &config, correction));
                assert!(error < 1e-8, "{path:?}, {scaling:?}, {correction:?}: {error:e}");
            }
        }
    }
}

#[test]
fn any_basis_gives_the_same_probabilities() {
    let model = LatentTree::random(&mut rng(2), STATES);
    let operators = learn(&Population::new(&model), &config(), Correction::default());
    let mut rng = rng(3);
    for _ in 0..5 {
        let changed = operators.change_basis(&mut rng);
        assert!(
            changed
                .a_binary
                .as_slice()
                .iter()
                .zip(operators.a_binary.as_slice())
                .any(|(a, b)| (a - b).abs() > 0.01)
        );
        assert!(largest_error(&model, &changed) < 1e-8);
    }
}

#[test]
fn projections_that_are_not_singular_vectors_need_the_correction() {
    let model = LatentTree::random(&mut rng(4), STATES);
    let population = Population::new(&model);
    let mut rng = rng(5);
    let ranks = [1, STATES.a, STATES.b, STATES.c, STATES.d];
    let mut index = 0;
    let projections = views(&population).map(|views| {
        let rank = ranks[index];
        index += 1;
        let mut random = |features| {
            Projection::new(Panel::from_fn(features, rank, |_, _| rng.random_range(-1.0..1.0))).unwrap()
        };
        ProjectionPair { left: random(views.left().ncols()), right: random(views.right().ncols()) }
    });
    let learn = |correction: Correction, pairs: &[ProjectionPair<f64>; 5]| {
        let all = views(&population);
        let symbols = [0, 1, 2, 3, 4].map(|i| Symbol::new(all[i], &pairs[i], correction));
        (estimate(&population, &symbols), symbols)
    };
    let (solved, symbols) = learn(Correction::default(), &projections);
    assert!(largest_error(&model, &solved) < 1e-8);
    assert!(largest_error(&model, &learn(Correction::AssumeIdentity, &projections).0) > 1e-2);
    // Once folded into the right projection, the correction is no longer needed.
    let folded = [0, 1, 2, 3, 4].map(|i| ProjectionPair {
        left: projections[i].left.clone(),
        right: projections[i].right.transform(symbols[i].estimator.corrector().unwrap()).unwrap(),
    });
    assert!(largest_error(&model, &learn(Correction::AssumeIdentity, &folded).0) < 1e-8);
}
