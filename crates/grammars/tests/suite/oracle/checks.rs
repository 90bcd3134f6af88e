//! Compares charts and decoders with enumeration, sentence by sentence.

use corpus::tree::Tree;
use eigentree_grammars::chart::{Allowed, Chart, ChartGrammar, Emissions, Semiring};
use eigentree_grammars::lexicon::{LexiconConfig, Observation};
use eigentree_grammars::pcfg::{Decoding, Outcome, Parser, ParserConfig, Pcfg, Pruning, Scratch};

use super::enumeration::{Derivation, Facts, Oracle};
use crate::treebanks::for_each;

/// Statistics of the checks, so that a test can assert that it tested something.
#[derive(Default, Debug)]
pub(crate) struct Seen {
    pub(crate) parsed: usize,
    pub(crate) fallbacks: usize,
    pub(crate) left_out: usize,
    pub(crate) ambiguous: usize,
    pub(crate) complete_lists: usize,
    pub(crate) spurious: usize,
}

pub(crate) fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}

pub(crate) fn check(
    oracle: &Oracle<'_>,
    words: &[&str],
    observed: &[Observation<'_>],
    scratch: &mut Scratch,
    seen: &mut Seen,
) {
    let model = oracle.model;
    let Some(derivations) = oracle.derivations(observed) else {
        seen.left_out += 1;
        return;
    };
    let facts = Facts::new(oracle, &derivations, words);
    check_charts(oracle, words, observed, &facts);
    let with = |decoding, pruning| {
        Parser::new(model, ParserConfig { decoding, pruning, coarse_from: 0, ..ParserConfig::default() })
    };
    if derivations.is_empty() {
        seen.fallbacks += 1;
        for decoding in [Decoding::Viterbi, Decoding::MaxRuleSum, Decoding::MaxRuleProduct] {
            for pruning in [Pruning::None, Pruning::default()] {
                let parse = with(decoding, pruning).parse(observed, scratch).unwrap();
                assert_eq!(parse.outcome, Outcome::Fallback, "{words:?} has no derivation: {}", parse.tree);
            }
        }
        assert_eq!(with(Decoding::Viterbi, Pruning::None).parse_best(observed, 3, scratch).len(), 1);
        return;
    }
    seen.parsed += 1;
    seen.ambiguous += usize::from(facts.trees.len() > 1);
    seen.spurious += usize::from(facts.trees.len() < derivations.len());
    let context = |tree: &Tree| format!("{words:?}: {tree}");

    let viterbi = with(Decoding::Viterbi, Pruning::None).parse(observed, scratch).unwrap();
    assert_eq!(viterbi.outcome, Outcome::Parsed, "{}", context(&viterbi.tree));
    assert!(close(viterbi.log_probability, facts.best.ln(), 1e-5), "{}", context(&viterbi.tree));
    let of_tree = |tree: &Tree| {
        let numbers =
            facts.trees.get(&tree.to_string()).unwrap_or_else(|| panic!("no tree: {}", context(tree)));
        numbers.iter().map(|&number| &derivations[number])
    };
    let probability = |tree: &Tree| of_tree(tree).map(|d| d.probability).fold(0.0, f64::max);
    assert!(close(probability(&viterbi.tree).ln(), facts.best.ln(), 1e-5), "{}", context(&viterbi.tree));

    for decoding in [Decoding::MaxRuleSum, Decoding::MaxRuleProduct, Decoding::MaxConstituentSum] {
        let parse = with(decoding, Pruning::None).parse(observed, scratch).unwrap();
        assert_eq!(parse.outcome, Outcome::Parsed);
        assert!(
            close(parse.log_probability, facts.total.ln(), 1e-4),
            "{}: {} for {}",
            context(&parse.tree),
            parse.log_probability,
            facts.total.ln()
        );
        let most = |all: &mut dyn Iterator<Item = &Derivation>| {
            all.map(|d| facts.gain(d, decoding)).fold(f64::NEG_INFINITY, f64::max)
        };
        let gained = most(&mut of_tree(&parse.tree));
        let possible = most(&mut derivations.iter().filter(|d| facts.takes_part(d)));
        let bound = most(&mut derivations.iter());
        assert!(
            gained >= possible - 1e-4 && gained <= bound + 1e-9,
            "{decoding:?} {}: gains {gained} of {possible}",
            context(&parse.tree)
        );
    }

    // The score of the best derivation of each tree, best first.
    let mut ranked: Vec<f64> = facts
        .trees
        .values()
        .map(|numbers| numbers.iter().map(|&n| derivations[n].probability).fold(0.0, f64::max))
        .collect();
    ranked.sort_by(|a, b| b.total_cmp(a));
    let all = if ranked.len() <= 300 { ranked.len() + 5 } else { 40 };
    seen.complete_lists += usize::from(all > ranked.len());
    for k in [2, 3, 7, all] {
        let parses = with(Decoding::MaxRuleSum, Pruning::None).parse_best(observed, k, scratch);
        assert_eq!(parses.len(), k.min(ranked.len()), "{words:?}: {k} best of {}", ranked.len());
        for (rank, parse) in parses.iter().enumerate() {
            assert!(
                close(parse.log_probability, ranked[rank].ln(), 1e-6)
                    && close(probability(&parse.tree).ln(), ranked[rank].ln(), 1e-6),
                "rank {rank} of {k}, {}: {} for {}",
                context(&parse.tree),
                parse.log_probability,
                ranked[rank].ln()
            );
            assert!(
                parses[..rank].iter().all(|other| other.tree != parse.tree),
                "twice: {}",
                context(&parse.tree)
            );
        }
    }

    // A pruned parse never finds mass that does not exist, and always finds a parse where there is one.
    for decoding in [Decoding::Viterbi, Decoding::MaxRuleSum, Decoding::MaxRuleProduct] {
        for threshold in [1e-5, 1e-2, 0.9] {
            let parse = with(decoding, Pruning::Posterior(threshold)).parse(observed, scratch).unwrap();
            assert_eq!(parse.outcome, Outcome::Parsed);
            let bound = if decoding == Decoding::Viterbi { facts.best } else { facts.total };
            assert!(parse.log_probability <= bound.ln() + 1e-4, "{}", context(&parse.tree));
            assert!(probability(&parse.tree) > 0.0);
        }
    }
}

/// Checks the charts themselves: both semirings, and all posteriors.
pub(crate) fn check_charts(oracle: &Oracle<'_>, words: &[&str], observed: &[Observation<'_>], facts: &Facts) {
    let model = oracle.model;
    let phrases = model.symbols().phrases();
    let grammar = ChartGrammar::new(model.rules(), model.weights(), phrases);
    let mut emissions = Emissions::default();
    emissions.clear();
    for word in oracle.emissions(observed) {
        emissions.push_word(word.into_iter().map(|(symbol, p)| (symbol - phrases, p as f32)));
    }
    let mut chart = Chart::default();
    let best = chart.inside(&grammar, &emissions, Allowed::All, Semiring::Max);
    let total = chart.inside(&grammar, &emissions, Allowed::All, Semiring::Sum);
    if facts.trees.is_empty() {
        assert_eq!((best, total), (None, None), "{words:?}");
        return;
    }
    assert!(close(best.unwrap(), facts.best.ln(), 1e-5), "{words:?}: best {best:?} for {}", facts.best.ln());
    assert!(
        close(total.unwrap(), facts.total.ln(), 1e-4),
        "{words:?}: total {total:?} for {}",
        facts.total.ln()
    );
    chart.outside(&grammar, &emissions, 1e-30);
    let n = words.len();
    for start in 0..n {
        let mut sum = 0.0;
        for (tag, posterior) in chart.tag_posteriors(&emissions, start) {
            let expected = facts.nodes.get(&(tag + phrases, start, start + 1)).copied().unwrap_or(0.0);
            let posterior = f64::from(posterior);
            assert!(
                close(posterior, expected, 1e-6 + 1e-4 * expected),
                "{words:?} tag {tag} at {start}: {posterior} for {expected}"
            );
            sum += posterior;
        }
        assert!(close(sum, 1.0, 1e-4));
        for end in start + 2..=n {
            for phrase in 0..phrases {
                let posterior = f64::from(chart.posterior(phrase, start, end));
                let expected = facts.nodes.get(&(phrase, start, end)).copied().unwrap_or(0.0);
                assert!(
                    close(posterior, expected, 1e-6 + 1e-4 * expected),
                    "{words:?}: phrase {phrase} over {start}..{end}: {posterior} for {expected}"
                );
            }
        }
    }
}

/// Every sentence of at most `longest` words over `vocabulary`.
pub(crate) fn sentences(vocabulary: &[&'static str], longest: u32) -> Vec<Vec<&'static str>> {
    let base = vocabulary.len();
    let of_length = |length: u32| {
        (0..base.pow(length)).map(move |number| {
            (0..length).map(|at| vocabulary[number / base.pow(at) % base]).collect::<Vec<_>>()
        })
    };
    (1..=longest).flat_map(of_length).collect()
}

/// Words have only the preterminals they were seen with, so that grammars stay small enough to enumerate.
pub(crate) fn closed_words() -> LexiconConfig {
    LexiconConfig { closed_count: 1, ..LexiconConfig::default() }
}

pub(crate) fn merge(all: Vec<Seen>) -> Seen {
    all.into_iter().fold(Seen::default(), |a, b| Seen {
        parsed: a.parsed + b.parsed,
        fallbacks: a.fallbacks + b.fallbacks,
        left_out: a.left_out + b.left_out,
        ambiguous: a.ambiguous + b.ambiguous,
        complete_lists: a.complete_lists + b.complete_lists,
        spurious: a.spurious + b.spurious,
    })
}

pub(crate) fn check_all(model: &Pcfg, sentences: &[Vec<&'static str>]) -> Seen {
    let oracle = Oracle::new(model);
    merge(for_each(sentences, |words, scratch| {
        let mut seen = Seen::default();
        let observed: Vec<Observation<'_>> = words.iter().map(|&word| Observation::Word(word)).collect();
        check(&oracle, words, &observed, scratch, &mut seen);
        seen
    }))
}
