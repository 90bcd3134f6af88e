//! Gold trees are part of the sum over all trees.

use crate::treebanks::{for_each, learn, tagged, treebank, untagged};
use corpus::ids::Id;
use corpus::tree::Tree;
use corpus::tree::normal_form::NormalForm;
use eigentree_grammars::grammar::{BinaryRule, SymbolId, SymbolKind};
use eigentree_grammars::lexicon::{Observation, SentenceEmissions};
use eigentree_grammars::pcfg::{Decoding, Outcome, Parser, ParserConfig, Pcfg, Pruning};

/// `log p(tree)` from rules and emissions; `None` if the grammar does not derive the tree.
fn log_probability(model: &Pcfg, tree: &Tree, sentence: &[Observation<'_>]) -> Option<f64> {
    let symbols = model.symbols();
    let mut sum = 0.0;
    let mut ids = Vec::new();
    for node in tree.nodes() {
        ids.push(if node.is_word() {
            None
        } else {
            let kind = if node.is_preterminal() { SymbolKind::Preterminal } else { SymbolKind::Phrase };
            Some(symbols.get(kind, node.label())?)
        });
    }
    sum += f64::from(model.weights().roots[ids[0]?.index()]).ln();
    let mut emissions = SentenceEmissions::default();
    model.lexicon().emissions_of_sentence(sentence, &mut emissions);
    for node in tree.nodes() {
        let Some(symbol) = ids[node.index()] else { continue };
        if node.is_preterminal() {
            let position = node.span().start;
            let tag = symbol.index() - symbols.phrases();
            sum += f64::from(
                emissions.word(position).iter().find(|e| e.preterminal.index() == tag)?.probability,
            )
            .ln();
        } else {
            let children: Vec<SymbolId> = node.children().filter_map(|child| ids[child.index()]).collect();
            let rule = BinaryRule { parent: symbol, left: children[0], right: children[1] };
            sum += f64::from(model.weights().rules[model.rules().find(rule)?.index()]).ln();
        }
    }
    Some(sum)
}

/// One tree is never more probable than all trees together, nor than the best one. Uses whole sentences of all lengths,
/// so that a wrong exponent in one cell shows.
#[test]
fn gold_trees_are_part_of_the_sum() {
    let (Some(train), Some(dev)) = (treebank("gum/train.ptb"), treebank("gum/dev.ptb")) else { return };
    let normal_form = NormalForm::default();
    // Both parts, so that the grammar has every rule.
    let all: Vec<Tree> = train.into_iter().chain(dev.iter().cloned()).collect();
    let model = learn(&all, normal_form.clone());
    let with = |decoding| ParserConfig {
        decoding,
        pruning: Pruning::default(),
        coarse_from: 0,
        ..ParserConfig::default()
    };
    let sum = Parser::new(&model, with(Decoding::MaxRuleSum));
    let best = Parser::new(&model, with(Decoding::Viterbi));
    // Without tags a parse takes several times as long, so a few sentences must suffice.
    let numbered: Vec<(usize, &Tree)> = dev.iter().enumerate().step_by(4).collect();
    let checked = for_each(&numbered, |&(number, gold), scratch| {
        let normal = normal_form.apply(gold.clone());
        let mut checked = 0;
        let without_tags = (number % 40 == 0).then(|| untagged(gold));
        for sentence in [Some(tagged(gold)), without_tags].into_iter().flatten() {
            let Some(tree) = log_probability(&model, &normal, &sentence) else { continue };
            let most = best.parse(&sentence, scratch).unwrap();
            let total = sum.parse(&sentence, scratch).unwrap();
            assert_eq!(total.outcome, Outcome::Parsed);
            let slack = 1e-5 * total.log_probability.abs();
            // The pruned best tree may be worse than the gold tree where the coarse pass errs; the sum hardly ever is.
            assert!(
                tree <= total.log_probability + 0.02 + slack,
                "{tree} > {}: {gold}",
                total.log_probability
            );
            assert!(most.log_probability <= total.log_probability + slack, "{gold}");
            // The reported log-probability must be that of the tree.
            let again = log_probability(&model, &normal_form.apply(most.tree.clone()), &sentence).unwrap();
            assert!(
                (again - most.log_probability).abs() <= 0.01 + slack,
                "{again}, {}",
                most.log_probability
            );
            checked += 1;
        }
        checked
    });
    let checked: usize = checked.iter().sum();
    eprintln!("{checked} gold trees of {} sentences", numbered.len());
    assert!(checked > numbered.len(), "only {checked} of {} trees have a probability", numbered.len());
}
