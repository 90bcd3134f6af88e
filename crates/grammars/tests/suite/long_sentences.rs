//! Long sentences: values stay in range, and a sentence too long for a chart still gets a tree.

use crate::treebanks::{learn, treebank};
use corpus::ids::Id;
use corpus::synthetic::{english, sample_treebank};
use corpus::tree::normal_form::NormalForm;
use corpus::tree::{FALLBACK_LABEL, Tree};
use eigentree_grammars::chart::{Allowed, Chart, ChartGrammar, Emissions, Semiring};
use eigentree_grammars::grammar::{BinaryRule, RuleTable, SymbolId, Weights};
use eigentree_grammars::lexicon::Observation;
use eigentree_grammars::pcfg::{Decoding, Outcome, Parser, ParserConfig, Pruning, Scratch};

/// `S → S S` with probability `p`, `S → A A` with `1 − p`, and a word of probability `q`: the content of every chart
/// cell is known in closed form, by Catalan numbers, for any length.
#[test]
fn a_grammar_with_a_closed_form() {
    let symbol = |index| SymbolId::new(index).unwrap();
    let rule =
        |parent, left, right| BinaryRule { parent: symbol(parent), left: symbol(left), right: symbol(right) };
    let table = RuleTable::new(vec![rule(0, 0, 0), rule(0, 1, 1)], 2);
    for (branching, word) in [(0.25_f32, 1e-30_f32), (0.5, 0.5), (0.125, 2e-38), (0.4, 1.0)] {
        let rules: Vec<f32> = table
            .rules()
            .iter()
            .map(|rule| if rule.left.index() == 0 { branching } else { 1.0 - branching })
            .collect();
        let grammar = ChartGrammar::new(&table, &Weights { rules, roots: vec![1.0, 0.0] }, 1);
        for pairs in [1_usize, 2, 10, 100, 250] {
            let mut words = Emissions::default();
            words.clear();
            (0..2 * pairs).for_each(|_| words.push_word(std::iter::once((0, word))));
            // Each tree has `pairs` rules S → A A and `pairs − 1` rules S → S S; there are Catalan(pairs − 1) trees.
            let tree = pairs as f64 * (1.0 - f64::from(branching)).ln()
                + (pairs - 1) as f64 * f64::from(branching).ln()
                + 2.0 * pairs as f64 * f64::from(word).ln();
            let catalan: f64 = (2..pairs).map(|k| ((pairs - 1 + k) as f64 / k as f64).ln()).sum();
            let mut chart = Chart::default();
            let best = chart.inside(&grammar, &words, Allowed::All, Semiring::Max).unwrap();
            let total = chart.inside(&grammar, &words, Allowed::All, Semiring::Sum).unwrap();
            let slack = 1e-5 * pairs as f64;
            assert!((best - tree).abs() < slack, "{pairs} pairs: best {best} for {tree}");
            assert!((total - tree - catalan).abs() < slack, "{pairs} pairs: {total} for {}", tree + catalan);
            chart.outside(&grammar, &words, 1e-20);
            let sum: f32 = chart.tag_posteriors(&words, pairs).map(|(_, posterior)| posterior).sum();
            assert!((sum - 1.0).abs() < 1e-3, "{pairs} pairs: posterior {sum}");
            let whole = chart.posterior(0, 0, 2 * pairs);
            assert!((whole - 1.0).abs() < 1e-3, "{pairs} pairs: posterior {whole}");
        }
    }
}

/// The first `words` words of a treebank, concatenated.
fn joined(trees: &[Tree], words: usize) -> Vec<&str> {
    trees.iter().flat_map(Tree::words).take(words).collect()
}

/// The log-probability falls in proportion to length, and is finite at any length.
#[test]
fn log_probability_falls_with_length() {
    let treebank = sample_treebank(english(), 1500, 3).unwrap();
    // Texts of many sentences, so that long inputs have a parse.
    let sentences: Vec<Tree> = treebank
        .chunks(2)
        .map(|pair| {
            let mut builder = corpus::tree::TreeBuilder::new();
            builder.open("ROOT");
            builder.open("TEXT");
            for tree in pair {
                builder.copy(tree.root().children().next().unwrap());
            }
            if let [_, second] = pair {
                builder.open("TEXT");
                builder.copy(second.root().children().next().unwrap());
                builder.copy(second.root().children().next().unwrap());
                builder.close();
            }
            builder.close();
            builder.close();
            builder.finish().unwrap()
        })
        .collect();
    let model = learn(&sentences, NormalForm::default());
    let mut scratch = Scratch::default();
    for decoding in [Decoding::Viterbi, Decoding::MaxRuleProduct] {
        let parser = Parser::new(&model, ParserConfig { decoding, ..ParserConfig::default() });
        let mut rates = Vec::new();
        for count in [4, 20, 45] {
            let words = joined(&treebank[..count], usize::MAX);
            let sentence: Vec<Observation<'_>> = words.iter().map(|&word| Observation::Word(word)).collect();
            let parse = parser.parse(&sentence, &mut scratch).unwrap();
            assert_eq!(parse.outcome, Outcome::Parsed, "{} words", words.len());
            assert!(parse.tree.words().eq(words.iter().copied()));
            rates.push(parse.log_probability / words.len() as f64);
            eprintln!("{decoding:?}, {} words: {:.1}", words.len(), parse.log_probability);
        }
        assert!(rates.iter().all(|rate| rate.is_finite() && *rate < 0.0), "{rates:?}");
        assert!((rates[2] / rates[1] - 1.0).abs() < 0.15, "{decoding:?}: {rates:?}");
    }
}

/// Several sentences of a real treebank joined into one: with or without a parse, values are in range and words in
/// order.
#[test]
fn hundreds_of_real_words() {
    let (Some(train), Some(dev)) = (treebank("gum/train.ptb"), treebank("gum/dev.ptb")) else { return };
    let model = learn(&train, NormalForm::default());
    let mut scratch = Scratch::default();
    let parser = Parser::new(&model, ParserConfig::default());
    let tags: Vec<&str> = dev.iter().flat_map(Tree::tags).collect();
    let words: Vec<&str> = dev.iter().flat_map(Tree::words).collect();
    let mut last = 0.0;
    for length in [60, 120, 300] {
        let sentence: Vec<Observation<'_>> =
            (0..length).map(|at| Observation::Tagged(words[at], tags[at])).collect();
        let parse = parser.parse(&sentence, &mut scratch).unwrap();
        assert!(parse.tree.words().eq(words[..length].iter().copied()));
        assert!(parse.tree.tags().eq(tags[..length].iter().copied()));
        eprintln!("{length} words: {:?}, {}", parse.outcome, parse.log_probability);
        assert_eq!(parse.outcome, Outcome::Parsed);
        assert!(parse.log_probability.is_finite() && parse.log_probability < last);
        last = parse.log_probability;
    }
}

#[test]
fn beyond_the_limit_there_is_a_flat_fallback() {
    let model = learn(&sample_treebank(english(), 200, 4).unwrap(), NormalForm::default());
    let sentences = sample_treebank(english(), 200, 5).unwrap();
    let words = joined(&sentences, 601);
    assert_eq!(words.len(), 601);
    let mut scratch = Scratch::default();
    for observe in [Observation::Word, (|word| Observation::Tagged(word, "T")) as fn(_) -> _] {
        let sentence: Vec<Observation<'_>> = words.iter().map(|&word| observe(word)).collect();
        for pruning in [Pruning::None, Pruning::default()] {
            let parser =
                Parser::new(&model, ParserConfig { pruning, coarse_from: 0, ..ParserConfig::default() });
            let parse = parser.parse(&sentence, &mut scratch).unwrap();
            assert_eq!((parse.outcome, parse.log_probability), (Outcome::Fallback, f64::NEG_INFINITY));
            assert!(parse.tree.words().eq(words.iter().copied()));
            assert_eq!(parse.tree.root().label(), "ROOT");
            assert_eq!(parse.tree.root().only_child().unwrap().label(), FALLBACK_LABEL);
            assert_eq!(parser.parse_best(&sentence, 5, &mut scratch).len(), 1);
        }
    }
}
