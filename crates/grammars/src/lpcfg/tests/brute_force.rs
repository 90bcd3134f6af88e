//! Enumeration over trees and states: on all short sentences of tiny grammars, the chart must compute what the
//! definition says.

use std::collections::BTreeMap;

use corpus::ids::Id;
use corpus::rare_words::SentencePosition;
use corpus::synthetic::{NormalFormConfig, NormalFormLpcfg, SampleConfig};
use corpus::tree::Tree;
use corpus::tree::heads::HeadRules;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::learnt::{label, plain_grammar};
use super::recovery::EVERYTHING;
use crate::chart::Forest;
use crate::lexicon::{Observation, SentenceEmissions};
use crate::lpcfg::config::{Decoding, ParserConfig};
use crate::lpcfg::estimate::{RARE, allocate, parts};
use crate::lpcfg::inference::LatentChart;
use crate::lpcfg::model::{Lpcfg, Refined};
use crate::lpcfg::parameters::{Parameters, row_length};
use crate::lpcfg::parser::{Parser, Scratch};
use crate::lpcfg::profiles::{ProfileIndex, Profiles};
use crate::lpcfg::state_summary::StateSummary;
use crate::lpcfg::treebank::NumberedTreebank;
use crate::lpcfg::words::known_word;
use crate::pcfg::{Outcome, Pcfg, Pruner};

/// Whether parameters may be negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lpcfg) enum Signs {
    Positive,
    Mixed,
}

/// A model with random parameters over a random grammar of two phrases and two tags, whose words are `w0` and `w1`.
pub(in crate::lpcfg) fn tiny(seed: u64, signs: Signs) -> Lpcfg {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let config = NormalFormConfig { interminals: 2, preterminals: 2, words: 2, states: 1 };
    let source = NormalFormLpcfg::random(config, &mut rng).to_grammar();
    let sampling = SampleConfig { max_words: 8, ..SampleConfig::default() };
    let trees: Vec<Tree> = (0..25).map(|_| source.sample(&sampling, &mut rng).unwrap()).collect();
    let grammar = plain_grammar(&trees);
    let bank = NumberedTreebank::new(&trees, vec![1.0; trees.len()], &grammar, &HeadRules::english());
    let Ok(bank) = bank else { panic!("the grammar has all rules of its trees") };
    let index = ProfileIndex::new(&bank, &grammar, RARE);
    let members = [3, 2].map(|most| random_parameters(&grammar, &index, most, signs, &mut rng));
    Lpcfg { grammars: vec![Refined::new(grammar, members.into(), None, None)], spans: None }
}

fn random_parameters(
    grammar: &Pcfg,
    index: &ProfileIndex,
    most: u32,
    signs: Signs,
    rng: &mut ChaCha8Rng,
) -> Parameters<f32> {
    let symbols = grammar.symbols();
    let dims: Vec<u32> = symbols.iter().map(|_| rng.random_range(1..=most)).collect();
    let mut draw = || match signs {
        Signs::Positive => rng.random_range(0.05..1.0_f32),
        Signs::Mixed => rng.random_range(-0.5..1.0_f32),
    };
    let (offsets, mut tensors) = allocate::<f32>(grammar.rules().rules(), &dims);
    for (rule, &binary) in grammar.rules().rules().iter().enumerate() {
        let [a, b, c] = parts(binary).map(|symbol| dims[symbol] as usize);
        for row in
            tensors[offsets[rule] as usize..][..a * row_length(b, c)].chunks_exact_mut(row_length(b, c))
        {
            row[..b * c].fill_with(&mut draw);
        }
    }
    let (mut root_offsets, mut roots) = (vec![0], Vec::new());
    for (symbol, &prior) in grammar.weights().roots.iter().enumerate() {
        if prior > 0.0 {
            roots.extend((0..dims[symbol]).map(|_| draw()));
        }
        root_offsets.push(roots.len() as u32);
    }
    let mut profiles = Profiles::<f32>::new(index, &dims[symbols.phrases()..]);
    profiles.values.fill_with(&mut draw);
    let summary = StateSummary::equal(&dims);
    Parameters { dims, offsets, tensors, root_offsets, roots, profiles, summary }
}

/// A node of a derivation, in pre-order.
#[derive(Clone, Copy, Debug)]
struct Node {
    symbol: usize,
    start: usize,
    end: usize,
    /// The rule, and the indices of the children among the nodes.
    made: Option<(usize, usize, usize)>,
}

/// A derivation: the signed sum over all states, and the nodes.
struct Derivation {
    /// One per member.
    values: Vec<f64>,
    nodes: Vec<Node>,
}

/// A symbol over a span.
type Item = (usize, usize, usize);
/// A rule application: rule, start, split, end.
type Application = (usize, usize, usize, usize);

struct Oracle<'m> {
    refined: &'m Refined,
    words: Vec<&'m str>,
    emissions: SentenceEmissions,
}

impl<'m> Oracle<'m> {
    fn new(refined: &'m Refined, words: &[&'m str]) -> Self {
        let mut emissions = SentenceEmissions::default();
        let observed: Vec<Observation<'_>> = words.iter().map(|&word| Observation::Word(word)).collect();
        refined.grammar.lexicon().emissions_of_sentence(&observed, &mut emissions);
        Self { refined, words: words.to_vec(), emissions }
    }

    fn derivations(&self) -> Vec<Derivation> {
        let mut all = Vec::new();
        for (root, &prior) in self.refined.grammar.weights().roots.iter().enumerate() {
            if prior > 0.0 {
                all.extend(self.below(root, 0, self.words.len()));
            }
        }
        let derivation = |nodes: Vec<Node>| Derivation {
            values: self.refined.members.iter().map(|member| self.sum_over_states(member, &nodes)).collect(),
            nodes,
        };
        all.into_iter().map(derivation).collect()
    }

    fn below(&self, symbol: usize, start: usize, end: usize) -> Vec<Vec<Node>> {
        let grammar = &self.refined.grammar;
        if let Some(tag) = symbol.checked_sub(grammar.symbols().phrases()) {
            let emitted = end == start + 1
                && self.emissions.word(start).iter().any(|emission| emission.preterminal.index() == tag);
            return if emitted { vec![vec![Node { symbol, start, end, made: None }]] } else { Vec::new() };
        }
        let mut all = Vec::new();
        for (rule, &binary) in grammar.rules().rules().iter().enumerate() {
            let [parent, left, right] = parts(binary);
            if parent != symbol {
                continue;
            }
            for split in start + 1..end {
                let rights = self.below(right, split, end);
                for left in self.below(left, start, split) {
                    for right in &rights {
                        let shift = |node: &Node, by: usize| Node {
                            made: node.made.map(|(rule, l, r)| (rule, l + by, r + by)),
                            ..*node
                        };
                        let mut nodes =
                            vec![Node { symbol, start, end, made: Some((rule, 1, 1 + left.len())) }];
                        nodes.extend(left.iter().map(|node| shift(node, 1)));
                        nodes.extend(right.iter().map(|node| shift(node, 1 + left.len())));
                        all.push(nodes);
                    }
                }
            }
        }
        all
    }

    /// `Σ_h π(h_root) Π t(h, h′, h″) Π q(h)`, over all assignments of states.
    fn sum_over_states(&self, member: &Parameters<f32>, nodes: &[Node]) -> f64 {
        let dims: Vec<usize> = nodes.iter().map(|node| member.dim(node.symbol)).collect();
        let vectors: Vec<Vec<f64>> = nodes.iter().map(|node| self.emission(member, node)).collect();
        let mut states = vec![0; nodes.len()];
        let mut total = 0.0;
        loop {
            let mut product = f64::from(member.root(nodes[0].symbol)[states[0]]);
            for (at, node) in nodes.iter().enumerate() {
                product *= match node.made {
                    None => vectors[at][states[at]],
                    Some((rule, left, right)) => {
                        let length = row_length(dims[left], dims[right]);
                        let place = states[at] * length + states[left] * dims[right] + states[right];
                        f64::from(member.tensor(rule)[place])
                    }
                };
            }
            total += product;
            let Some(next) = (0..nodes.len()).find(|&at| states[at] + 1 < dims[at]) else { return total };
            states[next] += 1;
            states[..next].fill(0);
        }
    }

    fn emission(&self, member: &Parameters<f32>, node: &Node) -> Vec<f64> {
        let Some(tag) = node.symbol.checked_sub(self.refined.grammar.symbols().phrases()) else {
            return Vec::new();
        };
        let word = self.words[node.start];
        let place = SentencePosition::of(node.start);
        let emissions = self.emissions.word(node.start).iter();
        let emission = emissions.clone().find(|emission| emission.preterminal.index() == tag).unwrap();
        let known = known_word(self.refined.grammar.lexicon(), word, place);
        let profile = member.profiles.get(known, || member.profiles.class(word, place), tag);
        profile.iter().map(|&p| f64::from(emission.probability) * f64::from(p)).collect()
    }

    /// The tree of a derivation.
    fn tree(&self, nodes: &[Node]) -> Tree {
        fn write(oracle: &Oracle<'_>, nodes: &[Node], at: usize) -> String {
            let node = nodes[at];
            let name = label(&oracle.refined.grammar, node.symbol as u32);
            match node.made {
                None => format!("({name} {})", oracle.words[node.start]),
                Some((_, left, right)) => {
                    format!("({name} {} {})", write(oracle, nodes, left), write(oracle, nodes, right))
                }
            }
        }
        write(self, nodes, 0).parse().unwrap()
    }
}

/// Results of enumeration for one member.
struct Facts {
    partition: f64,
    /// `Σ |p(tree)| / |Z|`: rounding errors are relative to this.
    scale: f64,
    items: BTreeMap<Item, f64>,
    rules: BTreeMap<Application, f64>,
}

impl Facts {
    fn new(derivations: &[Derivation], member: usize) -> Self {
        let partition: f64 = derivations.iter().map(|derivation| derivation.values[member]).sum();
        let size: f64 = derivations.iter().map(|derivation| derivation.values[member].abs()).sum();
        let (mut items, mut rules) = (BTreeMap::new(), BTreeMap::new());
        for derivation in derivations {
            let share = derivation.values[member] / partition;
            for node in &derivation.nodes {
                *items.entry((node.symbol, node.start, node.end)).or_default() += share;
            }
            for application in applications(derivation) {
                *rules.entry(application).or_default() += share;
            }
        }
        Self { partition, scale: size / partition.abs(), items, rules }
    }
}

fn applications(derivation: &Derivation) -> impl Iterator<Item = Application> + '_ {
    derivation.nodes.iter().filter_map(|node| {
        let (rule, left, _) = node.made?;
        Some((rule, node.start, derivation.nodes[left].end, node.end))
    })
}

/// The value of a derivation, by the posteriors of all members.
fn gain(derivation: &Derivation, facts: &[Facts], decoding: Decoding) -> f64 {
    let score = |posterior: f64| match decoding {
        Decoding::RuleSum | Decoding::ConstituentSum => posterior.abs(),
        Decoding::RuleProduct => posterior.abs().max(1e-9).ln(),
    };
    // Rules and preterminals, or constituents of any size.
    let rules = decoding != Decoding::ConstituentSum;
    let counted = derivation.nodes.iter().filter(|node| !rules || node.made.is_none());
    let counted: Vec<Item> = counted.map(|node| (node.symbol, node.start, node.end)).collect();
    let of_member = |facts: &Facts| -> f64 {
        applications(derivation).filter(|_| rules).map(|rule| score(facts.rules[&rule])).sum::<f64>()
            + counted.iter().map(|item| score(facts.items[item])).sum::<f64>()
    };
    facts.iter().map(of_member).sum()
}

#[derive(Default, Debug)]
struct Seen {
    sentences: usize,
    derivations: usize,
    negative: usize,
    lists: usize,
    left_out: usize,
}

fn check(model: &Lpcfg, words: &[&str], scratch: &mut Scratch, seen: &mut Seen) {
    let refined = &model.grammars[0];
    let oracle = Oracle::new(refined, words);
    let derivations = oracle.derivations();
    let observed: Vec<Observation<'_>> = words.iter().map(|&word| Observation::Word(word)).collect();
    let parser = |decoding| {
        Parser::new(model, ParserConfig { decoding, pruner: Some(EVERYTHING), ..ParserConfig::default() })
    };
    if derivations.is_empty() {
        let parse = parser(Decoding::RuleProduct).parse(&observed, scratch).unwrap();
        assert_eq!(parse.outcome, Outcome::Fallback, "{words:?}");
        return;
    }
    let facts: Vec<Facts> =
        (0..refined.members.len()).map(|member| Facts::new(&derivations, member)).collect();
    if facts.iter().any(|facts| facts.scale > 100.0) {
        // Z almost cancels: there is nothing to compare in single precision.
        seen.left_out += 1;
        return;
    }
    seen.sentences += 1;
    seen.derivations += derivations.len();
    seen.negative += usize::from(facts.iter().any(|facts| facts.partition < 0.0));

    let (mut pcfg, mut forest, mut chart) =
        (crate::pcfg::Scratch::default(), Forest::default(), LatentChart::default());
    Pruner::new(&refined.grammar, EVERYTHING).prune(&observed, &mut pcfg, &mut forest).unwrap();
    for (member, facts) in refined.members.iter().zip(&facts) {
        let ran = chart.run(member, &forest, |at, vector| {
            let item = forest.items()[at];
            let (start, end) = (item.start as usize, item.end as usize);
            let node = Node { symbol: item.symbol as usize, start, end, made: None };
            let emission = oracle.emission(member, &node);
            vector.iter_mut().zip(emission).for_each(|(out, value)| *out = value as f32);
            0
        });
        assert!(ran);
        let tolerance = 1e-5 * facts.scale;
        let partition = chart.signed_partition().value();
        assert!((partition / facts.partition - 1.0).abs() < tolerance, "{words:?}: {partition}");
        assert_eq!(forest.items().len(), facts.items.len(), "{words:?}");
        for (item, &posterior) in forest.items().iter().zip(&chart.items) {
            let truth = facts.items[&(item.symbol as usize, item.start as usize, item.end as usize)];
            assert!(
                (f64::from(posterior) - truth).abs() < tolerance,
                "{words:?} {item:?}: {posterior} {truth}"
            );
        }
        assert_eq!(forest.all_splits().len(), facts.rules.len(), "{words:?}");
        for bundle in forest.bundles() {
            for (at, split) in bundle.range().zip(forest.splits(bundle)) {
                let item = forest.items()[bundle.parent as usize];
                let middle = forest.items()[split.left as usize].end;
                let (start, end) = (item.start as usize, item.end as usize);
                let truth = facts.rules[&(bundle.rule as usize, start, middle as usize, end)];
                let posterior = f64::from(chart.rules[at]);
                assert!((posterior - truth).abs() < tolerance, "{words:?} {bundle:?}: {posterior} {truth}");
            }
        }
    }

    let scale: f64 = facts.iter().map(|facts| facts.scale).sum();
    for decoding in [Decoding::RuleSum, Decoding::RuleProduct, Decoding::ConstituentSum] {
        let gains: Vec<f64> =
            derivations.iter().map(|derivation| gain(derivation, &facts, decoding)).collect();
        let best = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let parse = parser(decoding).parse(&observed, scratch).unwrap();
        let of_tree = |tree: &Tree| {
            let found = derivations.iter().position(|derivation| oracle.tree(&derivation.nodes) == *tree);
            gains[found.unwrap_or_else(|| panic!("{words:?}: no such tree {tree}"))]
        };
        // Logarithms of small posteriors are as uncertain as the posteriors.
        let tolerance = if decoding == Decoding::RuleProduct { 0.02 * scale } else { 1e-4 * scale };
        let gained = of_tree(&parse.tree);
        assert!(gained >= best - tolerance, "{words:?} {decoding:?}: {gained} of {best}");
        if decoding == Decoding::RuleProduct {
            let mut ranked: Vec<f64> = gains.clone();
            ranked.sort_by(|a, b| b.total_cmp(a));
            for k in [2, 5, derivations.len().min(200) + 3] {
                let parses = parser(decoding).parse_best(&observed, k, scratch);
                assert_eq!(parses.len(), k.min(derivations.len()), "{words:?}");
                seen.lists += 1;
                for (parse, &truth) in parses.iter().zip(&ranked) {
                    let score = parse.log_probability * facts.len() as f64;
                    assert!((score - truth).abs() <= tolerance, "{words:?}: {score} for {truth}");
                    assert!((of_tree(&parse.tree) - truth).abs() <= tolerance, "{words:?}: {}", parse.tree);
                }
                let distinct: std::collections::BTreeSet<String> =
                    parses.iter().map(|parse| parse.tree.to_string()).collect();
                assert_eq!(distinct.len(), parses.len());
            }
        }
    }

    let marginals = parser(Decoding::RuleProduct).marginals(&observed, scratch).unwrap();
    assert_eq!(marginals.spans().len(), facts[0].items.len());
    for &(symbol, start, end) in facts[0].items.keys() {
        let of_member = |facts: &Facts| facts.items[&(symbol, start, end)].abs().min(1.0);
        let truth = facts.iter().map(of_member).sum::<f64>() / facts.len() as f64;
        let found = f64::from(marginals.get(label(&refined.grammar, symbol as u32), start, end));
        assert!((found - truth).abs() < 1e-5 * scale, "{words:?}: {found} for {truth}");
    }
    for (derivation, number) in derivations.iter().zip(0..40) {
        let tree = oracle.tree(&derivation.nodes);
        let probabilities = model.tree_probabilities(&tree, &observed);
        for (found, &truth) in probabilities.iter().zip(&derivation.values) {
            assert!((found.value() - truth).abs() <= 1e-9 * truth.abs().max(1e-3), "{number}: {tree}");
        }
        let score = parser(Decoding::RuleProduct).score_tree(&tree, &observed, scratch);
        let negative = facts.iter().any(|facts| facts.partition < 0.0);
        let mean = facts.iter().map(|facts| facts.partition.abs().ln()).sum::<f64>() / facts.len() as f64;
        assert_eq!(score.sentence.sign, if negative { -1 } else { 1 });
        assert!(
            (score.sentence.log - mean).abs() < 1e-5 * scale,
            "{words:?}: {} for {mean}",
            score.sentence.log
        );
    }
}

fn check_all(signs: Signs) {
    let mut seen = Seen::default();
    let mut scratch = Scratch::default();
    for seed in 0..4 {
        let model = tiny(seed, signs);
        for length in 1..=4_u32 {
            for number in 0..2_u32.pow(length) {
                let word = |at: u32| if number >> at & 1 == 0 { "w0" } else { "w1" };
                check(&model, &(0..length).map(word).collect::<Vec<_>>(), &mut scratch, &mut seen);
            }
        }
        for words in [["w0", "w1", "w1", "w0", "w0"], ["w1", "w0", "w1", "w1", "w1"]] {
            check(&model, &words, &mut scratch, &mut seen);
        }
    }
    eprintln!("{signs:?}: {seen:?}");
    assert!(seen.sentences > 60 && seen.derivations > 1000 && seen.lists > 100, "{seen:?}");
    assert_eq!(seen.negative > 0, signs == Signs::Mixed, "{seen:?}");
}

#[test]
fn probabilities() {
    check_all(Signs::Positive);
}

#[test]
fn signed_numbers() {
    check_all(Signs::Mixed);
}
