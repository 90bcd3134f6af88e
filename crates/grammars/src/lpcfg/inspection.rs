//! Shows what the latent states stand for.
//!
//! A state is characterised by what happens at its nodes: the rule or word below, and the rule above. The parameters
//! contain all of this once the other nodes of a tensor are summed out by their means (F and H of
//! [`state_summary`](super::state_summary)):
//!
//! ```text
//! z_i(a→bc) = Σ_jk C_ijk H^b_j H^c_k = p(a→bc) E[Z_i | a→bc]          z_i(s→w) = p(w | s) E[Z_i | s→w]
//! y_j(a→bc) = Σ_ik F^a_i C_ijk H^c_k = p(a→bc) E[Y_j | b is the left child in a→bc]          likewise for c
//! ```
//!
//! For states, `z_h` is `p(rule | a, h)` and `y_h · n(a)` the number of nodes in state h below the rule. An event is
//! typical if it is both frequent and distinctive: events x are ranked by their contribution to the divergence between
//! state and symbol, `p(x | h) ln (p(x | h) / p(x))`.
//!
//! For directions there are no probabilities, and the sign is arbitrary; only opposite ends mean something. Events are
//! ranked by the distance of their mean from the overall mean, in standard deviations over the nodes' events, shrunk by
//! `n / (n + 10)`.

use std::fmt;

use corpus::ids::{Id, WordId};

use super::estimate::parts;
use super::model::{Lpcfg, Refined};
use super::parameters::{Parameters, row_length};
use super::state_summary::Spectrum;
use super::states::Basis;
use crate::grammar::{SymbolId, SymbolKind};
use crate::pcfg::Pcfg;

/// An event seen this often counts half in the ranking of a direction.
const HALF: f64 = 10.0;

/// Position of a node among the children of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Child {
    /// The first.
    Left,
    /// The second.
    Right,
}

/// An event at a node. Labels are those of the normal form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<'m> {
    /// A preterminal has this word.
    Word(&'m str),
    /// A phrase has these children.
    Rule {
        /// The first child.
        left: &'m str,
        /// The second child.
        right: &'m str,
    },
    /// The node is a child in this rule.
    Below {
        /// The node above.
        parent: &'m str,
        /// Its first child.
        left: &'m str,
        /// Its second child.
        right: &'m str,
        /// Which child the node is.
        child: Child,
    },
    /// The node is the root of its tree.
    Root,
}

/// Contexts mark the node with a star: `VP → VBD NP*`.
impl fmt::Display for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Word(word) => f.write_str(word),
            Event::Rule { left, right } => write!(f, "{left} {right}"),
            Event::Below { parent, left, right, child: Child::Left } => {
                write!(f, "{parent} → {left}* {right}")
            }
            Event::Below { parent, left, right, child: Child::Right } => {
                write!(f, "{parent} → {left} {right}*")
            }
            Event::Root => f.write_str("root of the tree"),
        }
    }
}

/// An event that is typical of a state.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Typical<'m> {
    /// The event.
    pub event: Event<'m>,
    /// Its probability in this state.
    pub probability: f64,
    /// Its probability in this state divided by its probability over all states of the symbol.
    pub lift: f64,
    /// Its count in the treebank, over all states.
    pub count: f64,
}

/// One latent state of a symbol.
#[derive(Clone, PartialEq, Debug)]
pub struct LatentState<'m> {
    /// Its number in the parameters, from 0.
    pub number: usize,
    /// `P(h | a)`, its share of the symbol's nodes.
    pub share: f64,
    /// Words (for preterminals) or rules (for phrases), the most typical first.
    pub expansions: Vec<Typical<'m>>,
    /// Rules above the node, the most typical first.
    pub contexts: Vec<Typical<'m>>,
}

/// The position of an event along a direction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loading<'m> {
    /// The event.
    pub event: Event<'m>,
    /// Standard deviations from the mean of all events, shrunk if the event is rare.
    pub loading: f64,
    /// Its count in the treebank.
    pub count: f64,
}

/// The two ends of a direction.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Poles<'m> {
    /// The largest loadings, the largest first.
    pub positive: Vec<Loading<'m>>,
    /// The most negative, the most negative first.
    pub negative: Vec<Loading<'m>>,
}

/// One direction of a symbol's latent space.
#[derive(Clone, PartialEq, Debug)]
pub struct Direction<'m> {
    /// Its number, from 0.
    pub number: usize,
    /// Its singular value.
    pub singular_value: Option<f64>,
    /// Words (for preterminals) or rules (for phrases).
    pub expansions: Poles<'m>,
    /// Rules above the node.
    pub contexts: Poles<'m>,
}

/// The interpretation of a symbol's latent dimensions.
#[derive(Clone, PartialEq, Debug)]
pub enum Latent<'m> {
    /// States, the largest share first.
    States(Vec<LatentState<'m>>),
    /// Directions, in the order of their singular values.
    Directions(Vec<Direction<'m>>),
}

/// Size of one symbol of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct SymbolOverview<'m> {
    /// Its label in the normal form.
    pub label: &'m str,
    /// Phrase or preterminal.
    pub kind: SymbolKind,
    /// Its count in the treebank.
    pub nodes: f64,
    /// m, the number of its states.
    pub states: usize,
    /// Its singular values; `None` if nothing was decomposed.
    pub spectrum: Option<&'m Spectrum>,
}

/// A symbol and its states.
#[derive(Clone, PartialEq, Debug)]
pub struct Inspection<'m> {
    /// The symbol.
    pub symbol: SymbolOverview<'m>,
    /// Its states or directions.
    pub latent: Latent<'m>,
}

impl Lpcfg {
    /// The grammar that a member refines. Members are numbered from 0, grammar by grammar.
    pub fn grammar_of(&self, member: usize) -> Option<&Pcfg> {
        self.find(member).map(|(refined, _)| &refined.grammar)
    }

    /// The symbols of a member, the most frequent first; empty if the member does not exist.
    pub fn overview(&self, member: usize) -> Vec<SymbolOverview<'_>> {
        let Some((refined, parameters)) = self.find(member) else { return Vec::new() };
        let view = View::new(refined, parameters);
        let mut symbols: Vec<_> =
            refined.grammar.symbols().iter().map(|symbol| view.overview(symbol)).collect();
        symbols
            .sort_by(|one, other| other.nodes.total_cmp(&one.nodes).then_with(|| one.label.cmp(other.label)));
        symbols
    }

    /// The states of a symbol of a member, with at most `top` events per list; `None` if the member or symbol does not
    /// exist.
    ///
    /// ```
    /// use corpus::synthetic::{english, sample_treebank};
    /// use eigentree_grammars::grammar::SymbolKind;
    /// use models::learn::{Learner, Silent};
    /// use eigentree_grammars::lpcfg::{Latent, LpcfgConfig, LpcfgLearner, Method, SpectralConfig};
    /// let trees = sample_treebank(english(), 300, 1).expect("the embedded grammar is sound");
    /// let spectral = SpectralConfig { states: 2, ..SpectralConfig::default() };
    /// let members = vec![Method::Cluster { spectral, steps: 0 }];
    /// let config = LpcfgConfig { members, ..LpcfgConfig::default() };
    /// let model = LpcfgLearner { config }.learn(&trees, &mut Silent)?.model;
    /// let shown = model.inspect(0, SymbolKind::Phrase, "NP", 5).expect("there are noun phrases");
    /// let Latent::States(states) = &shown.latent else { panic!("clusters are states") };
    /// assert!((states.iter().map(|state| state.share).sum::<f64>() - 1.0).abs() < 1e-5);
    /// # Ok::<(), models::learn::LearnError>(())
    /// ```
    pub fn inspect(
        &self,
        member: usize,
        kind: SymbolKind,
        label: &str,
        top: usize,
    ) -> Option<Inspection<'_>> {
        let (refined, parameters) = self.find(member)?;
        let symbol = refined.grammar.symbols().get(kind, label)?;
        let view = View::new(refined, parameters);
        let overview = view.overview(symbol);
        let latent = view.latent(symbol, &overview, top);
        Some(Inspection { symbol: overview, latent })
    }

    fn find(&self, member: usize) -> Option<(&Refined, &Parameters<f32>)> {
        self.members_in_order().nth(member)
    }

    /// All members, grammar by grammar.
    pub(super) fn members_in_order(&self) -> impl Iterator<Item = (&Refined, &Parameters<f32>)> {
        self.grammars.iter().flat_map(|refined| refined.members.iter().map(move |member| (refined, member)))
    }
}

/// An event with its vector, an estimate of `E[Z | event]` or `E[Y | event]`.
struct Observed<'m> {
    event: Event<'m>,
    count: f64,
    /// Its probability among the events of the symbol's nodes.
    probability: f64,
    mean: Vec<f64>,
}

/// One member with the quantities that inspection needs repeatedly.
struct View<'m> {
    grammar: &'m Pcfg,
    parameters: &'m Parameters<f32>,
    /// The start of F and H of each symbol; one more entry than symbols.
    starts: Vec<usize>,
    /// The count of each symbol in the treebank.
    nodes: Vec<f64>,
}

impl<'m> View<'m> {
    fn new(refined: &'m Refined, parameters: &'m Parameters<f32>) -> Self {
        let grammar = &refined.grammar;
        let mut starts = vec![0];
        let mut end = 0;
        starts.extend(parameters.dims.iter().map(|&dim| {
            end += dim as usize;
            end
        }));
        let phrases = grammar.symbols().phrases();
        let mut nodes = vec![0.0; phrases];
        for (rule, count) in grammar.rules().rules().iter().zip(grammar.rule_counts()) {
            nodes[rule.parent.index()] += count;
        }
        let preterminals = (0..grammar.symbols().len() - phrases).filter_map(SymbolId::new);
        nodes.extend(preterminals.map(|tag| grammar.lexicon().preterminal_count(tag)));
        Self { grammar, parameters, starts, nodes }
    }

    fn overview(&self, symbol: SymbolId) -> SymbolOverview<'m> {
        let symbols = self.grammar.symbols();
        SymbolOverview {
            label: symbols.label(symbol),
            kind: symbols.kind(symbol),
            nodes: self.nodes[symbol.index()],
            states: self.parameters.dim(symbol.index()),
            spectrum: self.parameters.summary.spectra[symbol.index()].as_ref(),
        }
    }

    /// F
    fn inside(&self, symbol: usize) -> &'m [f32] {
        &self.parameters.summary.inside[self.starts[symbol]..self.starts[symbol + 1]]
    }

    /// H
    fn outside(&self, symbol: usize, state: usize) -> f64 {
        match self.parameters.summary.basis() {
            Basis::States => 1.0,
            Basis::Directions => f64::from(self.parameters.summary.outside[self.starts[symbol] + state]),
        }
    }

    fn latent(&self, symbol: SymbolId, overview: &SymbolOverview<'_>, top: usize) -> Latent<'m> {
        let expansions = match overview.kind {
            SymbolKind::Phrase => self.rules(symbol.index()),
            SymbolKind::Preterminal => self.words(symbol.index()),
        };
        let contexts = self.contexts(symbol.index());
        // A single dimension is a state, however it was learnt.
        if overview.states == 1 || self.parameters.summary.basis() == Basis::States {
            let shares = self.inside(symbol.index()).iter().map(|&share| f64::from(share));
            let shares: Vec<f64> = if overview.states == 1 { vec![1.0] } else { shares.collect() };
            let state = |(number, &share): (usize, &f64)| LatentState {
                number,
                share,
                // z is already p(x | h) / p(x); y is P(h | x), and P(h | x) / P(h) is the same.
                expansions: typical(&expansions, |mean| mean[number], top),
                contexts: typical(&contexts, |mean| mean[number], top),
            };
            let mut states: Vec<LatentState<'m>> = shares.iter().enumerate().map(state).collect();
            states.sort_by(|one, other| other.share.total_cmp(&one.share));
            return Latent::States(states);
        }
        let direction = |number: usize| Direction {
            number,
            singular_value: overview
                .spectrum
                .and_then(|spectrum| spectrum.singular_values.get(number))
                .map(|&value| f64::from(value)),
            expansions: poles(&expansions, number, top),
            contexts: poles(&contexts, number, top),
        };
        Latent::Directions((0..overview.states).map(direction).collect())
    }

    /// The rules of a phrase.
    fn rules(&self, symbol: usize) -> Vec<Observed<'m>> {
        let (rules, weights) = (self.grammar.rules().rules(), &self.grammar.weights().rules);
        let mut observed = Vec::new();
        for (number, &rule) in rules.iter().enumerate().filter(|(_, rule)| rule.parent.index() == symbol) {
            let probability = f64::from(weights[number]);
            let [a, b, c] = parts(rule);
            let [ma, mb, mc] = [a, b, c].map(|symbol| self.parameters.dim(symbol));
            let mut mean = vec![0.0; ma];
            let rows = self.parameters.tensor(number).chunks_exact(row_length(mb, mc));
            for (mean, row) in mean.iter_mut().zip(rows) {
                for (j, row) in row[..mb * mc].chunks_exact(mc).enumerate() {
                    let sum: f64 =
                        row.iter().enumerate().map(|(k, &v)| f64::from(v) * self.outside(c, k)).sum();
                    *mean += self.outside(b, j) * sum / probability;
                }
            }
            let [left, right] = [rule.left, rule.right].map(|symbol| self.grammar.symbols().label(symbol));
            let count = self.grammar.rule_counts()[number];
            observed.push(Observed { event: Event::Rule { left, right }, count, probability, mean });
        }
        observed.retain(|observed| observed.probability > 0.0);
        observed
    }

    /// The words of a preterminal.
    fn words(&self, symbol: usize) -> Vec<Observed<'m>> {
        let tag = symbol - self.grammar.symbols().phrases();
        let lexicon = self.grammar.lexicon();
        let total = self.nodes[symbol].max(1.0);
        let mut observed = Vec::new();
        for (number, (word, text)) in lexicon.words().iter().enumerate() {
            let word: WordId = word;
            for (_, count) in lexicon.seen(word).filter(|(seen, _)| seen.index() == tag) {
                let profile = self.parameters.profiles.get(Some(number), || None, tag);
                let mean = profile.iter().map(|&value| f64::from(value)).collect();
                observed.push(Observed { event: Event::Word(text), count, probability: count / total, mean });
            }
        }
        observed
    }

    /// The rules that a symbol was seen below, with `E[Y | rule] / F` for states and `E[Y | rule]` for directions.
    fn contexts(&self, symbol: usize) -> Vec<Observed<'m>> {
        let total = self.nodes[symbol].max(1.0);
        let mut roots = self.nodes[symbol];
        let mut observed = Vec::new();
        let seen = self.grammar.rules().rules().iter().enumerate().zip(self.grammar.rule_counts());
        for ((number, &rule), &count) in seen.filter(|&(_, &count)| count > 0.0) {
            let [parent, left, right] =
                [rule.parent, rule.left, rule.right].map(|symbol| self.grammar.symbols().label(symbol));
            for (of_rule, child) in [(rule.left, Child::Left), (rule.right, Child::Right)] {
                if of_rule.index() != symbol {
                    continue;
                }
                roots -= count;
                let mean = self.mean_of_child(number, child);
                let event = Event::Below { parent, left, right, child };
                observed.push(Observed { event, count, probability: count / total, mean });
            }
        }
        let root = self.parameters.root(symbol);
        let prior = f64::from(self.grammar.weights().roots[symbol]);
        if !root.is_empty() && roots > 0.0 && prior > 0.0 {
            let mean = root.iter().map(|&value| f64::from(value) / prior).collect();
            observed.push(Observed { event: Event::Root, count: roots, probability: roots / total, mean });
        }
        if self.parameters.summary.basis() == Basis::States {
            for observed in &mut observed {
                for (mean, &share) in observed.mean.iter_mut().zip(self.inside(symbol)) {
                    *mean = if share > 0.0 { *mean / f64::from(share) } else { 0.0 };
                }
            }
        }
        observed
    }

    /// `E[Y | rule]` of a child, with parent and sibling summed out.
    fn mean_of_child(&self, rule: usize, child: Child) -> Vec<f64> {
        let probability = f64::from(self.grammar.weights().rules[rule]);
        let [a, b, c] = parts(self.grammar.rules().rules()[rule]);
        let [mb, mc] = [b, c].map(|symbol| self.parameters.dim(symbol));
        let mut mean = vec![0.0; if child == Child::Left { mb } else { mc }];
        let rows = self.parameters.tensor(rule).chunks_exact(row_length(mb, mc));
        for (row, &share) in rows.zip(self.inside(a)) {
            for (j, row) in row[..mb * mc].chunks_exact(mc).enumerate() {
                for (k, &value) in row.iter().enumerate() {
                    let value = f64::from(share) * f64::from(value) / probability;
                    match child {
                        Child::Left => mean[j] += value * self.outside(c, k),
                        Child::Right => mean[k] += value * self.outside(b, j),
                    }
                }
            }
        }
        mean
    }
}

/// The most typical events of a state, where `lift` is `p(x | h) / p(x)`. Smoothing moves the sum of the probabilities
/// slightly away from one; they are renormalised.
fn typical<'m>(observed: &[Observed<'m>], lift: impl Fn(&[f64]) -> f64, top: usize) -> Vec<Typical<'m>> {
    let total: f64 = observed.iter().map(|x| x.probability * lift(&x.mean)).sum();
    if total <= 0.0 {
        return Vec::new();
    }
    let mut events: Vec<Typical<'m>> = observed
        .iter()
        .map(|x| {
            let lift = lift(&x.mean) / total;
            Typical { event: x.event, probability: x.probability * lift, lift, count: x.count }
        })
        .filter(|event| event.probability > 0.0)
        .collect();
    let score = |event: &Typical<'_>| event.probability * event.lift.ln();
    // If nothing is distinctive, as when a symbol has one state, frequent events are typical.
    let plain = events.iter().all(|event| (event.lift - 1.0).abs() < 1e-4);
    let key = |event: &Typical<'_>| if plain { event.probability } else { score(event) };
    events.sort_by(|one, other| key(other).total_cmp(&key(one)));
    events.truncate(top);
    events
}

/// The events at both ends of a direction.
fn poles<'m>(observed: &[Observed<'m>], number: usize, top: usize) -> Poles<'m> {
    let seen = || observed.iter().filter(|x| x.count > 0.0);
    let total: f64 = seen().map(|x| x.count).sum();
    let mean = seen().map(|x| x.count * x.mean[number]).sum::<f64>() / total;
    let variance = seen().map(|x| x.count * (x.mean[number] - mean).powi(2)).sum::<f64>() / total;
    if !(variance > 0.0 && variance.is_finite()) {
        return Poles::default();
    }
    let loading = |x: &Observed<'m>| Loading {
        event: x.event,
        loading: (x.mean[number] - mean) / variance.sqrt() * x.count / (x.count + HALF),
        count: x.count,
    };
    let mut loadings: Vec<Loading<'m>> = seen().map(loading).collect();
    loadings.sort_by(|one, other| other.loading.total_cmp(&one.loading));
    let positive = loadings.iter().take_while(|loading| loading.loading > 0.0).take(top);
    let negative = loadings.iter().rev().take_while(|loading| loading.loading < 0.0).take(top);
    Poles { positive: positive.copied().collect(), negative: negative.copied().collect() }
}
