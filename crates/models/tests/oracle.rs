//! Brute force: on all short sentences of tiny grammars, what charts compute is what enumeration gives.
//!
//! The enumerator below knows nothing of charts. It lists every derivation of a sentence with its probability in `f64`,
//! from the model's rules, weights and emissions alone, and writes the tree of a derivation by itself.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a failed unwrap is a failed test; a skipped one says so"
)]

mod common;

use std::collections::{BTreeMap, HashMap};

use common::{for_each, learn, learn_with, tagged, treebank, trees, untagged};
use corpus::ids::Id;
use corpus::synthetic::{NormalFormConfig, NormalFormLpcfg, SampleConfig};
use corpus::tree::binarize::{Direction, Horizontal};
use corpus::tree::heads::HeadRules;
use corpus::tree::markov::Annotated;
use corpus::tree::normal_form::NormalForm;
use corpus::tree::{Tree, TreeBuilder};
use eigentree_models::chart::{Allowed, Chart, ChartGrammar, Emissions, Semiring};
use eigentree_models::grammar::{BinaryRule, SymbolId, SymbolKind};
use eigentree_models::lexicon::{Emission, LexiconConfig, Observation, SentenceEmissions};
use eigentree_models::pcfg::{Decoding, Outcome, Parser, ParserConfig, Pcfg, PcfgConfig, Pruning, Scratch};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A symbol over a span.
type Node = (usize, usize, usize);
/// A rule at a place: parent, left, right, start, split, end.
type Step = (usize, usize, usize, usize, usize, usize);

#[derive(Clone, Debug)]
struct Derivation {
    probability: f64,
    /// Rules in pre-order.
    steps: Vec<Step>,
    /// The preterminal of each word.
    tags: Vec<usize>,
}

/// Sentences with more derivations than this are left out.
const LIMIT: usize = 60_000;

/// Phrases below this posterior take no part in max-rule decoding; the limit is part of the decoder's definition.
const NEGLIGIBLE: f64 = 1e-4;

struct Oracle<'m> {
    model: &'m Pcfg,
    /// For each parent its rules: left, right, probability.
    rules: Vec<Vec<(usize, usize, f64)>>,
}

impl<'m> Oracle<'m> {
    fn new(model: &'m Pcfg) -> Self {
        let mut rules = vec![Vec::new(); model.symbols().len()];
        for (rule, &weight) in model.rules().rules().iter().zip(&model.weights().rules) {
            rules[rule.parent.index()].push((rule.left.index(), rule.right.index(), f64::from(weight)));
        }
        Self { model, rules }
    }

    /// `p(word | preterminal)` by symbol, one map a word.
    fn emissions(&self, sentence: &[Observation<'_>]) -> Vec<BTreeMap<usize, f64>> {
        let phrases = self.model.symbols().phrases();
        let mut out = SentenceEmissions::default();
        self.model.lexicon().emissions_of_sentence(sentence, &mut out);
        let symbol = |e: &Emission| (e.preterminal.index() + phrases, f64::from(e.probability));
        out.iter().map(|word| word.iter().map(symbol).collect()).collect()
    }

    /// All derivations of the sentence; `None` if there are too many.
    fn derivations(&self, sentence: &[Observation<'_>]) -> Option<Vec<Derivation>> {
        let emissions = self.emissions(sentence);
        let mut known = HashMap::new();
        let mut all = Vec::new();
        for (root, &prior) in self.model.weights().roots.iter().enumerate() {
            if prior > 0.0 {
                let below = self.below(&emissions, (root, 0, sentence.len()), &mut known)?;
                let weighted = below.iter().map(|derivation| Derivation {
                    probability: derivation.probability * f64::from(prior),
                    ..derivation.clone()
                });
                all.extend(weighted);
            }
        }
        (all.len() <= LIMIT).then_some(all)
    }

    fn below(
        &self,
        emissions: &[BTreeMap<usize, f64>],
        (symbol, start, end): Node,
        known: &mut HashMap<Node, Vec<Derivation>>,
    ) -> Option<Vec<Derivation>> {
        if let Some(found) = known.get(&(symbol, start, end)) {
            return Some(found.clone());
        }
        let mut all = Vec::new();
        if symbol >= self.model.symbols().phrases() {
            if let (1, Some(&probability)) = (end - start, emissions[start].get(&symbol)) {
                all.push(Derivation { probability, steps: Vec::new(), tags: vec![symbol] });
            }
        } else {
            for &(left, right, weight) in &self.rules[symbol] {
                for split in start + 1..end {
                    let lefts = self.below(emissions, (left, start, split), known)?;
                    if lefts.is_empty() {
                        continue;
                    }
                    let rights = self.below(emissions, (right, split, end), known)?;
                    for l in &lefts {
                        for r in &rights {
                            let step = (symbol, left, right, start, split, end);
                            all.push(Derivation {
                                probability: weight * l.probability * r.probability,
                                steps: [step].iter().chain(&l.steps).chain(&r.steps).copied().collect(),
                                tags: l.tags.iter().chain(&r.tags).copied().collect(),
                            });
                        }
                    }
                    if all.len() > LIMIT {
                        return None;
                    }
                }
            }
        }
        known.insert((symbol, start, end), all.clone());
        Some(all)
    }

    /// The tree of a derivation as a user sees it.
    fn tree(&self, derivation: &Derivation, words: &[&str]) -> String {
        let root = derivation.steps.first().map_or(derivation.tags[0], |step| step.0);
        let mut steps = derivation.steps.iter();
        let inner = self.write(root, (0, words.len()), &mut steps, &derivation.tags, words, true);
        format!("(ROOT {inner})")
    }

    fn write<'d>(
        &self,
        symbol: usize,
        (start, end): (usize, usize),
        steps: &mut impl Iterator<Item = &'d Step>,
        tags: &[usize],
        words: &[&str],
        is_root: bool,
    ) -> String {
        let label = self.model.symbols().label(SymbolId::new(symbol).unwrap());
        let inner = if end == start + 1 {
            assert_eq!(tags[start], symbol);
            words[start].to_owned()
        } else {
            let &(parent, left, right, _, split, _) = steps.next().unwrap();
            assert_eq!(parent, symbol);
            let left = self.write(left, (start, split), steps, tags, words, false);
            let right = self.write(right, (split, end), steps, tags, words, false);
            format!("{left} {right}")
        };
        if label.starts_with('@') && !is_root {
            return inner;
        }
        let plain = label.split(['^', '~']).next().unwrap();
        plain.split('|').rev().fold(inner, |inner, label| format!("({label} {inner})"))
    }
}

/// What enumeration says about a sentence.
struct Facts {
    total: f64,
    best: f64,
    nodes: HashMap<Node, f64>,
    steps: HashMap<Step, f64>,
    /// For each tree its derivations.
    trees: BTreeMap<String, Vec<usize>>,
}

impl Facts {
    fn new(oracle: &Oracle<'_>, derivations: &[Derivation], words: &[&str]) -> Self {
        let mut facts = Self {
            total: 0.0,
            best: 0.0,
            nodes: HashMap::new(),
            steps: HashMap::new(),
            trees: BTreeMap::new(),
        };
        for (number, derivation) in derivations.iter().enumerate() {
            let p = derivation.probability;
            facts.total += p;
            facts.best = facts.best.max(p);
            for &step in &derivation.steps {
                *facts.steps.entry(step).or_default() += p;
                *facts.nodes.entry((step.0, step.3, step.5)).or_default() += p;
            }
            for (position, &tag) in derivation.tags.iter().enumerate() {
                *facts.nodes.entry((tag, position, position + 1)).or_default() += p;
            }
            facts.trees.entry(oracle.tree(derivation, words)).or_default().push(number);
        }
        facts.nodes.values_mut().chain(facts.steps.values_mut()).for_each(|p| *p /= facts.total);
        facts
    }

    /// The value of a derivation for max-rule decoding.
    fn gain(&self, derivation: &Derivation, decoding: Decoding) -> f64 {
        let posteriors = derivation
            .steps
            .iter()
            .map(|step| self.steps[step])
            .chain(derivation.tags.iter().enumerate().map(|(at, &tag)| self.nodes[&(tag, at, at + 1)]));
        match decoding {
            Decoding::MaxRuleProduct => posteriors.map(f64::ln).sum(),
            _ => posteriors.sum(),
        }
    }

    fn takes_part(&self, derivation: &Derivation) -> bool {
        derivation.steps.iter().all(|step| self.nodes[&(step.0, step.3, step.5)] > NEGLIGIBLE * 1.01)
    }
}

/// What the checks found, so that a test can tell that it tested something.
#[derive(Default, Debug)]
struct Seen {
    parsed: usize,
    fallbacks: usize,
    left_out: usize,
    ambiguous: usize,
    complete_lists: usize,
    spurious: usize,
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance
}

fn check(
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

    for decoding in [Decoding::MaxRuleSum, Decoding::MaxRuleProduct] {
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

    // The best derivation of each tree, best first.
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

    // A pruned parse never finds mass that is not there, and always finds a parse where there is one.
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

/// The charts themselves: both semirings, and all posteriors.
fn check_charts(oracle: &Oracle<'_>, words: &[&str], observed: &[Observation<'_>], facts: &Facts) {
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
fn sentences(vocabulary: &[&'static str], longest: u32) -> Vec<Vec<&'static str>> {
    let base = vocabulary.len();
    let of_length = |length: u32| {
        (0..base.pow(length)).map(move |number| {
            (0..length).map(|at| vocabulary[number / base.pow(at) % base]).collect::<Vec<_>>()
        })
    };
    (1..=longest).flat_map(of_length).collect()
}

/// Words take the preterminals they were seen with and no others, so that grammars stay small enough to enumerate.
fn closed_words() -> LexiconConfig {
    LexiconConfig { closed_count: 1, ..LexiconConfig::default() }
}

fn merge(all: Vec<Seen>) -> Seen {
    all.into_iter().fold(Seen::default(), |a, b| Seen {
        parsed: a.parsed + b.parsed,
        fallbacks: a.fallbacks + b.fallbacks,
        left_out: a.left_out + b.left_out,
        ambiguous: a.ambiguous + b.ambiguous,
        complete_lists: a.complete_lists + b.complete_lists,
        spurious: a.spurious + b.spurious,
    })
}

fn check_all(model: &Pcfg, sentences: &[Vec<&'static str>]) -> Seen {
    let oracle = Oracle::new(model);
    merge(for_each(sentences, |words, scratch| {
        let mut seen = Seen::default();
        let observed: Vec<Observation<'_>> = words.iter().map(|&word| Observation::Word(word)).collect();
        check(&oracle, words, &observed, scratch, &mut seen);
        seen
    }))
}

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
        // A tag, now and then below a chain.
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

/// Around a head, siblings can be split off in either order: one tree, two derivations, and lists must not hold it twice.
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

/// Tags alone, and words with tags: emissions differ, the sums are the same sums.
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

/// One tree is never more probable than all trees together, nor than the best one: whole sentences of a treebank, of all
/// lengths, so that a wrong exponent in one cell shows.
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
    // Without tags a parse takes several times as long: few sentences must do.
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
            // The pruned best may be worse than the gold tree where the coarse pass errs, the sum hardly so.
            assert!(
                tree <= total.log_probability + 0.02 + slack,
                "{tree} > {}: {gold}",
                total.log_probability
            );
            assert!(most.log_probability <= total.log_probability + slack, "{gold}");
            // The probability that comes with a tree is that of the tree.
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
