//! The exact parser of latent grammars, compared with enumeration.

use std::collections::BTreeMap;
use std::str::FromStr;

use eigentree_corpus::synthetic::{
    Capitalization, Expansions, GrammarBuilder, LatentGrammar, Oracle, OracleError, SampleConfig, StateId,
    english, grammar_text,
};
use eigentree_corpus::tree::Tree;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Attachment that depends on hidden states, unary chains, rules with one to four children, a word with two tags.
const AMBIGUOUS: &str = "
%root 3 S[x] | 1 NP[a]
S[x] -> 4 NP[a] VP[n] | 2 NP[b] VP[m] | 1 VP[m]
NP[a] -> 3 N[a] | 1 NP[a] PP[a] | 1 N[a] N[b] N[a]
NP[b] -> 2 N[b] | 1 NP[b] PP[b] | 1 X[b]
X[b] -> 1 N[b] | 1 N[a] N[a]
VP[n] -> 3 V[n] NP[a] | 2 V[n] NP[b] PP[b] | 1 V[n] NP[a] PP[a] PP[b] | 1 V[n]
VP[m] -> 1 V[m] NP[b] | 2 V[m] NP[b] PP[a] | 1 V[m]
PP[a] -> P NP[a]
PP[b] -> P NP[b]
N[a] => cat:2 dog saw
N[b] => cat dog:3
V[n] => saw:2 cat
V[m] => saw dog
P => with
";

/// All derivations of `words` from `state` as trees in brackets with their probabilities, by exhaustive search.
fn derivations(grammar: &LatentGrammar, state: StateId, words: &[&str]) -> Vec<(String, f64)> {
    let label = grammar.label(state);
    match grammar.expansions(state) {
        Expansions::Tag(list) => {
            let fits = list.iter().filter(|(word, _)| [grammar.words().text(*word)] == *words);
            fits.map(|&(_, probability)| (format!("({label} {})", words[0]), probability)).collect()
        }
        Expansions::Phrase(rules) => {
            let mut all = Vec::new();
            for rule in rules {
                for (inner, probability) in sequences(grammar, &rule.children, words) {
                    all.push((format!("({label}{inner})"), rule.probability * probability));
                }
            }
            all
        }
    }
}

fn sequences(grammar: &LatentGrammar, states: &[StateId], words: &[&str]) -> Vec<(String, f64)> {
    let Some((&first, rest)) = states.split_first() else {
        return if words.is_empty() { vec![(String::new(), 1.0)] } else { Vec::new() };
    };
    let mut all = Vec::new();
    // Every state yields at least one word.
    for split in (1..=words.len()).filter(|split| words.len() - split >= rest.len()) {
        for (right, q) in sequences(grammar, rest, &words[split..]) {
            for (left, p) in derivations(grammar, first, &words[..split]) {
                all.push((format!(" {left}{right}"), p * q));
            }
        }
    }
    all
}

/// All trees of a sentence with their probabilities, hidden states summed out.
fn all_trees(grammar: &LatentGrammar, words: &[&str]) -> Vec<(Tree, f64)> {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for &(root, prior) in grammar.roots() {
        for (tree, probability) in derivations(grammar, root, words) {
            *sums.entry(tree).or_default() += prior * probability;
        }
    }
    sums.into_iter().map(|(tree, probability)| (Tree::from_str(&tree).unwrap(), probability)).collect()
}

/// All sentences of up to `most` words.
fn sentences(most: usize) -> Vec<Vec<&'static str>> {
    let mut all: Vec<Vec<&str>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..most {
        let until = all.len();
        for at in from..until {
            for word in ["cat", "dog", "saw", "with"] {
                all.push(all[at].iter().copied().chain([word]).collect());
            }
        }
        from = until;
    }
    all
}

/// Labels with spans, with multiplicity.
fn brackets(tree: &Tree) -> BTreeMap<(String, usize, usize), f64> {
    let mut brackets = BTreeMap::new();
    for node in tree.nodes().filter(|node| !node.is_word()) {
        *brackets.entry((node.label().to_owned(), node.span().start, node.span().end)).or_default() += 1.0;
    }
    brackets
}

#[test]
fn sums_and_choices_are_those_of_enumeration() {
    let grammar = grammar_text::parse(AMBIGUOUS).unwrap();
    let oracle = Oracle::new(&grammar).unwrap();
    let (mut ambiguous, mut unlike_viterbi) = (0, 0);
    for words in sentences(5) {
        let (trees, probabilities): (Vec<Tree>, Vec<f64>) = all_trees(&grammar, &words).into_iter().unzip();
        let sentence = words.join(" ");
        let parse = oracle.parse(&words);
        assert_eq!(parse.is_some(), !trees.is_empty(), "{sentence}");
        let Some(parse) = parse else { continue };
        let total: f64 = probabilities.iter().sum();
        let sum = parse.log_probability.exp();
        assert!((sum / total - 1.0).abs() < 1e-9, "{sentence}: {sum} for {total}");

        let mut marginals: BTreeMap<(String, usize, usize), f64> = BTreeMap::new();
        for (tree, probability) in trees.iter().zip(&probabilities) {
            for (bracket, times) in brackets(tree) {
                *marginals.entry(bracket).or_default() += times * probability / total;
            }
        }
        let gain = |tree: &Tree| -> f64 {
            brackets(tree).iter().map(|(bracket, times)| times * (marginals[bracket] - 0.5)).sum()
        };
        let most = trees.iter().map(gain).fold(f64::NEG_INFINITY, f64::max);
        assert!((gain(&parse.tree) - most).abs() < 1e-9, "{sentence}: {}", parse.tree);
        assert!(trees.contains(&parse.tree));
        ambiguous += usize::from(trees.len() > 1);
        let best = (0..trees.len()).max_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b])).unwrap();
        unlike_viterbi += usize::from(trees[best] != parse.tree);

        // With its tags, the sentence has the trees with these tags.
        let tree = &trees[0];
        let tags = |tree: &Tree| -> Vec<String> {
            let tags = tree.nodes().filter(|node| node.is_preterminal());
            tags.map(|node| node.label().to_owned()).collect()
        };
        let given = tags(tree);
        let agreeing = trees.iter().zip(&probabilities).filter(|(tree, _)| tags(tree) == given);
        let total: f64 = agreeing.map(|(_, probability)| probability).sum();
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let tagged = oracle.parse_tagged(&words, &given).unwrap();
        assert!((tagged.log_probability.exp() / total - 1.0).abs() < 1e-9, "{sentence}");
    }
    assert!(ambiguous > 50 && unlike_viterbi > 0, "{ambiguous}, {unlike_viterbi}");
}

#[test]
fn what_the_grammar_does_not_derive_has_no_tree() {
    let grammar = grammar_text::parse(AMBIGUOUS).unwrap();
    let oracle = Oracle::new(&grammar).unwrap();
    assert_eq!(oracle.parse(&[]), None);
    assert_eq!(oracle.parse(&["with", "cat"]), None);
    assert_eq!(oracle.parse(&["unheard-of"]), None);
    assert_eq!(oracle.parse_tagged(&["cat", "saw"], &["N"]), None);
    assert_eq!(oracle.parse_tagged(&["cat", "saw"], &["N", "P"]), None);
    assert!(oracle.parse_tagged(&["cat", "saw"], &["N", "V"]).is_some());
}

#[test]
fn cycles_of_single_children_are_refused() {
    let mut builder = GrammarBuilder::new();
    let (a, b, t) =
        (builder.state("A", "", None), builder.state("B", "", None), builder.state("T", "", None));
    builder.root(a, 1.0, None).unwrap();
    builder.rule(a, &[b], 1.0, None).unwrap();
    builder.rule(b, &[a], 1.0, None).unwrap();
    builder.rule(b, &[t], 1.0, None).unwrap();
    builder.word(t, "x", 1.0, None).unwrap();
    let grammar = builder.build(Capitalization::AsWritten).unwrap();
    assert!(matches!(Oracle::new(&grammar), Err(OracleError::Cycle { .. })));
}

/// Trees of whole sentences cannot be enumerated, but each sampled one is a part of the sum.
#[test]
fn drawn_trees_are_part_of_the_sum() {
    let oracle = Oracle::new(english()).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut exact = 0;
    for _ in 0..100 {
        let tree = english().sample(&SampleConfig::default(), &mut rng).unwrap();
        let words: Vec<&str> = tree.words().collect();
        let parse = oracle.parse(&words).unwrap();
        let drawn = english().log_probability(&tree);
        assert!(drawn <= parse.log_probability + 1e-9, "{tree}");
        assert!(english().log_probability(&parse.tree) <= parse.log_probability + 1e-9, "{}", parse.tree);
        exact += usize::from(parse.tree == tree);
    }
    assert!(exact >= 85, "{exact} of 100");
}
