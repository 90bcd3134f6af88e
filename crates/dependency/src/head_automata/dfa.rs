//! A deterministic automaton that visualises what hidden states remember (Luque et al. 2012, section 5.3).
//!
//! The forward vectors of frequent prefixes of modifier sequences are clustered by group-average agglomeration on their
//! cosine similarity:
//!
//! ```text
//! sim(C) = (|s|² − |C|) / (|C| (|C| − 1)),    s the sum of the unit vectors of C,
//! ```
//!
//! merging the two clusters whose union has the largest value (Manning et al. 2008). Each cluster is a state; a prefix
//! `px` gives a transition by `x` from the state of `p` to its own state. The empty prefix starts as a state of its own.
//!
//! Prefixes of one state may disagree about where a symbol leads. The paper merges the targets until nothing disagrees, and
//! one rare prefix in the wrong cluster can merge two large states, which leads to further merges. Here the prefixes vote, each
//! with the number of its sequences: targets are merged only while the second of them has a large enough share of the votes
//! ([`DfaConfig::merge`]; 0 is the procedure of the paper), and otherwise the transition leads where most sequences go. States
//! that no sequence then reaches are left out.

use std::collections::BTreeMap;
use std::fmt::Write;

use corpus::dependency::Direction;
use corpus::ids::Id;

use super::model::HeadAutomata;
use super::sequences::ModifierCounts;
use super::symbols::SymbolId;

/// Configuration of the clustering.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DfaConfig {
    /// Number of clusters before merging.
    pub clusters: usize,
    /// Number of prefixes, the most frequent first.
    pub prefixes: usize,
    /// Two targets of a symbol are merged if the smaller one has more than this share of the sequences that take it; the smaller
    /// ones follow the largest otherwise. 0 merges whatever disagrees, as in the paper, and 0.5 nothing, which on CRAFT keeps the
    /// state after conjunctions and punctuation that the paper describes.
    pub merge: f64,
}

impl Default for DfaConfig {
    fn default() -> Self {
        Self { clusters: 10, prefixes: 300, merge: 0.5 }
    }
}

/// A deterministic automaton with counts.
#[derive(Clone, PartialEq, Debug)]
pub struct Dfa {
    /// The states; the first is the initial one.
    pub states: Vec<DfaState>,
    /// By state, then by symbol.
    pub transitions: Vec<DfaTransition>,
    /// The share of prefixes, each counted with its sequences, that end in the state of their own cluster.
    pub agreement: f64,
}

/// A state.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DfaState {
    /// Number of sequences that passed it.
    pub count: f64,
    /// Number of sequences that stopped there.
    pub stops: f64,
    /// The prefixes that lead to it, most frequent first.
    pub prefixes: Vec<Vec<SymbolId>>,
}

/// A transition.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DfaTransition {
    /// The source state.
    pub from: usize,
    /// The target state.
    pub to: usize,
    /// The modifier.
    pub symbol: SymbolId,
    /// Its count.
    pub count: f64,
}

/// A prefix with the number of sequences that begin with it, and of those that end with it.
struct Prefix<'p> {
    symbols: &'p [u32],
    count: f64,
    stops: f64,
}

impl Dfa {
    /// Builds the automaton of a head and direction from sequences counted with the model's own symbols. `None` if
    /// there are no sequences.
    pub fn of_automaton(
        model: &HeadAutomata,
        head: SymbolId,
        direction: Direction,
        counts: &ModifierCounts,
        config: DfaConfig,
    ) -> Option<Self> {
        if counts.symbols() != model.symbols().len() || head.index() >= counts.symbols() {
            return None;
        }
        let prefixes = frequent_prefixes(counts, head.index(), direction, config.prefixes);
        if prefixes.is_empty() {
            return None;
        }
        let automaton = 2 * head.index() + direction as usize;
        // Hidden states only; without any, the states of the deterministic automaton.
        let kept = if model.states() == 0 { model.operators.width } else { model.states() };
        let vectors: Vec<Vec<f64>> = prefixes
            .iter()
            .map(|prefix| {
                let numbers: Vec<usize> = prefix.symbols.iter().map(|&symbol| symbol as usize).collect();
                unit(model.operators.forward(automaton, &numbers)[..kept].to_vec())
            })
            .collect();
        let mut cluster_of = group_average(&vectors[1..], config.clusters.max(1));
        cluster_of.iter_mut().for_each(|cluster| *cluster += 1);
        cluster_of.insert(0, 0);
        Some(determinise(&prefixes, cluster_of, config.merge))
    }

    /// Renders the automaton in Graphviz's DOT language. Symbols between the same states share an arrow, the most
    /// frequent first.
    pub fn to_dot(&self, model: &HeadAutomata, title: &str) -> String {
        let mut dot = String::from("digraph automaton {\n  rankdir=LR;\n  node [shape=circle];\n");
        let _ = writeln!(dot, "  label={title:?};");
        for (number, state) in self.states.iter().enumerate() {
            let name = if number == 0 { "I".to_owned() } else { number.to_string() };
            let stops = state.stops / state.count.max(f64::MIN_POSITIVE);
            let _ = writeln!(dot, "  {number} [label=\"{name}\\nSTOP {stops:.2}\"];");
        }
        for ((from, to), symbols) in self.arrows() {
            let names: Vec<&str> = symbols.iter().map(|(symbol, _)| model.symbols().name(*symbol)).collect();
            let _ = writeln!(dot, "  {from} -> {to} [label={:?}];", names.join(" "));
        }
        dot.push_str("}\n");
        dot
    }

    /// The transitions by their two states, most frequent symbols first.
    pub fn arrows(&self) -> BTreeMap<(usize, usize), Vec<(SymbolId, f64)>> {
        let mut arrows: BTreeMap<(usize, usize), Vec<(SymbolId, f64)>> = BTreeMap::new();
        for transition in &self.transitions {
            let arrow = arrows.entry((transition.from, transition.to)).or_default();
            arrow.push((transition.symbol, transition.count));
        }
        for symbols in arrows.values_mut() {
            symbols.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        }
        arrows
    }
}

/// The most frequent prefixes, the empty one first, each after its own prefixes.
fn frequent_prefixes<'c>(
    counts: &'c ModifierCounts,
    head: usize,
    direction: Direction,
    limit: usize,
) -> Vec<Prefix<'c>> {
    let mut all: BTreeMap<&[u32], (f64, f64)> = BTreeMap::new();
    for (sequence, count) in counts.of(head, direction) {
        for length in 0..=sequence.len() {
            let entry = all.entry(&sequence[..length]).or_default();
            entry.0 += count;
            entry.1 += if length == sequence.len() { count } else { 0.0 };
        }
    }
    let mut prefixes: Vec<Prefix<'_>> =
        all.into_iter().map(|(symbols, (count, stops))| Prefix { symbols, count, stops }).collect();
    // A prefix is at least as frequent as its extensions, so shorter ones stay.
    prefixes.sort_by(|a, b| {
        b.count.total_cmp(&a.count).then(a.symbols.len().cmp(&b.symbols.len())).then(a.symbols.cmp(b.symbols))
    });
    prefixes.truncate(limit.max(1));
    prefixes
}

fn unit(mut vector: Vec<f64>) -> Vec<f64> {
    let norm = vector.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
    if norm > 0.0 {
        vector.iter_mut().for_each(|entry| *entry /= norm);
    }
    vector
}

/// The cluster of every unit vector, numbered by the first vector of each cluster.
fn group_average(vectors: &[Vec<f64>], clusters: usize) -> Vec<usize> {
    struct Cluster {
        sum: Vec<f64>,
        members: Vec<usize>,
    }
    let mut active: Vec<Cluster> = vectors
        .iter()
        .enumerate()
        .map(|(at, vector)| Cluster { sum: vector.clone(), members: vec![at] })
        .collect();
    while active.len() > clusters {
        let mut best = (f64::NEG_INFINITY, 0, 1);
        for one in 0..active.len() {
            for two in one + 1..active.len() {
                let size = (active[one].members.len() + active[two].members.len()) as f64;
                let sums = active[one].sum.iter().zip(&active[two].sum);
                let square: f64 = sums.map(|(a, b)| (a + b) * (a + b)).sum();
                let similarity = (square - size) / (size * (size - 1.0));
                if similarity > best.0 {
                    best = (similarity, one, two);
                }
            }
        }
        let merged = active.remove(best.2);
        let into = &mut active[best.1];
        into.sum.iter_mut().zip(&merged.sum).for_each(|(sum, entry)| *sum += entry);
        into.members.extend(merged.members);
    }
    let mut cluster_of = vec![0; vectors.len()];
    active.sort_by_key(|cluster| cluster.members.iter().copied().min());
    for (number, cluster) in active.iter().enumerate() {
        cluster.members.iter().for_each(|&member| cluster_of[member] = number);
    }
    cluster_of
}

/// A prefix, the prefix without its last symbol, and that symbol.
struct Step {
    to: usize,
    from: usize,
    symbol: u32,
}

/// Makes clusters the states of an automaton in which a symbol leads from a state to one state.
fn determinise(prefixes: &[Prefix<'_>], mut state_of: Vec<usize>, merge: f64) -> Dfa {
    let place: BTreeMap<&[u32], usize> =
        prefixes.iter().enumerate().map(|(at, prefix)| (prefix.symbols, at)).collect();
    let mut steps: Vec<Step> = prefixes
        .iter()
        .enumerate()
        .filter_map(|(to, prefix)| {
            let (symbol, before) = prefix.symbols.split_last()?;
            Some(Step { to, from: *place.get(before)?, symbol: *symbol })
        })
        .collect();
    steps.sort_by_key(|step| prefixes[step.to].symbols.len());
    let target = loop {
        let votes = votes(prefixes, &steps, &state_of);
        match contested(&votes, merge) {
            Some((keep, drop)) => {
                state_of.iter_mut().filter(|state| **state == drop).for_each(|state| *state = keep);
            }
            None => break winners(&votes),
        }
    };
    let walked = walk(&steps, &state_of, target);
    let sum = |agreeing: bool| -> f64 {
        let own = steps.iter().filter(|step| !agreeing || walked[step.to] == state_of[step.to]);
        own.map(|step| prefixes[step.to].count).sum()
    };
    let agreement = if steps.is_empty() { 1.0 } else { sum(true) / sum(false) };
    count(prefixes, &steps, &walked, agreement)
}

/// By state and symbol: the states that its prefixes lead to, each with the number of sequences.
type Votes = BTreeMap<(usize, u32), BTreeMap<usize, f64>>;

fn votes(prefixes: &[Prefix<'_>], steps: &[Step], state_of: &[usize]) -> Votes {
    let mut votes = Votes::new();
    for step in steps {
        let targets = votes.entry((state_of[step.from], step.symbol)).or_default();
        *targets.entry(state_of[step.to]).or_default() += prefixes[step.to].count;
    }
    votes
}

/// The targets of a symbol, the one with most sequences first.
fn ranked(targets: &BTreeMap<usize, f64>) -> Vec<(usize, f64)> {
    let mut ranked: Vec<(usize, f64)> = targets.iter().map(|(&state, &count)| (state, count)).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    ranked
}

/// Of all pairs of targets whose smaller one has more than the share, that with most sequences: the lower number first, which
/// the merged state keeps.
fn contested(votes: &Votes, merge: f64) -> Option<(usize, usize)> {
    let mut most: Option<(f64, (usize, usize))> = None;
    for targets in votes.values() {
        let ranked = ranked(targets);
        let [(first, _), (second, count), ..] = ranked[..] else { continue };
        let all: f64 = targets.values().sum();
        if count > merge * all && most.is_none_or(|(least, _)| count > least) {
            most = Some((count, (first.min(second), first.max(second))));
        }
    }
    most.map(|(_, pair)| pair)
}

fn winners(votes: &Votes) -> BTreeMap<(usize, u32), usize> {
    let winner = |targets: &BTreeMap<usize, f64>| ranked(targets).first().map(|&(state, _)| state);
    votes.iter().filter_map(|(&from, targets)| Some((from, winner(targets)?))).collect()
}

/// The state of every prefix if sequences follow the transitions. Where a prefix comes to a state that lacks its symbol, the
/// transition to the prefix's own cluster is added, that of the most frequent prefix first.
fn walk(steps: &[Step], state_of: &[usize], mut target: BTreeMap<(usize, u32), usize>) -> Vec<usize> {
    let mut walked = state_of.to_vec();
    // Shorter prefixes come first, and of one length the more frequent.
    for step in steps {
        walked[step.to] = *target.entry((walked[step.from], step.symbol)).or_insert(state_of[step.to]);
    }
    walked
}

/// Counts what passes states and transitions, and numbers the states in their order.
fn count(prefixes: &[Prefix<'_>], steps: &[Step], state_of: &[usize], agreement: f64) -> Dfa {
    let mut numbers: Vec<usize> = state_of.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    let number = |state: usize| numbers.binary_search(&state).unwrap_or(0);
    let symbol = |raw: u32| SymbolId::new(raw as usize);
    let mut states = vec![DfaState::default(); numbers.len()];
    for (prefix, &state) in prefixes.iter().zip(state_of) {
        let state = &mut states[number(state)];
        state.count += prefix.count;
        state.stops += prefix.stops;
        state.prefixes.push(prefix.symbols.iter().filter_map(|&raw| symbol(raw)).collect());
    }
    let mut counted: BTreeMap<(usize, u32, usize), f64> = BTreeMap::new();
    for step in steps {
        let place = (number(state_of[step.from]), step.symbol, number(state_of[step.to]));
        *counted.entry(place).or_default() += prefixes[step.to].count;
    }
    let transitions = counted
        .into_iter()
        .filter_map(|((from, raw, to), count)| Some(DfaTransition { from, to, symbol: symbol(raw)?, count }))
        .collect();
    Dfa { states, transitions, agreement }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_directions_are_one_cluster() {
        let vectors = [[1.0, 0.0], [0.0, 1.0], [2.0, 0.1], [0.1, 3.0], [1.0, 0.05]].map(|v| unit(v.to_vec()));
        assert_eq!(group_average(&vectors, 2), [0, 1, 0, 1, 0]);
    }

    #[test]
    fn a_symbol_leads_from_a_state_to_one_state() {
        let prefix = |symbols, count| Prefix { symbols, count, stops: 1.0 };
        let prefixes = [
            prefix(&[][..], 9.0),
            prefix(&[0][..], 5.0),
            prefix(&[1][..], 4.0),
            prefix(&[0, 2][..], 3.0),
            prefix(&[1, 2][..], 2.0),
        ];
        // [0] and [1] are one state, but symbol 2 leads from it to two.
        let shown = |dfa: &Dfa| -> Vec<(usize, usize, f64)> {
            dfa.transitions.iter().map(|step| (step.from, step.to, step.count)).collect()
        };
        for merge in [0.0, 0.3] {
            let dfa = determinise(&prefixes, vec![0, 1, 1, 2, 3], merge);
            assert_eq!(dfa.states.len(), 3);
            assert_eq!((dfa.states[2].count, dfa.agreement), (5.0, 1.0));
            assert_eq!(shown(&dfa), [(0, 1, 5.0), (0, 1, 4.0), (1, 2, 5.0)]);
        }
        // Two of five sequences are too few to merge: they follow the other three, and their own state is empty.
        let dfa = determinise(&prefixes, vec![0, 1, 1, 2, 3], 0.5);
        assert_eq!(shown(&dfa), [(0, 1, 5.0), (0, 1, 4.0), (1, 2, 5.0)]);
        assert_eq!(dfa.agreement, 12.0 / 14.0);
    }

    #[test]
    fn one_stray_prefix_does_not_merge_two_large_states() {
        let prefix = |symbols, count| Prefix { symbols, count, stops: 1.0 };
        let prefixes = [
            prefix(&[][..], 99.0),
            prefix(&[0][..], 50.0),
            prefix(&[1][..], 40.0),
            prefix(&[0, 0][..], 30.0),
            prefix(&[1, 1][..], 20.0),
            prefix(&[0, 0, 0][..], 2.0),
        ];
        // By symbol 0 state 1 leads to itself, but for one prefix, which fell into the cluster of state 2.
        let clusters = vec![0, 1, 2, 1, 2, 2];
        assert_eq!(determinise(&prefixes, clusters.clone(), 0.0).states.len(), 2);
        let dfa = determinise(&prefixes, clusters, 0.4);
        assert_eq!(dfa.states.len(), 3);
        assert_eq!(dfa.states[1].prefixes.len(), 3);
        assert_eq!(dfa.agreement, 140.0 / 142.0);
    }
}
