//! EM steps checked against a direct computation tree by tree, and their invariants.

#![allow(clippy::needless_range_loop, reason = "indices as in the equations")]

use corpus::format::penn::PennReader;
use corpus::synthetic::{english, sample_treebank};
use corpus::tree::Tree;
use corpus::tree::heads::HeadRules;

use super::super::config::SmoothingConfig;
use super::super::estimate::parts;
use super::super::parameters::{Parameters, row_length};
use super::super::smoothing::{RuleMoments, SymbolMeans, smooth};
use super::super::treebank::{NONE, NumberedTreebank};
use super::{EmTrainer, em_dims, random_start};
use crate::pcfg::{Pcfg, PcfgConfig, PcfgLearner};
use models::learn::{Learner, Silent};

struct Prepared {
    bank: NumberedTreebank,
    grammar: Pcfg,
    probabilities: Vec<f64>,
}

impl Prepared {
    fn new(trees: &[Tree], weight: f64) -> Self {
        let config = PcfgConfig::default();
        let normal: Vec<Tree> = trees.iter().map(|tree| config.normal_form.apply(tree.clone())).collect();
        let grammar = PcfgLearner { config }.learn(trees, &mut Silent).unwrap().model;
        let weights = vec![weight; normal.len()];
        let bank = NumberedTreebank::new(&normal, weights, &grammar, &HeadRules::english()).ok().unwrap();
        let rules = grammar.rules().rules();
        let probabilities = (0..rules.len())
            .map(|rule| {
                let parent = bank.weight_of(&bank.sites[parts(rules[rule])[0]]);
                bank.weight_of(&bank.applications[rule]) / parent.max(1.0)
            })
            .collect();
        Self { bank, grammar, probabilities }
    }

    fn start(&self, dims: Vec<u32>) -> Parameters<f32> {
        random_start(&self.bank, &self.grammar, dims, &self.probabilities, 7)
    }

    /// The same number of states for every symbol.
    fn equal(&self, states: u32) -> Vec<u32> {
        vec![states; self.grammar.symbols().len()]
    }

    fn trainer(&self, start: Parameters<f32>, smoothing: SmoothingConfig) -> EmTrainer<'_> {
        EmTrainer::new(&self.bank, &self.grammar, start, self.probabilities.clone(), smoothing)
    }
}

fn sample(size: usize) -> Vec<Tree> {
    sample_treebank(english(), size, 3).unwrap()
}

/// Expected counts, node by node in double precision.
struct Plain {
    log_likelihood: f64,
    /// By rule: the joint counts, row by row without padding.
    rules: Vec<Vec<f64>>,
    /// By symbol.
    symbols: Vec<Vec<f64>>,
    /// Posteriors of each node.
    nodes: Vec<Vec<f64>>,
}

fn plain(prepared: &Prepared, parameters: &Parameters<f32>) -> Plain {
    let Prepared { bank, grammar, .. } = prepared;
    let dims = |symbol: u32| parameters.dims[symbol as usize] as usize;
    let phrases = grammar.symbols().phrases();
    let entry = |rule: usize, [i, j, k]: [usize; 3]| {
        let [_, b, c] = parts(grammar.rules().rules()[rule]).map(|symbol| dims(symbol as u32));
        f64::from(parameters.tensor(rule)[i * row_length(b, c) + j * c + k])
    };
    let mut result = Plain {
        log_likelihood: 0.0,
        rules: vec![Vec::new(); grammar.rules().len()],
        symbols: parameters.dims.iter().map(|&dim| vec![0.0; dim as usize]).collect(),
        nodes: vec![Vec::new(); bank.nodes.len()],
    };
    let (mut inside, mut outside) = (result.nodes.clone(), result.nodes.clone());
    for tree in 0..bank.trees() {
        for id in bank.tree(tree).rev() {
            let node = &bank.nodes[id];
            let m = dims(node.symbol);
            inside[id] = if node.rule == NONE {
                let tag = node.symbol as usize - phrases;
                let profile = parameters.profiles.get(Some(node.word as usize), || None, tag);
                let words = bank.sites[node.symbol as usize]
                    .iter()
                    .filter(|&&other| bank.nodes[other as usize].word == node.word);
                let share = words.count() as f64 / bank.sites[node.symbol as usize].len() as f64;
                profile.iter().map(|&value| share * f64::from(value)).collect()
            } else {
                let (left, right) = (&inside[node.left as usize], &inside[node.right as usize]);
                let mut own = vec![0.0; m];
                for i in 0..m {
                    for j in 0..left.len() {
                        for k in 0..right.len() {
                            own[i] += entry(node.rule as usize, [i, j, k]) * left[j] * right[k];
                        }
                    }
                }
                own
            };
        }
        let root = bank.starts[tree] as usize;
        let weights: Vec<f64> =
            parameters.root(bank.nodes[root].symbol as usize).iter().map(|&value| f64::from(value)).collect();
        let total: f64 = weights.iter().zip(&inside[root]).map(|(a, b)| a * b).sum();
        let weight = bank.weights[tree];
        result.log_likelihood += weight * total.ln();
        outside[root] = weights.iter().map(|value| value / total).collect();
        for id in bank.tree(tree) {
            let node = &bank.nodes[id];
            let own = outside[id].clone();
            result.nodes[id] = own.iter().zip(&inside[id]).map(|(a, b)| weight * a * b).collect();
            let sums = &mut result.symbols[node.symbol as usize];
            sums.iter_mut().zip(&result.nodes[id]).for_each(|(sum, value)| *sum += value);
            if node.rule == NONE {
                continue;
            }
            let (left, right) = (inside[node.left as usize].clone(), inside[node.right as usize].clone());
            let (mut to_left, mut to_right) = (vec![0.0; left.len()], vec![0.0; right.len()]);
            let counts = &mut result.rules[node.rule as usize];
            counts.resize(own.len() * left.len() * right.len(), 0.0);
            for i in 0..own.len() {
                for j in 0..left.len() {
                    for k in 0..right.len() {
                        let value = own[i] * entry(node.rule as usize, [i, j, k]);
                        to_left[j] += value * right[k];
                        to_right[k] += value * left[j];
                        counts[(i * left.len() + j) * right.len() + k] += weight * value * left[j] * right[k];
                    }
                }
            }
            outside[node.left as usize] = to_left;
            outside[node.right as usize] = to_right;
        }
    }
    result
}

/// The smoothed tensor of a rule, from plain counts.
fn plain_tensor(prepared: &Prepared, plain: &Plain, rule: usize, constant: f64) -> Vec<f64> {
    let symbols = parts(prepared.grammar.rules().rules()[rule]);
    let share = |symbol: usize| -> Vec<f64> {
        let sums = &plain.symbols[symbol];
        sums.iter().map(|value| value / sums.iter().sum::<f64>()).collect()
    };
    let [p, f, f2] = symbols.map(share);
    let [ma, mb, mc] = [p.len(), f.len(), f2.len()];
    let weight = prepared.bank.weight_of(&prepared.bank.applications[rule]);
    let mut moments = RuleMoments {
        weight,
        z: vec![0.0; ma],
        y: vec![0.0; mb],
        y2: vec![0.0; mc],
        zy: vec![0.0; ma * mb],
        zy2: vec![0.0; ma * mc],
        yy2: vec![0.0; mb * mc],
        third: vec![0.0; ma * mb * mc],
    };
    for (at, &count) in plain.rules[rule].iter().enumerate() {
        let (i, j, k) = (at / (mb * mc), at / mc % mb, at % mc);
        let joint = count / weight;
        let scaled = joint / p[i];
        moments.third[at] = scaled;
        moments.z[i] += scaled;
        moments.zy[i * mb + j] += scaled;
        moments.zy2[i * mc + k] += scaled;
        moments.yy2[j * mc + k] += joint;
        moments.y[j] += joint;
        moments.y2[k] += joint;
    }
    let means = [
        SymbolMeans { inside: Vec::new(), outside: vec![1.0; ma] },
        SymbolMeans { inside: f, outside: Vec::new() },
        SymbolMeans { inside: f2, outside: Vec::new() },
    ];
    let mut tensor = Vec::new();
    let moments = (weight > 0.0).then_some(&moments);
    smooth(moments, [&means[0], &means[1], &means[2]], constant, |_, row| {
        tensor.extend(row.iter().map(|value| prepared.probabilities[rule] * value));
    });
    tensor
}

#[test]
fn a_step_equals_the_plain_computation() {
    let prepared = Prepared::new(&sample(80), 2.0);
    let Prepared { bank, grammar, .. } = &prepared;
    // Various numbers of states: below, at and beyond a whole number of lanes.
    let dims: Vec<u32> =
        (0..grammar.symbols().len() as u32).map(|symbol| [1, 3, 4, 5, 8, 2][symbol as usize % 6]).collect();
    for constant in [0.0, 10.0] {
        let smoothing = SmoothingConfig { rules: constant, ..SmoothingConfig::none() };
        let mut trainer = prepared.trainer(prepared.start(dims.clone()), smoothing);
        for _ in 0..3 {
            let expected = plain(&prepared, trainer.parameters());
            let found = trainer.step();
            assert!(
                (found - expected.log_likelihood).abs() < 1e-6 * found.abs(),
                "{found} {}",
                expected.log_likelihood
            );
            let parameters = trainer.parameters();
            for (rule, &probability) in prepared.probabilities.iter().enumerate() {
                let tensor = plain_tensor(&prepared, &expected, rule, constant);
                let [ma, mb, mc] = parts(grammar.rules().rules()[rule]).map(|symbol| dims[symbol] as usize);
                for at in 0..ma * mb * mc {
                    let place = at / (mb * mc) * row_length(mb, mc) + at % (mb * mc);
                    let value = f64::from(parameters.tensor(rule)[place]);
                    let tolerance = 1e-4 * tensor[at] + 1e-6 * probability;
                    assert!((value - tensor[at]).abs() < tolerance, "rule {rule}: {value} {}", tensor[at]);
                }
            }
            let phrases = grammar.symbols().phrases();
            for (tag, sites) in bank.sites[phrases..].iter().enumerate() {
                let of_tag = &expected.symbols[phrases + tag];
                let word = bank.nodes[sites[0] as usize].word;
                let nodes: Vec<&u32> =
                    sites.iter().filter(|&&node| bank.nodes[node as usize].word == word).collect();
                for state in 0..of_tag.len() {
                    let sum: f64 = nodes.iter().map(|&&node| expected.nodes[node as usize][state]).sum();
                    let value = sum
                        / bank.weight_of(&nodes.iter().map(|&&node| node).collect::<Vec<_>>())
                        / (of_tag[state] / bank.weight_of(sites));
                    let profile =
                        f64::from(parameters.profiles.get(Some(word as usize), || None, tag)[state]);
                    assert!((value - profile).abs() < 1e-3 * value + 1e-5, "tag {tag}: {profile} {value}");
                }
            }
            let total: f64 = parameters.roots.iter().map(|&value| f64::from(value)).sum();
            assert!((total - 1.0).abs() < 1e-5, "roots sum to {total}");
        }
    }
}

fn never_falls(prepared: &Prepared, dims: Vec<u32>, steps: usize) {
    let mut trainer = prepared.trainer(prepared.start(dims), SmoothingConfig::none());
    // The start is not normalised, so the first value may be anything.
    trainer.step();
    let first = trainer.step();
    let mut last = first;
    for _ in 0..steps {
        let next = trainer.step();
        assert!(next >= last - 1e-6 * last.abs(), "from {last} to {next}");
        last = next;
    }
    assert!(last > first + 1e-3 * first.abs(), "from {first} only to {last}");
    let now = trainer.log_likelihood();
    assert!(now >= last - 1e-6 * last.abs(), "from {last} to {now}");
}

#[test]
fn the_likelihood_of_a_sample_never_falls_without_smoothing() {
    let prepared = Prepared::new(&sample(600), 1.0);
    never_falls(&prepared, prepared.equal(4), 25);
}

#[test]
fn the_likelihood_of_gum_never_falls_without_smoothing() {
    let root = match std::env::var_os("EIGENTREE_DATA") {
        Some(path) => std::path::PathBuf::from(path),
        None => std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    };
    let path = root.join("constituency/gum/dev.ptb");
    let Ok(file) = std::fs::File::open(&path) else {
        eprintln!("SKIPPED: no {} (set EIGENTREE_DATA to run this test)", path.display());
        return;
    };
    let trees: Vec<Tree> = PennReader::new(file, "dev.ptb").collect::<Result<_, _>>().unwrap();
    let prepared = Prepared::new(&trees, 1.0);
    never_falls(&prepared, em_dims(&prepared.bank, 8), 10);
}

#[test]
fn threads_change_nothing() {
    let prepared = Prepared::new(&sample(300), 1.0);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let start = prepared.start(prepared.equal(5));
            let mut trainer = prepared.trainer(start, SmoothingConfig::default());
            let values: Vec<f64> = (0..3).map(|_| trainer.step()).collect();
            (values, trainer.into_parameters())
        })
    };
    assert!(run(1) == run(3));
}

#[test]
fn repeated_trees_count_as_weights() {
    let trees = sample(60);
    let twice: Vec<Tree> = trees.iter().chain(&trees).cloned().collect();
    let (weighted, repeated) = (Prepared::new(&trees, 2.0), Prepared::new(&twice, 1.0));
    let run = |prepared: &Prepared| {
        let mut trainer = prepared.trainer(prepared.start(prepared.equal(4)), SmoothingConfig::default());
        trainer.step();
        (trainer.log_likelihood(), trainer.subtree_count())
    };
    let (a, b) = (run(&weighted), run(&repeated));
    assert!((a.0 - b.0).abs() < 1e-5 * a.0.abs(), "{a:?} {b:?}");
    assert_eq!(a.1, b.1);
    assert!(a.1 < weighted.bank.nodes.len(), "{} distinct of {}", a.1, weighted.bank.nodes.len());
}

#[test]
fn long_trees_stay_in_range() {
    let mut text = String::new();
    let words = 2000;
    (0..words).for_each(|at| text += &format!("(S (N w{}) ", at % 7));
    text += "(N w)";
    text += &")".repeat(words);
    let prepared = Prepared::new(&[text.parse().unwrap()], 1.0);
    let mut trainer = prepared.trainer(prepared.start(prepared.equal(6)), SmoothingConfig::none());
    let values: Vec<f64> = (0..12).map(|_| trainer.step()).collect();
    assert!(values.iter().all(|value| value.is_finite()), "{values:?}");
    assert!(values[11] > values[1], "{values:?}");
}
