//! The embedded grammar: its trees are well-formed and varied, and respect the agreement encoded in its hidden states.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use eigentree_corpus::format::penn;
use eigentree_corpus::synthetic::{Expansions, HiddenStates, SampleConfig, english, sample_treebank};
use eigentree_corpus::tree::root::unwrap_root;
use eigentree_corpus::tree::{NodeRef, Tree};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn with_states(n: usize, seed: u64) -> Vec<Tree> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let config = SampleConfig { hidden_states: HiddenStates::Keep, ..SampleConfig::default() };
    (0..n).map(|_| english().sample(&config, &mut rng).expect("a sentence within the limit")).collect()
}

/// Label and features of a node with its state kept.
fn parts(node: NodeRef<'_>) -> (&str, Vec<&str>) {
    match node.label().split_once('[') {
        Some((label, features)) if !label.is_empty() => {
            (label, features.trim_end_matches(']').split(',').collect())
        }
        _ => (node.label(), Vec::new()),
    }
}

fn sentence(tree: &Tree) -> String {
    tree.words().collect::<Vec<_>>().join(" ")
}

#[test]
fn probabilities_are_normalised() {
    let grammar = english();
    for state in grammar.states() {
        let total: f64 = match grammar.expansions(state) {
            Expansions::Phrase(rules) => rules.iter().map(|rule| rule.probability).sum(),
            Expansions::Tag(words) => words.iter().map(|(_, probability)| probability).sum(),
        };
        assert!((total - 1.0).abs() < 1e-9, "{} sums to {total}", grammar.name(state));
    }
    assert!((grammar.roots().iter().map(|(_, p)| p).sum::<f64>() - 1.0).abs() < 1e-12);
}

#[test]
fn a_treebank_is_varied_and_of_natural_length() {
    let grammar = english();
    let trees = sample_treebank(grammar, 3000, 42).unwrap();
    let words: usize = trees.iter().map(Tree::word_count).sum();
    let mean = words as f64 / trees.len() as f64;
    assert!((10.0..14.0).contains(&mean), "mean length {mean}");
    // The limit of 40 words cuts off little.
    assert!((mean - grammar.expected_length()).abs() < 0.6, "{mean} against {}", grammar.expected_length());

    let distinct: HashSet<String> = trees.iter().map(sentence).collect();
    assert!(distinct.len() as f64 > 0.95 * trees.len() as f64, "{} distinct", distinct.len());

    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    trees.iter().flat_map(Tree::words).for_each(|word| *counts.entry(word).or_default() += 1);
    assert!(counts.len() > 1500, "{} words", counts.len());
    let once = counts.values().filter(|&&count| count == 1).count();
    assert!(once as f64 > 0.1 * counts.len() as f64, "only {once} words occur once");

    let seen: BTreeSet<&str> = trees
        .iter()
        .flat_map(|tree| tree.nodes().filter(|node| !node.is_word()).map(|node| node.label()))
        .collect();
    for label in grammar.labels() {
        assert!(seen.contains(label.as_str()), "{label} was never sampled");
    }
    assert!(seen.iter().all(|label| !label.contains('[')), "hidden states are dropped");
}

#[test]
fn test_data_hold_unknown_words() {
    let train: HashSet<String> = sample_treebank(english(), 3000, 1)
        .unwrap()
        .iter()
        .flat_map(|t| t.words().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let test = sample_treebank(english(), 500, 2).unwrap();
    let (mut unknown, mut total) = (0, 0);
    for word in test.iter().flat_map(Tree::words) {
        total += 1;
        unknown += usize::from(!train.contains(word));
    }
    let share = unknown as f64 / f64::from(total);
    assert!((0.001..0.05).contains(&share), "{unknown} of {total} words are unknown");
}

#[test]
fn sampling_depends_on_the_seed_alone() {
    let trees = sample_treebank(english(), 60, 9).unwrap();
    assert_eq!(trees[..20], sample_treebank(english(), 20, 9).unwrap()[..]);
    assert_ne!(trees[..20], sample_treebank(english(), 20, 10).unwrap()[..]);
    // Keeping the states changes the labels and nothing else.
    for (kept, dropped) in with_states(60, 9).iter().zip(&trees) {
        assert_eq!(sentence(kept), sentence(dropped));
        assert_eq!(kept.node_count() + 1, dropped.node_count());
    }
}

#[test]
fn every_tree_survives_penn_brackets() {
    for tree in sample_treebank(english(), 3000, 5).unwrap() {
        assert_eq!(tree.root().label(), "ROOT");
        assert_eq!(penn::to_line(&tree).parse::<Tree>().unwrap(), tree);
        assert_eq!(penn::to_pretty(&tree).parse::<Tree>().unwrap(), tree);
    }
}

#[test]
fn sentences_begin_with_a_capital_letter() {
    for tree in sample_treebank(english(), 500, 6).unwrap() {
        let first = tree
            .words()
            .find(|word| word.chars().any(char::is_alphanumeric))
            .unwrap()
            .chars()
            .next()
            .unwrap();
        assert!(!first.is_lowercase(), "{tree}");
    }
}

#[test]
fn subjects_agree_with_their_verbs() {
    let (mut present, mut past_be) = (0, 0);
    for tree in with_states(3000, 42) {
        for node in tree.nodes().filter(|node| !node.is_word() && !node.is_preterminal()) {
            let children: Vec<NodeRef<'_>> = node.children().collect();
            for pair in children.windows(2) {
                let ((np, features), (vp, _)) = (parts(pair[0]), parts(pair[1]));
                if np != "NP" || vp != "VP" || parts(node).0 != "S" {
                    continue;
                }
                // "The plan" and the "it" of "it is clear" are singular without saying so.
                let number = match *features.first().unwrap() {
                    "plan" | "it" => "sg",
                    number => number,
                };
                let Some(verb) = pair[1].children().find(|c| ["VBZ", "VBP", "VBD"].contains(&parts(*c).0))
                else {
                    continue;
                };
                let (tag, word) = (parts(verb).0, verb.word().unwrap());
                let fits = match (number, tag, word) {
                    ("sg", "VBZ", _) | ("pl", "VBP", _) => word != "am",
                    ("i", "VBP", _) => word != "are",
                    ("sg" | "i", "VBD", "were") | ("pl", "VBD", "was") => false,
                    (_, "VBD", _) => true,
                    ("there", ..) => true,
                    _ => false,
                };
                assert!(fits, "{number} {tag} {word} in {tree}");
                present += usize::from(tag != "VBD");
                past_be += usize::from(word == "was" || word == "were");
            }
        }
    }
    assert!(present > 500 && past_be > 100, "{present} {past_be}");
}

#[test]
fn determiners_agree_with_nouns_in_number_and_sound() {
    let mut checked = 0;
    for tree in sample_treebank(english(), 3000, 42).unwrap() {
        for node in tree.nodes().filter(|node| node.label() == "NP") {
            let children: Vec<NodeRef<'_>> = node.children().collect();
            let Some(first) = children.first().filter(|child| child.label() == "DT") else { continue };
            let determiner = first.word().unwrap().to_lowercase();
            let noun = children.iter().rev().find(|child| ["NN", "NNS", "NNP"].contains(&child.label()));
            let Some(noun) = noun.filter(|noun| noun.label() != "NNP") else { continue };
            match determiner.as_str() {
                "a" | "an" | "this" | "that" | "every" | "another" | "each" => {
                    assert_eq!(noun.label(), "NN", "{tree}")
                }
                "these" | "those" | "all" => assert_eq!(noun.label(), "NNS", "{tree}"),
                _ => continue,
            }
            checked += 1;
            if determiner == "a" || determiner == "an" {
                let next = tree.words().nth(first.span().end).unwrap();
                let vowel =
                    next.starts_with(['a', 'e', 'i', 'o', 'u']) || ["honest", "hourglass"].contains(&next);
                assert_eq!(determiner == "an", vowel, "{determiner} {next} in {tree}");
            }
        }
    }
    assert!(checked > 1000, "{checked}");
}

#[test]
fn attachment_depends_on_hidden_classes() {
    // "with" attaches to nouns and to verbs, both often, and which of them depends on the class of the verb.
    let (mut below_np, mut below_vp) = (0, 0);
    for tree in with_states(3000, 8) {
        for node in tree.nodes().filter(|node| ["NP", "VP"].contains(&parts(*node).0)) {
            for child in node.children().filter(|child| parts(*child).0 == "PP") {
                if child.children().next().and_then(|p| p.word()) == Some("with") {
                    if parts(node).0 == "NP" { below_np += 1 } else { below_vp += 1 }
                }
            }
        }
    }
    assert!(below_np > 100 && below_vp > 100, "{below_np} {below_vp}");
}

#[test]
fn sampled_trees_have_a_probability() {
    for tree in sample_treebank(english(), 50, 3).unwrap() {
        let log_p = english().log_probability(&unwrap_root(tree.clone()));
        assert!(log_p.is_finite() && log_p < 0.0, "{log_p} for {tree}");
    }
    let odd: Tree = "(S (NP (DT The) (NN dog)) (VP (VBP bark)) (. .))".parse().unwrap();
    assert_eq!(english().log_probability(&odd), f64::NEG_INFINITY);
    let even: Tree = "(S (NP (DT The) (NN dog)) (VP (VBZ barks)) (. .))".parse().unwrap();
    assert!(english().log_probability(&even).is_finite());
}

/// The first hundred trees of seed 1, one per line.
const GOLDEN: &str = include_str!("../../../../testdata/sample/english-100.mrg");

fn golden_now() -> String {
    sample_treebank(english(), 100, 1)
        .expect("sentences within the limit")
        .iter()
        .map(|tree| penn::to_line(tree) + "\n")
        .collect()
}

#[test]
fn the_sample_is_the_same_on_every_machine() {
    let now = golden_now();
    for (line, (expected, found)) in GOLDEN.lines().zip(now.lines()).enumerate() {
        assert_eq!(
            expected, found,
            "tree {line}; if the grammar was changed on purpose, make the file anew: eigentree sample english -n 100 -o testdata/sample/english-100.mrg"
        );
    }
    assert_eq!(GOLDEN.lines().count(), now.lines().count());
}
