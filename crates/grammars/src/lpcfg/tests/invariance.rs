//! Any basis of a symbol's states gives the same model (Cohen et al. 2012, theorem 1).

use corpus::synthetic::{english, sample_treebank};
use corpus::tree::Tree;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use spectral::moments::Scaling;

use super::learnt::{Learnt, change_basis, exact_config};
use super::truth::Truth;
use crate::lexicon::Observation;
use crate::lpcfg::config::{Decoding, LpcfgConfig, Method, ParserConfig, SpectralConfig};
use crate::lpcfg::features::FeatureSet;
use crate::lpcfg::learner::LpcfgLearner;
use crate::lpcfg::model::{Lpcfg, Refined};
use crate::lpcfg::parser::{Parser, Scratch};
use models::learn::{Learner, Silent};

#[test]
fn probabilities_in_double_precision() {
    let truth = Truth::random(&mut ChaCha8Rng::seed_from_u64(5), [1, 1, 3, 2, 2, 2]);
    let population = truth.population();
    // With few states the model is not the truth; invariance holds for any model.
    for states in [2, 8] {
        let config = exact_config(states, FeatureSet::Rich, Scaling::default());
        let learnt = Learnt::new(&population.trees, &population.probabilities, &config);
        for seed in 0..3 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let changed = change_basis(&learnt.grammar, &learnt.parameters, &mut rng);
            let moved = changed.tensors.iter().zip(&learnt.parameters.tensors);
            assert!(moved.filter(|(a, b)| (*a - *b).abs() > 1e-3).count() > 20, "the basis is another");
            let mut worst = 0.0_f64;
            for tree in &population.trees {
                let own = learnt.probability(&learnt.parameters, tree);
                worst = worst.max((learnt.probability(&changed, tree) / own - 1.0).abs());
            }
            assert!(worst < 1e-9, "{states} states: {worst:e}");
        }
    }
}

fn words(tree: &Tree) -> Vec<Observation<'_>> {
    tree.words().map(Observation::Word).collect()
}

#[test]
fn probabilities_marginals_and_trees_in_single_precision() {
    let trees = sample_treebank(english(), 500, 1).unwrap();
    let spectral = SpectralConfig { states: 6, nodes_per_state: 10.0, ..SpectralConfig::default() };
    let config = LpcfgConfig { members: vec![Method::Spectral(spectral)], ..LpcfgConfig::default() };
    let normal_form = config.grammar.normal_form.clone();
    let model = LpcfgLearner { config }.learn(&trees, &mut Silent).unwrap().model;
    let first = &model.grammars[0];
    let changed = change_basis(&first.grammar, &first.members[0], &mut ChaCha8Rng::seed_from_u64(6));
    let other =
        Lpcfg { grammars: vec![Refined::new(first.grammar.clone(), vec![changed], None, None)], spans: None };
    let mut scratch = Scratch::default();
    let mut worst = [0.0_f64; 3];
    for decoding in [Decoding::RuleSum, Decoding::RuleProduct] {
        let config = ParserConfig { decoding, ..ParserConfig::default() };
        let parsers = [&model, &other].map(|model| Parser::new(model, config.clone()));
        for tree in trees.iter().step_by(5) {
            let sentence = words(tree);
            let [own, new] = parsers.each_ref().map(|parser| {
                let (parses, marginals) = parser.parse_with_marginals(&sentence, 1, &mut scratch);
                (parses[0].clone(), marginals.unwrap())
            });
            let partitions = [own.1.partitions()[0], new.1.partitions()[0]];
            assert_eq!(partitions[0].sign, partitions[1].sign);
            worst[0] = worst[0].max((partitions[0].log - partitions[1].log).abs());
            assert_eq!(own.1.spans().len(), new.1.spans().len());
            for (a, b) in own.1.spans().iter().zip(new.1.spans()) {
                worst[1] = worst[1].max(f64::from(a.confidence - b.confidence).abs());
            }
            assert_eq!(own.0.tree, new.0.tree, "{decoding:?}");
            let normal = normal_form.apply(tree.clone());
            let logs = [&model, &other].map(|model| model.tree_probabilities(&normal, &sentence)[0]);
            assert_eq!(logs[0].sign, logs[1].sign);
            if logs[0].sign != 0 {
                worst[2] = worst[2].max((logs[0].log - logs[1].log).abs());
            }
        }
    }
    eprintln!("log Z, marginals, log p(tree): {worst:?}");
    assert!(worst.iter().all(|&error| error < 1e-4), "{worst:?}");
}
