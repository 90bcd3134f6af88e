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
//! `px` gives a transition by `x` from the state of `p` to its own state. Where two transitions of a state have the
//! same symbol, their targets are merged, until the automaton is deterministic. The empty prefix starts as a state of
//! its own.

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
}

impl Default for DfaConfig {
    fn default() -> Self {
        Self { clusters: 10, prefixes: 300 }
    }
}

/// A deterministic automaton with counts.
#[derive(Clone, PartialEq, Debug)]
pub struct Dfa {
    /// The states; the first is the initial one.
    pub states: Vec<DfaState>,
    /// By state, then by symbol.
    pub transitions: Vec<DfaTransition>,
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
        Some(determinise(&prefixes, cluster_of))
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

/// Merges clusters until no state has two transitions with the same symbol.
fn determinise(prefixes: &[Prefix<'_>], mut state_of: Vec<usize>) -> Dfa {
    let place: BTreeMap<&[u32], usize> =
        prefixes.iter().enumerate().map(|(at, prefix)| (prefix.symbols, at)).collect();
    // (prefix, the prefix without its last symbol, that symbol)
    let steps: Vec<(usize, usize, u32)> = prefixes
        .iter()
        .enumerate()
        .filter_map(|(at, prefix)| {
            let (last, before) = prefix.symbols.split_last()?;
            Some((at, *place.get(before)?, *last))
        })
        .collect();
    loop {
        let mut target: BTreeMap<(usize, u32), usize> = BTreeMap::new();
        let conflict = steps.iter().find_map(|&(at, before, symbol)| {
            let known = *target.entry((state_of[before], symbol)).or_insert(state_of[at]);
            (known != state_of[at]).then_some((known, state_of[at]))
        });
        let Some((keep, drop)) = conflict.map(|(a, b)| (a.min(b), a.max(b))) else { break };
        state_of.iter_mut().filter(|state| **state == drop).for_each(|state| *state = keep);
    }
    let mut numbers: Vec<usize> = state_of.clone();
    numbers.sort_unstable();
    numbers.dedup();
    let number = |state: usize| numbers.binary_search(&state).unwrap_or(0);
    let symbol = |raw: u32| SymbolId::new(raw as usize);
    let mut states = vec![DfaState::default(); numbers.len()];
    for (prefix, &state) in prefixes.iter().zip(&state_of) {
        let state = &mut states[number(state)];
        state.count += prefix.count;
        state.stops += prefix.stops;
        state.prefixes.push(prefix.symbols.iter().filter_map(|&raw| symbol(raw)).collect());
    }
    let mut counted: BTreeMap<(usize, u32, usize), f64> = BTreeMap::new();
    for &(at, before, symbol) in &steps {
        *counted.entry((number(state_of[before]), symbol, number(state_of[at]))).or_default() +=
            prefixes[at].count;
    }
    let transitions = counted
        .into_iter()
        .filter_map(|((from, raw, to), count)| Some(DfaTransition { from, to, symbol: symbol(raw)?, count }))
        .collect();
    Dfa { states, transitions }
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
        let dfa = determinise(&prefixes, vec![0, 1, 1, 2, 3]);
        assert_eq!(dfa.states.len(), 3);
        assert_eq!(dfa.states[2].count, 5.0);
        let shown: Vec<(usize, usize, f64)> =
            dfa.transitions.iter().map(|step| (step.from, step.to, step.count)).collect();
        assert_eq!(shown, [(0, 1, 5.0), (0, 1, 4.0), (1, 2, 5.0)]);
    }
}
