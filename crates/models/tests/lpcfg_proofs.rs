//! What must hold of latent-variable grammars as users learn them: with one state they are PCFGs, trees are part of their
//! sentence's sum, the number of threads changes nothing, long sentences stay in range.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a failed unwrap is a failed test; a skipped one says so"
)]

mod common;

use common::{tagged, treebank, untagged};
use corpus::ids::Id;
use corpus::synthetic::{NormalFormConfig, NormalFormLpcfg, SampleConfig, english, sample_treebank};
use corpus::tree::Tree;
use eigentree_models::grammar::{BinaryRule, SymbolId, SymbolKind};
use eigentree_models::learn::{Learner, Silent};
use eigentree_models::lexicon::{Observation, SentenceEmissions};
use eigentree_models::lpcfg::{
    Decoding, Lpcfg, LpcfgConfig, LpcfgLearner, Method, Parser, ParserConfig, Scratch, SpectralConfig,
};
use eigentree_models::pcfg::{self, Outcome, Pcfg, PrunerConfig, Pruning};
use eigentree_models::persist::ContainerWriter;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const EVERYTHING: PrunerConfig =
    PrunerConfig { coarse_threshold: 0.0, estimate_threshold: 0.0, edge_threshold: 0.0 };

fn learn(trees: &[Tree], members: Vec<Method>) -> Lpcfg {
    let config = LpcfgConfig { members, ..LpcfgConfig::default() };
    LpcfgLearner { config }.learn(trees, &mut Silent).unwrap().model
}

fn spectral(states: usize) -> SpectralConfig {
    SpectralConfig { states, ..SpectralConfig::default() }
}

/// `log p(tree)` of the grammar without states, in normal form; `None` if it does not derive the tree.
fn log_probability(model: &Pcfg, tree: &Tree, sentence: &[Observation<'_>]) -> Option<f64> {
    let symbols = model.symbols();
    let mut emissions = SentenceEmissions::default();
    model.lexicon().emissions_of_sentence(sentence, &mut emissions);
    let id = |node: corpus::tree::NodeRef<'_>| {
        let kind = if node.is_preterminal() { SymbolKind::Preterminal } else { SymbolKind::Phrase };
        symbols.get(kind, node.label())
    };
    let mut sum = f64::from(model.weights().roots[id(tree.root())?.index()]).ln();
    for node in tree.nodes().filter(|node| !node.is_word()) {
        let parent = id(node)?;
        sum += if node.is_preterminal() {
            let tag = parent.index() - symbols.phrases();
            let mut found = emissions.word(node.span().start).iter();
            f64::from(found.find(|emission| emission.preterminal.index() == tag)?.probability).ln()
        } else {
            let children: Vec<SymbolId> = node.children().map(id).collect::<Option<_>>()?;
            let rule = BinaryRule { parent, left: children[0], right: children[1] };
            f64::from(model.weights().rules[model.rules().find(rule)?.index()]).ln()
        };
    }
    Some(sum)
}

/// One state is no state: relative frequencies, whichever learner and however smoothed.
#[test]
fn one_state_is_the_pcfg() {
    let trees = sample_treebank(english(), 600, 3).unwrap();
    let cluster = Method::Cluster { spectral: spectral(1), steps: 2 };
    let model = learn(
        &trees,
        vec![Method::Spectral(spectral(1)), cluster, Method::Em { states: 1, steps: 2, seed: 1 }],
    );
    let grammar = model.grammar();
    let normal_form = LpcfgConfig::default().grammar.normal_form;
    let mut worst = 0.0_f64;
    for tree in &trees {
        for sentence in [tagged(tree), untagged(tree)] {
            let normal = normal_form.apply(tree.clone());
            // A rare word's tag may be below what the lexicon keeps.
            let Some(truth) = log_probability(grammar, &normal, &sentence) else { continue };
            for found in model.tree_probabilities(&normal, &sentence) {
                assert_eq!(found.sign, 1);
                worst = worst.max((found.log - truth).abs());
            }
        }
    }
    eprintln!("log p(tree) off by at most {worst:e}");
    assert!(worst < 1e-4);

    let (mut scratch, mut plain_scratch) = (Scratch::default(), pcfg::Scratch::default());
    let (mut same, mut all) = (0, 0);
    for (decoding, plain) in [
        (Decoding::RuleSum, pcfg::Decoding::MaxRuleSum),
        (Decoding::RuleProduct, pcfg::Decoding::MaxRuleProduct),
    ] {
        let config = ParserConfig { decoding, pruner: EVERYTHING, ..ParserConfig::default() };
        let parser = Parser::new(&model, config);
        let plain =
            pcfg::ParserConfig { decoding: plain, pruning: Pruning::None, ..pcfg::ParserConfig::default() };
        let plain = pcfg::Parser::new(grammar, plain);
        for tree in trees.iter().step_by(10) {
            let sentence = untagged(tree);
            let found = parser.parse(&sentence, &mut scratch).unwrap();
            let truth = plain.parse(&sentence, &mut plain_scratch).unwrap();
            assert_eq!((found.outcome, truth.outcome), (Outcome::Parsed, Outcome::Parsed));
            let slack = 1e-4 * truth.log_probability.abs().max(1.0);
            assert!((found.log_probability - truth.log_probability).abs() < slack);
            same += usize::from(found.tree == truth.tree);
            all += 1;
        }
    }
    eprintln!("{same} of {all} trees are the same");
    // Trees of equal worth may be told apart by rounding.
    assert!(same * 100 >= all * 98, "{same} of {all}");
}

/// `p(tree) ≤ Z` wherever numbers are probabilities; how far estimates that may be negative are from it is told.
fn gold_trees(name: &str, train: &[Tree], dev: &[Tree], every: usize) {
    let normal_form = LpcfgConfig::default().grammar.normal_form;
    // Both parts, so that the grammar has every rule.
    let all: Vec<Tree> = train.iter().chain(dev).cloned().collect();
    let cluster = Method::Cluster { spectral: spectral(4), steps: 0 };
    let models = [
        ("cluster", learn(&all, vec![cluster])),
        ("spectral", learn(&all, vec![Method::Spectral(spectral(4))])),
    ];
    let pruner = PrunerConfig { coarse_threshold: 1e-6, estimate_threshold: 1e-9, edge_threshold: 1e-7 };
    for (kind, model) in &models {
        let parser = Parser::new(model, ParserConfig { pruner, ..ParserConfig::default() });
        let mut scratch = Scratch::default();
        let (mut checked, mut without, mut above, mut negative, mut closest) = (0, 0, 0, 0, f64::INFINITY);
        for gold in dev.iter().step_by(every) {
            let sentence = tagged(gold);
            let tree = model.tree_probabilities(&normal_form.apply(gold.clone()), &sentence)[0];
            let marginals = parser.marginals(&sentence, &mut scratch);
            let Some(marginals) = marginals.filter(|_| tree.sign != 0) else {
                without += 1;
                continue;
            };
            checked += 1;
            let total = marginals.partitions()[0];
            assert!(total.log.is_finite() && tree.log.is_finite());
            negative += usize::from(tree.sign < 0 || total.sign < 0);
            let room = total.log - tree.log;
            closest = closest.min(room);
            let exceeds = room < -(1e-3 + 1e-5 * total.log.abs());
            above += usize::from(exceeds);
            assert!(
                *kind == "spectral" || (!exceeds && tree.sign > 0 && total.sign > 0),
                "{name}, {kind}: log p(tree) {} above log Z {}: {gold}",
                tree.log,
                total.log
            );
        }
        eprintln!(
            "{name}, {kind}: {checked} gold trees, {without} without a number, {negative} with a negative p or Z, \
             {above} with |p| above |Z|; least log Z − log p is {closest:.5}"
        );
        assert!(checked > 4 * without && checked > 20, "{name}, {kind}: {checked}, {without}");
        // Signed estimates cancel in sums over trees, so that |Z| may come out below one of its terms; seldom.
        assert!(above * 10 <= checked, "{name}, {kind}: {above} of {checked}");
    }
}

#[test]
fn gold_trees_of_gum_are_part_of_the_sum() {
    let (Some(train), Some(dev)) = (treebank("gum/train.ptb"), treebank("gum/dev.ptb")) else { return };
    gold_trees("GUM", &train, &dev, 8);
}

#[test]
fn gold_trees_of_craft_are_part_of_the_sum() {
    let (Some(train), Some(dev)) = (treebank("craft/train.ptb"), treebank("craft/dev.ptb")) else { return };
    gold_trees("CRAFT", &train[..train.len().min(3000)], &dev, 25);
}

fn bytes(model: &Lpcfg) -> Vec<u8> {
    let mut writer = ContainerWriter::new(&Lpcfg::metadata());
    model.save(&mut writer);
    let mut bytes = Vec::new();
    writer.write_to(&mut bytes).unwrap();
    bytes
}

/// The same bytes whatever the number of threads.
#[test]
fn threads_do_not_matter() {
    let trees = sample_treebank(english(), 700, 5).unwrap();
    let few = SpectralConfig { nodes_per_state: 10.0, dropout: 0.1, ..spectral(8) };
    for (name, method) in [
        ("spectral", Method::Spectral(few.clone())),
        ("cluster", Method::Cluster { spectral: few, steps: 3 }),
        ("EM", Method::Em { states: 4, steps: 3, seed: 2 }),
    ] {
        let learnt = [1, 2, 5].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            bytes(&pool.install(|| learn(&trees, vec![method.clone()])))
        });
        assert!(learnt[0] == learnt[1] && learnt[0] == learnt[2], "{name} depends on the number of threads");
        let again = bytes(&learn(&trees, vec![method.clone()]));
        assert!(again == learnt[0], "{name} differs from run to run");
    }
}

/// Three hundred words: no underflow, no overflow.
#[test]
fn long_sentences_stay_in_range() {
    let members = |states| {
        let few = SpectralConfig { nodes_per_state: 5.0, ..spectral(states) };
        vec![Method::Spectral(few.clone()), Method::Cluster { spectral: few, steps: 1 }]
    };
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let config = NormalFormConfig { interminals: 3, preterminals: 3, words: 6, states: 2 };
    let source = NormalFormLpcfg::random(config, &mut rng).to_grammar();
    let small: Vec<Tree> =
        (0..2000).map(|_| source.sample(&SampleConfig::default(), &mut rng).unwrap()).collect();
    let english = sample_treebank(english(), 1500, 6).unwrap();
    for (name, trees, is_ambiguous) in [("normal form", small, true), ("english", english, false)] {
        let model = learn(&trees, members(4));
        let parser = Parser::new(&model, ParserConfig::default());
        let mut scratch = Scratch::default();
        let words: Vec<&str> = trees.iter().flat_map(Tree::words).filter(|word| *word != ".").collect();
        for length in [100, 300] {
            let sentence: Vec<Observation<'_>> =
                words[..length].iter().map(|&word| Observation::Word(word)).collect();
            let (parses, marginals) = parser.parse_with_marginals(&sentence, 1, &mut scratch);
            assert_eq!(parses[0].tree.word_count(), length);
            match marginals {
                Some(marginals) => {
                    assert_eq!(parses[0].outcome, Outcome::Parsed);
                    let logs: Vec<f64> = marginals.partitions().iter().map(|z| z.log).collect();
                    eprintln!("{name}, {length} words: log Z {logs:?}");
                    assert!(logs.iter().all(|log| log.is_finite() && *log < 0.0));
                    let spans = marginals.spans();
                    assert!(spans.iter().all(|span| (0.0..=1.0).contains(&span.confidence)));
                }
                None => {
                    eprintln!("{name}, {length} words: {:?}", parses[0].outcome);
                    assert!(!is_ambiguous, "{name} derives every sentence");
                }
            }
        }
    }
}
