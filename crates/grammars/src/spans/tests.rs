//! Inference against the enumeration of all trees, pruning, and learning.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::config::SpanConfig;
use super::examples::Example;
use super::inference::{Choice, Posteriors, Scores, best_tree};
use super::lattice::{Branch, Lattice, Node, SymbolName, Visibility};
use super::learner::SpanLearner;
use super::view::View;
use models::learn::{Progress, Silent};

/// A lattice over a few words with two symbols per span, of which some branches are missing.
fn random_lattice(rng: &mut ChaCha8Rng, words: u32) -> Lattice {
    let names = ["NP", "@NP~NN"].map(SymbolName::of);
    let node = |start, end, name| Node { name, start, end, log: -1.0, votes: 0.0, item: 0 };
    let mut lattice = Lattice::empty(words as usize);
    let mut found: Vec<(u32, u32, u32)> = Vec::new();
    for start in 0..words {
        for name in names {
            found.push((start, start + 1, lattice.nodes.len() as u32));
            lattice.push(node(start, start + 1, name));
        }
    }
    lattice.preterminals = lattice.nodes.len();
    for width in 2..=words {
        for start in 0..=words - width {
            for name in names {
                for split in start + 1..start + width {
                    let at =
                        |i, j| found.iter().filter(move |&&(s, e, _)| (s, e) == (i, j)).map(|&(.., n)| n);
                    for left in at(start, split) {
                        for right in at(split, start + width) {
                            if rng.random_bool(0.6) {
                                lattice.branches.push(Branch { left, right, log: -1.0 });
                            }
                        }
                    }
                }
                if !lattice.has_no_new_branch() {
                    let number = lattice.nodes.len() as u32;
                    found.push((start, start + width, number));
                    if width == words {
                        lattice.roots.push(number);
                    }
                    lattice.push(node(start, start + width, name));
                }
            }
        }
    }
    lattice
}

/// All trees below a node: their scores, nodes and branches.
fn trees(lattice: &Lattice, scores: &Scores, node: u32) -> Vec<(f64, Vec<u32>, Vec<usize>)> {
    let own = f64::from(scores.nodes[node as usize]);
    if (node as usize) < lattice.preterminals {
        return vec![(own, vec![node], Vec::new())];
    }
    let mut all = Vec::new();
    for at in lattice.range(node as usize) {
        let branch = lattice.branches[at];
        for (left, left_nodes, left_branches) in trees(lattice, scores, branch.left) {
            for (right, right_nodes, right_branches) in trees(lattice, scores, branch.right) {
                let nodes = [&[node][..], &left_nodes, &right_nodes].concat();
                let branches = [&[at][..], &left_branches, &right_branches].concat();
                all.push((own + f64::from(scores.branches[at]) + left + right, nodes, branches));
            }
        }
    }
    all
}

#[test]
fn posteriors_and_the_best_tree_are_those_of_all_trees() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut seen = 0;
    for round in 0..60 {
        let lattice = random_lattice(&mut rng, 1 + round % 4);
        if lattice.words > 1 && lattice.roots.is_empty() {
            continue;
        }
        let mut random = |count: usize| (0..count).map(|_| rng.random_range(-30.0..30.0_f32)).collect();
        let scores = Scores { nodes: random(lattice.nodes.len()), branches: random(lattice.branches.len()) };
        let all: Vec<_> = lattice.roots.iter().flat_map(|&root| trees(&lattice, &scores, root)).collect();
        let most = all.iter().map(|tree| tree.0).fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = all.iter().map(|tree| (tree.0 - most).exp()).sum();
        let (mut nodes, mut branches) = (vec![0.0; lattice.nodes.len()], vec![0.0; lattice.branches.len()]);
        for (score, own_nodes, own_branches) in &all {
            let probability = (score - most).exp() / total;
            own_nodes.iter().for_each(|&node| nodes[node as usize] += probability);
            own_branches.iter().for_each(|&branch| branches[branch] += probability);
        }
        let (mut posteriors, mut choice) = (Posteriors::default(), Choice::default());
        let log = posteriors.fill(&lattice, &scores);
        best_tree(&lattice, &scores, &mut choice);
        if all.is_empty() {
            assert!(choice.root.is_none());
            continue;
        }
        assert!((log - most - total.ln()).abs() < 1e-6, "{log} and {}", most + total.ln());
        for (found, expected) in posteriors.nodes.iter().zip(&nodes) {
            assert!((f64::from(*found) - expected).abs() < 1e-5, "{found} and {expected}");
        }
        for (found, expected) in posteriors.branches.iter().zip(&branches) {
            assert!((f64::from(*found) - expected).abs() < 1e-5, "{found} and {expected}");
        }
        let mut score = 0.0;
        choice.walk(&lattice, |node, branch| {
            score += f64::from(scores.nodes[node]);
            score += branch.map_or(0.0, |branch| f64::from(scores.branches[branch]));
        });
        assert!((score - most).abs() < 1e-3, "{score} and {most}");
        seen += all.len();
    }
    assert!(seen > 1000, "{seen} trees");
}

#[test]
fn scores_that_are_no_numbers_give_a_tree_all_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let lattice = random_lattice(&mut rng, 4);
    let (mut posteriors, mut choice) = (Posteriors::default(), Choice::default());
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        let scores =
            Scores { nodes: vec![value; lattice.nodes.len()], branches: vec![value; lattice.branches.len()] };
        posteriors.fill(&lattice, &scores);
        best_tree(&lattice, &scores, &mut choice);
        let mut words = 0;
        choice.walk(&lattice, |node, _| words += usize::from(node < lattice.preterminals));
        assert_eq!(words, 4, "{value}");
    }
}

#[test]
fn names_keep_apart_what_differs_and_join_what_is_alike() {
    let [np, chain, intermediate] = ["NP", "NP|NN", "@NP~NN"].map(SymbolName::of);
    assert_eq!((np.top, np.labels, np.visibility), (chain.top, 1, Visibility::Constituent));
    assert_eq!(chain.labels, 2);
    assert_ne!(np.label, chain.label);
    assert_eq!(intermediate.visibility, Visibility::Intermediate);
    assert_ne!(intermediate.top, np.top);
    assert_eq!(chain.tag, SymbolName::of("NN").tag);
}

/// Examples whose grammar finds all trees equally good, and in whose treebank the right branch is always the last one.
pub(super) fn random_examples(rng: &mut ChaCha8Rng, count: usize) -> Vec<Example> {
    let mut examples = Vec::new();
    while examples.len() < count {
        let lattice = random_lattice(rng, 3);
        let Some(&root) = lattice.roots.last() else { continue };
        let (mut right_nodes, mut right_branches) =
            (vec![false; lattice.nodes.len()], vec![false; lattice.branches.len()]);
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            right_nodes[node as usize] = true;
            if let Some(at) = lattice.range(node as usize).last() {
                right_branches[at] = true;
                open.extend([lattice.branches[at].left, lattice.branches[at].right]);
            }
        }
        let view = View::of_tags(&[examples.len() as u64, 1, 2]);
        let in_treebank = right_nodes.clone();
        examples.push(Example { view, lattice, right_nodes, right_branches, in_treebank, reached: true });
    }
    examples
}

#[test]
fn learning_prefers_what_is_right_to_what_the_grammar_prefers() {
    let examples = random_examples(&mut ChaCha8Rng::seed_from_u64(3), 40);
    let learn = |epochs: usize| {
        let mut silent = Silent;
        let mut progress = Progress::new(&mut silent);
        let config = SpanConfig { epochs, rate: 0.05, ..SpanConfig::default() };
        SpanLearner { config }.learn(&examples, &mut progress).unwrap();
        let report = progress.finish(()).report;
        let figures = report.stages.iter().flat_map(|stage| &stage.figures);
        figures.filter(|figure| figure.name == "mean loss").map(|figure| figure.value).collect::<Vec<_>>()
    };
    let losses = learn(30);
    assert_eq!(losses.len(), 30);
    assert!(losses[29] < 0.5 * losses[0], "{losses:?}");
}
