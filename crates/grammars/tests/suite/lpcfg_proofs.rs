//! Invariants of latent-variable grammars as users learn them: with one state they are PCFGs, trees are part of the sum
//! of their sentence, the number of threads changes nothing, and long sentences stay in range.

use std::collections::{BTreeMap, BTreeSet};

use crate::treebanks::{tagged, treebank, untagged};
use corpus::ids::Id;
use corpus::synthetic::{NormalFormConfig, NormalFormLpcfg, SampleConfig, english, sample_treebank};
use corpus::tree::Tree;
use eigentree_grammars::grammar::{BinaryRule, SymbolId, SymbolKind};
use eigentree_grammars::lexicon::{Observation, SentenceEmissions};
use eigentree_grammars::lpcfg::{
    Decoding, Lpcfg, LpcfgConfig, LpcfgLearner, Method, Parser, ParserConfig, Scratch, SpectralConfig,
};
use eigentree_grammars::pcfg::{self, Outcome, Pcfg, PrunerConfig, Pruning};
use models::learn::{Learner, Silent};
use models::persist::ModelFile;
use models::signed_log::SignedLog;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const EVERYTHING: PrunerConfig = PrunerConfig {
    coarse_threshold: 0.0,
    estimate_threshold: 0.0,
    boundary_threshold: 0.0,
    edge_threshold: 0.0,
};

fn learn(trees: &[Tree], members: Vec<Method>) -> Lpcfg {
    let config = LpcfgConfig { members, ..LpcfgConfig::default() };
    LpcfgLearner { config }.learn(trees, &mut Silent).unwrap().model
}

fn spectral(states: usize) -> SpectralConfig {
    SpectralConfig { states, ..SpectralConfig::default() }
}

/// `log p(tree)` under the grammar without states, in normal form; `None` if it does not derive the tree.
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

/// With one state the model gives relative frequencies, whatever the learner and the smoothing.
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
    let (mut worst, mut scored) = (0.0_f64, 0);
    for tree in &trees {
        for sentence in [tagged(tree), untagged(tree)] {
            let normal = normal_form.apply(tree.clone());
            // The tag of a rare word may be below the lexicon's cut-off.
            let Some(truth) = log_probability(grammar, &normal, &sentence) else { continue };
            scored += 1;
            for found in model.tree_probabilities(&normal, &sentence) {
                assert_eq!(found.sign, 1);
                worst = worst.max((found.log - truth).abs());
            }
        }
    }
    eprintln!("log p(tree) off by at most {worst:e}");
    assert!(worst < 1e-4);
    assert!(scored >= trees.len(), "only {scored} of {} sentences have a probability", 2 * trees.len());

    let (mut scratch, mut plain_scratch) = (Scratch::default(), pcfg::Scratch::default());
    let (mut same, mut all) = (0, 0);
    for (decoding, plain) in [
        (Decoding::RuleSum, pcfg::Decoding::MaxRuleSum),
        (Decoding::RuleProduct, pcfg::Decoding::MaxRuleProduct),
        (Decoding::ConstituentSum, pcfg::Decoding::MaxConstituentSum),
    ] {
        let config = ParserConfig { decoding, pruner: Some(EVERYTHING), ..ParserConfig::default() };
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
    // Rounding may decide between trees of equal score.
    assert!(same * 100 >= all * 98, "{same} of {all}");
}

/// `p(tree) ≤ Z` wherever the values are probabilities; for estimates that may be negative the deviation is reported.
fn gold_trees(name: &str, train: &[Tree], dev: &[Tree], every: usize) {
    let normal_form = LpcfgConfig::default().grammar.normal_form;
    // Both parts, so that the grammar has every rule.
    let all: Vec<Tree> = train.iter().chain(dev).cloned().collect();
    let cluster = Method::Cluster { spectral: spectral(4), steps: 0 };
    let models = [
        ("cluster", learn(&all, vec![cluster])),
        ("spectral", learn(&all, vec![Method::Spectral(spectral(4))])),
    ];
    // The grammar without states may find a gold tree improbable enough to prune it although the states make it
    // probable. Then the sum lacks the tree, and the search must be wider.
    let widths = [(1e-6, 1e-9, 1e-7), (1e-9, 1e-13, 1e-11), (1e-13, 1e-20, 1e-16)];
    let pruners = widths.map(|(coarse_threshold, estimate_threshold, edge_threshold)| PrunerConfig {
        coarse_threshold,
        estimate_threshold,
        boundary_threshold: 0.0,
        edge_threshold,
    });
    for (kind, model) in &models {
        let parsers = pruners.map(|pruner| {
            Parser::new(model, ParserConfig { pruner: Some(pruner), ..ParserConfig::default() })
        });
        let mut scratch = Scratch::default();
        let (mut checked, mut without, mut widened) = (0, 0, 0);
        let (mut above, mut negative, mut closest) = (0, 0, f64::INFINITY);
        for gold in dev.iter().step_by(every) {
            let sentence = tagged(gold);
            let tree = model.tree_probabilities(&normal_form.apply(gold.clone()), &sentence)[0];
            let mut total = None;
            let exceeds = |total: SignedLog| total.log - tree.log < -(1e-3 + 1e-5 * total.log.abs());
            for (number, parser) in parsers.iter().enumerate() {
                let marginals = parser.marginals(&sentence, &mut scratch);
                total = marginals.map(|marginals| marginals.partitions()[0]);
                widened += usize::from(number > 0);
                if *kind == "spectral" || tree.sign == 0 || !total.is_some_and(exceeds) {
                    break;
                }
            }
            let Some(total) = total.filter(|_| tree.sign != 0) else {
                without += 1;
                continue;
            };
            checked += 1;
            assert!(total.log.is_finite() && tree.log.is_finite());
            negative += usize::from(tree.sign < 0 || total.sign < 0);
            closest = closest.min(total.log - tree.log);
            above += usize::from(exceeds(total));
            assert!(
                *kind == "spectral" || (!exceeds(total) && tree.sign > 0 && total.sign > 0),
                "{name}, {kind}: log p(tree) {} above log Z {}: {gold}",
                tree.log,
                total.log
            );
        }
        eprintln!(
            "{name}, {kind}: {checked} gold trees, {without} without a number, {widened} wider searches, \
             {negative} with a negative p or Z, {above} with |p| above |Z|; least log Z − log p is {closest:.5}"
        );
        assert!(checked > 4 * without && checked > 20, "{name}, {kind}: {checked}, {without}");
        // Signed estimates cancel in sums over trees, so |Z| may be smaller than one of its terms, but rarely.
        assert!(above * 10 <= checked, "{name}, {kind}: {above} of {checked}");
    }
}

#[test]
fn gold_trees_of_gum_are_part_of_the_sum() {
    let (Some(train), Some(dev)) = (treebank("gum/train.ptb"), treebank("gum/dev.ptb")) else { return };
    gold_trees("GUM", &train, &dev, 4);
}

#[test]
fn gold_trees_of_craft_are_part_of_the_sum() {
    let (Some(train), Some(dev)) = (treebank("craft/train.ptb"), treebank("craft/dev.ptb")) else { return };
    gold_trees("CRAFT", &train[..train.len().min(3000)], &dev, 10);
}

/// Marginals use the labels of the treebank, whatever the normal form: they are sums over all trees, listed by n-best
/// parsing, with chains, intermediate nodes and given tags.
#[test]
fn marginals_are_sums_over_all_trees() {
    let trees = crate::treebanks::trees(&[
        "(ROOT (S (NP (PRP a)) (VP (VB b) (NP (NN c)) (PP (IN d) (NP (NN c))))))",
        "(ROOT (S (NP (DT d) (NN c)) (VP (VB b))))",
        "(ROOT (S (S (VP (VB b) (NP (NN a)))) (CC d) (S (NP (NN c)) (VP (VB b)))))",
        "(ROOT (NP (NP (NN c)) (PP (IN d) (NP (PRP a)))))",
        "(ROOT (S (NP (NN a) (NN c)) (VP (VB b) (NP (NN d)) (NP (NN a) (NN c) (NN b)))))",
        "(ROOT (S (NP (NP (NN b)) (PP (IN a) (NP (NN c)))) (VP (VB d) (NP (PRP a)))))",
        "(ROOT (NP (DT a) (NN b) (NN c) (NN d)))",
        "(ROOT (S (VP (VB a) (PP (IN b) (NP (DT a) (NN c))) (PP (IN d) (NP (NN b))))))",
    ]);
    let few = SpectralConfig { nodes_per_state: 3.0, ..spectral(3) };
    for (kind, members) in [
        ("cluster", vec![Method::Cluster { spectral: few.clone(), steps: 1 }]),
        ("spectral", vec![Method::Spectral(few.clone())]),
        ("both", vec![Method::Spectral(few.clone()), Method::Cluster { spectral: few, steps: 0 }]),
    ] {
        let model = learn(&trees, members);
        let normal_form = LpcfgConfig::default().grammar.normal_form;
        let parser =
            Parser::new(&model, ParserConfig { pruner: Some(EVERYTHING), ..ParserConfig::default() });
        let mut scratch = Scratch::default();
        let (mut sentences, mut listed, mut worst) = (0, 0, 0.0_f64);
        for number in 0..4_usize.pow(4) {
            // Give some words a tag, known or not.
            let observe = |at: usize| {
                let word = ["a", "b", "c", "d"][number >> (2 * at) & 3];
                match (number + at) % 11 {
                    0 => Observation::Tagged(word, "NN"),
                    1 => Observation::Tagged(word, "UNHEARD"),
                    _ => Observation::Word(word),
                }
            };
            let sentence: Vec<Observation<'_>> = (0..4).map(observe).collect();
            let (parses, marginals) = parser.parse_with_marginals(&sentence, 5000, &mut scratch);
            let Some(marginals) = marginals else { continue };
            assert!(parses.len() < 5000, "all trees are listed");
            // A tree shows the given tag; with an unknown tag the tree cannot be scored.
            if sentence.iter().any(|observed| matches!(observed, Observation::Tagged(_, "UNHEARD"))) {
                let nodes = parses[0].tree.nodes().zip(marginals.of_tree(&parses[0].tree));
                let mut shown = 0;
                for (node, confidence) in nodes.filter(|(node, _)| node.label() == "UNHEARD") {
                    assert!((confidence.unwrap() - 1.0).abs() < 1e-3, "{}", node.span().start);
                    shown += 1;
                }
                assert!(shown > 0, "{}", parses[0].tree);
                continue;
            }
            let probabilities: Vec<Vec<f64>> = parses
                .iter()
                .map(|parse| {
                    let normal = normal_form.apply(parse.tree.clone());
                    model.tree_probabilities(&normal, &sentence).iter().map(|p| p.value()).collect()
                })
                .collect();
            let mut sums: BTreeMap<(&str, usize, usize), Vec<f64>> = BTreeMap::new();
            let mut totals = vec![0.0; model.members()];
            let mut sizes = vec![0.0; model.members()];
            for (parse, values) in parses.iter().zip(&probabilities) {
                let nodes = parse.tree.nodes().filter(|node| !node.is_word() && node.index() > 0);
                let places: BTreeSet<_> =
                    nodes.map(|node| (node.label(), node.span().start, node.span().end)).collect();
                for (member, &value) in values.iter().enumerate() {
                    totals[member] += value;
                    sizes[member] += value.abs();
                    for &place in &places {
                        sums.entry(place).or_insert_with(|| vec![0.0; values.len()])[member] += value;
                    }
                }
            }
            let scale: f64 = totals.iter().zip(&sizes).map(|(total, size)| size / total.abs()).sum();
            if scale > 100.0 {
                continue;
            }
            sentences += 1;
            listed += parses.len();
            for (found, total) in marginals.partitions().iter().zip(&totals) {
                worst = worst.max((found.value() / total - 1.0).abs() / scale);
            }
            assert_eq!(marginals.spans().len(), sums.len(), "{kind}: {sentence:?}");
            for (&(label, start, end), sums) in &sums {
                let shares = sums.iter().zip(&totals).map(|(sum, total)| (sum / total).abs().min(1.0));
                let truth = shares.sum::<f64>() / totals.len() as f64;
                worst = worst.max((f64::from(marginals.get(label, start, end)) - truth).abs() / scale);
            }
        }
        eprintln!("{kind}: {sentences} sentences, {listed} trees, off by at most {worst:e}");
        assert!(sentences > 100 && listed > 10 * sentences, "{kind}: {sentences}, {listed}");
        assert!(worst < 1e-4, "{kind}: {worst}");
    }
}

fn bytes(model: &Lpcfg) -> Vec<u8> {
    model.to_bytes().unwrap()
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
    for (name, trees, lengths) in [("normal form", small, [100, 300]), ("english", english, [50, 100])] {
        let model = learn(&trees, members(4));
        let parser = Parser::new(&model, ParserConfig::default());
        let mut scratch = Scratch::default();
        let words: Vec<&str> = trees.iter().flat_map(Tree::words).filter(|word| *word != ".").collect();
        for length in lengths {
            let sentence: Vec<Observation<'_>> =
                words[..length].iter().map(|&word| Observation::Word(word)).collect();
            let (parses, marginals) = parser.parse_with_marginals(&sentence, 1, &mut scratch);
            assert_eq!(parses[0].tree.word_count(), length);
            assert_eq!(parses[0].outcome, Outcome::Parsed, "{name}, {length} words");
            let marginals = marginals.unwrap();
            let logs: Vec<f64> = marginals.partitions().iter().map(|z| z.log).collect();
            eprintln!("{name}, {length} words: log Z {logs:?}");
            assert!(logs.iter().all(|log| log.is_finite() && *log < 0.0));
            assert!(marginals.spans().iter().all(|span| (0.0..=1.0).contains(&span.confidence)));
        }
    }
}
