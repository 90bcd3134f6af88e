//! Brute force: on all short sentences of tiny grammars, charts must compute what enumeration gives.

mod checks;
mod enumeration;

use self::checks::{Seen, check, check_all, closed_words, sentences};
use self::enumeration::Oracle;
use crate::treebanks::{learn, learn_with, trees};
use corpus::synthetic::{NormalFormConfig, NormalFormLpcfg, SampleConfig};
use corpus::tree::binarize::{Direction, Horizontal};
use corpus::tree::heads::HeadRules;
use corpus::tree::markov::Annotated;
use corpus::tree::normal_form::NormalForm;
use corpus::tree::{Tree, TreeBuilder};
use eigentree_grammars::lexicon::Observation;
use eigentree_grammars::pcfg::{Outcome, Parser, ParserConfig, PcfgConfig, Pruning, Scratch};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[test]
fn random_grammars_in_normal_form() {
    for (seed, interminals, preterminals, longest) in
        [(1, 1, 2, 6), (2, 2, 2, 6), (3, 3, 2, 5), (4, 2, 3, 5), (5, 1, 1, 8), (6, 4, 2, 5)]
    {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let words = if preterminals == 1 { 1 } else { 2 };
        let config = NormalFormConfig { interminals, preterminals, words, states: 1 };
        let grammar = NormalFormLpcfg::random(config, &mut rng).to_grammar();
        let sampling = SampleConfig { max_words: 8, ..SampleConfig::default() };
        let sample = (0..25).map(|_| {
            let mut builder = TreeBuilder::new();
            builder.open("ROOT");
            builder.copy(grammar.sample(&sampling, &mut rng).unwrap().root());
            builder.close();
            builder.finish().unwrap()
        });
        let sample: Vec<Tree> = sample.collect();
        let config = PcfgConfig { lexicon: closed_words(), ..PcfgConfig::default() };
        let model = learn_with(&sample, config);
        let all = sentences(&["w0", "w1"][..words], longest);
        let seen = check_all(&model, &all);
        eprintln!("grammar {seed}: {} rules, {} sentences, {seen:?}", model.rules().len(), all.len());
        assert!(seen.parsed > 0 && seen.left_out * 5 < all.len(), "grammar {seed}: {seen:?}");
    }
}

/// Random trees with flat nodes and unary chains.
fn random_treebank(seed: u64, labels: &[&str], count: usize) -> Vec<Tree> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let tree = |rng: &mut ChaCha8Rng| {
        let mut builder = TreeBuilder::new();
        builder.open("ROOT");
        let mut budget = 7_usize;
        grow(&mut builder, rng, labels, &mut budget, 0);
        builder.close();
        builder.finish().unwrap()
    };
    (0..count).map(|_| tree(&mut rng)).collect()
}

fn grow(builder: &mut TreeBuilder, rng: &mut ChaCha8Rng, labels: &[&str], budget: &mut usize, depth: usize) {
    let label = labels[rng.random_range(0..labels.len())];
    if depth > 0 && (*budget < 3 || depth > 3 || rng.random_bool(0.55)) {
        // A tag, sometimes below a chain.
        let chain = rng.random_bool(0.15);
        if chain {
            builder.open(label);
        }
        let word = rng.random_range(0..2_usize);
        let tag = if rng.random_bool(0.8) { word } else { 1 - word };
        builder.preterminal(["T", "U"][tag], ["a", "b"][word]);
        if chain {
            builder.close();
        }
        return;
    }
    let chain = rng.random_bool(0.1);
    builder.open(label);
    if chain {
        builder.open(labels[rng.random_range(0..labels.len())]);
    }
    let arity = rng.random_range(2..=4_usize);
    *budget = budget.saturating_sub(arity - 1);
    for _ in 0..arity {
        grow(builder, rng, labels, budget, depth + 1);
    }
    if chain {
        builder.close();
    }
    builder.close();
}

#[test]
fn flat_treebanks_in_every_normal_form() {
    let forms = [
        ("plain", NormalForm { horizontal: Horizontal::Order(0), ..NormalForm::default() }),
        ("left", NormalForm::default()),
        ("right", NormalForm { direction: Direction::Right, ..NormalForm::default() }),
        ("unlimited", NormalForm { horizontal: Horizontal::Unlimited, ..NormalForm::default() }),
        (
            "head",
            NormalForm {
                direction: Direction::HeadOutward(HeadRules::english()),
                horizontal: Horizontal::Order(0),
                ..NormalForm::default()
            },
        ),
        ("vertical", NormalForm { vertical: 2, ..NormalForm::default() }),
        (
            "all annotated",
            NormalForm { vertical: 3, annotated: Annotated::PhrasesAndTags, ..NormalForm::default() },
        ),
    ];
    for (seed, labels, count) in [(11, &["A", "B"][..], 8), (12, &["A", "B", "C", "D"][..], 25)] {
        let treebank = random_treebank(seed, labels, count);
        for (name, normal_form) in &forms {
            let config = PcfgConfig {
                normal_form: normal_form.clone(),
                lexicon: closed_words(),
                ..PcfgConfig::default()
            };
            let model = learn_with(&treebank, config);
            let is_sparse = count < 10 || normal_form.vertical > 1;
            let all = sentences(&["a", "b"], if is_sparse { 6 } else { 5 });
            let seen = check_all(&model, &all);
            eprintln!(
                "{name}, {seed}: {} phrases, {} rules, {} coarse phrases, {} sentences: {seen:?}",
                model.symbols().phrases(),
                model.rules().len(),
                model.coarse_phrases(),
                all.len()
            );
            assert!(seen.parsed > 10, "{name}, {seed}: {seen:?}");
        }
    }
}

/// Around a head, siblings can be split off in either order: one tree has two derivations, and a list must not contain
/// it twice.
#[test]
fn trees_with_two_derivations() {
    let treebank = trees(&[
        "(ROOT (VP (RB a) (VBD b) (NP (NN a))))",
        "(ROOT (VP (RB a) (RB a) (VBD b)))",
        "(ROOT (VP (VBD b) (PP (IN a)) (NP (NN a))))",
        "(ROOT (VP (VBD b) (NP (NN a)) (NP (NN b) (VP (RB b) (VBD a)))))",
    ]);
    let normal_form = NormalForm {
        direction: Direction::HeadOutward(HeadRules::english()),
        horizontal: Horizontal::Order(0),
        ..NormalForm::default()
    };
    let config = PcfgConfig { normal_form, lexicon: closed_words(), ..PcfgConfig::default() };
    let model = learn_with(&treebank, config);
    let seen = check_all(&model, &sentences(&["a", "b"], 6));
    eprintln!("two derivations: {seen:?}");
    assert!(seen.spurious > 20 && seen.complete_lists > 20, "{seen:?}");
}

/// No rule has two phrases below it: the vectors over right children are empty.
#[test]
fn grammars_without_two_phrases_side_by_side() {
    let treebank = trees(&[
        "(ROOT (S (A a) (S (A a) (B b))))",
        "(ROOT (S (S (A a) (A a)) (B b)))",
        "(ROOT (S (A a) (A a)))",
    ]);
    let model = learn_with(&treebank, PcfgConfig { lexicon: closed_words(), ..PcfgConfig::default() });
    let seen = check_all(&model, &sentences(&["a", "b"], 6));
    assert!(seen.parsed > 10, "{seen:?}");
    let parser = Parser::new(
        &model,
        ParserConfig { pruning: Pruning::Posterior(0.0), coarse_from: 0, ..ParserConfig::default() },
    );
    let parse = parser.parse(&[Observation::Word("a"); 5], &mut Scratch::default()).unwrap();
    assert_eq!(parse.outcome, Outcome::Parsed);
}

/// Tags alone, and words with tags: emissions differ, but the sums must agree.
#[test]
fn given_tags() {
    let treebank = random_treebank(21, &["A", "B", "C"], 12);
    let model = learn(&treebank, NormalForm::default());
    let oracle = Oracle::new(&model);
    let mut seen = Seen::default();
    let mut scratch = Scratch::default();
    for tags in sentences(&["T", "U"], 6) {
        let words: Vec<&str> = tags.clone();
        let observed: Vec<Observation<'_>> = tags.iter().map(|&tag| Observation::Tag(tag)).collect();
        check(&oracle, &words, &observed, &mut scratch, &mut seen);
        let words: Vec<&str> = tags.iter().map(|&tag| if tag == "T" { "a" } else { "new" }).collect();
        let observed: Vec<Observation<'_>> =
            words.iter().zip(&tags).map(|(&word, &tag)| Observation::Tagged(word, tag)).collect();
        check(&oracle, &words, &observed, &mut scratch, &mut seen);
    }
    eprintln!("given tags: {seen:?}");
    assert!(seen.parsed > 50 && seen.ambiguous > 30, "{seen:?}");
}
