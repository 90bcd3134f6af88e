//! Enumerates every derivation of a sentence.
//!
//! The enumerator does not use charts. It lists the derivations with their probabilities in `f64`, from the model's
//! rules, weights and emissions alone, and builds the tree of a derivation itself.

use std::collections::{BTreeMap, HashMap};

use corpus::ids::Id;
use eigentree_grammars::grammar::SymbolId;
use eigentree_grammars::lexicon::{Emission, Observation, SentenceEmissions};
use eigentree_grammars::pcfg::{Decoding, Pcfg};

/// A symbol over a span.
pub(crate) type Node = (usize, usize, usize);
/// A rule application: parent, left, right, start, split, end.
pub(crate) type Step = (usize, usize, usize, usize, usize, usize);

#[derive(Clone, Debug)]
pub(crate) struct Derivation {
    pub(crate) probability: f64,
    /// Rules in pre-order.
    pub(crate) steps: Vec<Step>,
    /// The preterminal of each word.
    pub(crate) tags: Vec<usize>,
}

/// Sentences with more derivations are skipped.
pub(crate) const LIMIT: usize = 60_000;

/// Max-rule decoding ignores phrases below this posterior; the limit is part of the decoder's definition.
pub(crate) const NEGLIGIBLE: f64 = 1e-4;

pub(crate) struct Oracle<'m> {
    pub(crate) model: &'m Pcfg,
    /// For each parent, its rules: left, right, probability.
    pub(crate) rules: Vec<Vec<(usize, usize, f64)>>,
}

impl<'m> Oracle<'m> {
    pub(crate) fn new(model: &'m Pcfg) -> Self {
        let mut rules = vec![Vec::new(); model.symbols().len()];
        for (rule, &weight) in model.rules().rules().iter().zip(&model.weights().rules) {
            rules[rule.parent.index()].push((rule.left.index(), rule.right.index(), f64::from(weight)));
        }
        Self { model, rules }
    }

    /// `p(word | preterminal)` by symbol, one map per word.
    pub(crate) fn emissions(&self, sentence: &[Observation<'_>]) -> Vec<BTreeMap<usize, f64>> {
        let phrases = self.model.symbols().phrases();
        let mut out = SentenceEmissions::default();
        self.model.lexicon().emissions_of_sentence(sentence, &mut out);
        let symbol = |e: &Emission| (e.preterminal.index() + phrases, f64::from(e.probability));
        out.iter().map(|word| word.iter().map(symbol).collect()).collect()
    }

    /// All derivations of the sentence; `None` if there are too many.
    pub(crate) fn derivations(&self, sentence: &[Observation<'_>]) -> Option<Vec<Derivation>> {
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

    pub(crate) fn below(
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
    pub(crate) fn tree(&self, derivation: &Derivation, words: &[&str]) -> String {
        let root = derivation.steps.first().map_or(derivation.tags[0], |step| step.0);
        let mut steps = derivation.steps.iter();
        let inner = self.write(root, (0, words.len()), &mut steps, &derivation.tags, words, true);
        format!("(ROOT {inner})")
    }

    pub(crate) fn write<'d>(
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

/// Results of enumeration for a sentence.
pub(crate) struct Facts {
    pub(crate) total: f64,
    pub(crate) best: f64,
    pub(crate) nodes: HashMap<Node, f64>,
    pub(crate) steps: HashMap<Step, f64>,
    /// For each tree its derivations.
    pub(crate) trees: BTreeMap<String, Vec<usize>>,
}

impl Facts {
    pub(crate) fn new(oracle: &Oracle<'_>, derivations: &[Derivation], words: &[&str]) -> Self {
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
    pub(crate) fn gain(&self, derivation: &Derivation, decoding: Decoding) -> f64 {
        let posterior = |step: &Step| match decoding {
            Decoding::MaxConstituentSum => self.nodes[&(step.0, step.3, step.5)],
            _ => self.steps[step],
        };
        let posteriors = derivation
            .steps
            .iter()
            .map(posterior)
            .chain(derivation.tags.iter().enumerate().map(|(at, &tag)| self.nodes[&(tag, at, at + 1)]));
        match decoding {
            Decoding::MaxRuleProduct => posteriors.map(f64::ln).sum(),
            _ => posteriors.sum(),
        }
    }

    pub(crate) fn takes_part(&self, derivation: &Derivation) -> bool {
        derivation.steps.iter().all(|step| self.nodes[&(step.0, step.3, step.5)] > NEGLIGIBLE * 1.01)
    }
}
