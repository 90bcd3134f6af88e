//! The effect of smoothed rules on held-out trees.

use crate::treebanks::{learn_with, treebank};
use corpus::ids::Id;
use corpus::tree::Tree;
use corpus::tree::normal_form::NormalForm;
use eigentree_grammars::grammar::{BinaryRule, RuleSmoothing, SiblingSmoothing, SymbolKind};
use eigentree_grammars::pcfg::{Pcfg, PcfgConfig};

/// Whether the grammar has all rules of a tree in normal form.
fn derives(model: &Pcfg, tree: &Tree) -> bool {
    let symbol = |label: &str, is_preterminal: bool| {
        let kind = if is_preterminal { SymbolKind::Preterminal } else { SymbolKind::Phrase };
        model.symbols().get(kind, label)
    };
    let has_rule = |parent: &str, children: &[(&str, bool)]| {
        let child = |at: usize| children.get(at).and_then(|&(label, is_tag)| symbol(label, is_tag));
        let rule = (symbol(parent, false), child(0), child(1));
        let (Some(parent), Some(left), Some(right)) = rule else { return false };
        model.rules().find(BinaryRule { parent, left, right }).is_some()
    };
    tree.nodes().filter(|node| !node.is_word() && !node.is_preterminal()).all(|node| {
        let children: Vec<(&str, bool)> =
            node.children().map(|child| (child.label(), child.is_preterminal())).collect();
        has_rule(node.label(), &children)
    })
}

#[test]
fn more_trees_of_another_part_are_derived() {
    let (Some(train), Some(dev)) = (treebank("gum/train.ptb"), treebank("gum/dev.ptb")) else { return };
    let siblings = RuleSmoothing::Siblings(SiblingSmoothing::default());
    for vertical in [1, 2] {
        let normal_form = NormalForm { vertical, ..NormalForm::default() };
        let dev: Vec<Tree> = dev.iter().map(|tree| normal_form.apply(tree.clone())).collect();
        let learn = |rule_smoothing| {
            let normal_form = normal_form.clone();
            learn_with(&train, PcfgConfig { normal_form, rule_smoothing, ..PcfgConfig::default() })
        };
        let (plain, smoothed) = (learn(RuleSmoothing::None), learn(siblings));
        let lacking = |model: &Pcfg| dev.iter().filter(|tree| !derives(model, tree)).count();
        let (before, after) = (lacking(&plain), lacking(&smoothed));
        eprintln!("vertical {vertical}: {before} of {} trees lack a rule, {after} with smoothing", dev.len());
        assert!(after * 6 < before * 5, "{before} {after}");

        assert!(smoothed.rules().len() <= 2 * plain.rules().len());
        let mut sums = vec![0.0; smoothed.symbols().len()];
        for (rule, &weight) in smoothed.rules().rules().iter().zip(&smoothed.weights().rules) {
            sums[rule.parent.index()] += f64::from(weight);
        }
        for (parent, sum) in sums.iter().take(smoothed.symbols().phrases()).enumerate() {
            assert!((sum - 1.0).abs() < 1e-5, "the rules of symbol {parent} sum to {sum}");
        }
        let both = smoothed.rule_counts().iter().zip(smoothed.rule_expectations());
        let (total, seen) = both.fold((0.0, 0.0), |(total, seen), (&count, &expected)| {
            (total + expected, if count > 0.0 { seen + expected } else { seen })
        });
        eprintln!("vertical {vertical}: seen rules keep {seen:.0} of {total:.0}");
        assert!(seen > 0.9 * total, "{seen} of {total}");
    }
}
