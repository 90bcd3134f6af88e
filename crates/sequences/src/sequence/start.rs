//! Start of EM from states found by decomposition.
//!
//! After a prefix u the spectral automaton is in the state `s(u) / Σ_b e_b·s(u)`, the projected expected vector of
//! suffix features after u: prefixes with similar futures have similar states. Prefixes are clustered by their state
//! (weighted k-means), and the moves between clusters are counted. The counts, slightly smoothed, are a probabilistic
//! automaton.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use spectral::{Rank, SpectralError, kmeans};

use super::component::Component;
use crate::automaton::{Automaton, SequenceCounts, SiteEstimate, step};
use models::learn::LearnError;

/// A prefix: its parent, its last symbol, its state, its count and how often it ends a sequence.
struct Prefix {
    parent: u32,
    symbol: u32,
    weight: f64,
    ends: f64,
}

/// A probabilistic automaton with this number of states, built from the states that a spectral one visits.
pub(super) fn clustered(
    component: &Component,
    counts: &SequenceCounts,
    states: usize,
    seed: u64,
) -> Result<Automaton, SpectralError> {
    let (prefixes, points) = visited(component, counts);
    let dims = component.automaton.states();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let weights: Vec<f64> = prefixes.iter().map(|prefix| prefix.weight).collect();
    let cluster = kmeans(&points, dims, &weights, states, &mut rng);
    let (n, symbols) = (states, counts.alphabet());
    // A tenth of the mass is spread evenly, with a little noise, so that nothing is impossible or symmetric.
    let outcomes = symbols * n + 1;
    let mut used = vec![0.0; n];
    for (prefix, &state) in prefixes.iter().zip(&cluster) {
        used[state as usize] += prefix.weight;
    }
    let mut initial: Vec<f64> = (0..n).map(|_| 0.1 / n as f64).collect();
    initial[cluster[0] as usize] += 0.9;
    let mut spread = |from: usize| (0.1 * used[from] + 1.0) / outcomes as f64 * rng.random_range(0.5..1.5);
    let mut terminal: Vec<f64> = (0..n).map(&mut spread).collect();
    let mut moves: Vec<f64> = (0..symbols * n * n).map(|index| spread(index % n)).collect();
    for (index, prefix) in prefixes.iter().enumerate() {
        let to = cluster[index] as usize;
        terminal[to] += prefix.ends;
        if index > 0 {
            let from = cluster[prefix.parent as usize] as usize;
            moves[prefix.symbol as usize * n * n + to * n + from] += prefix.weight;
        }
    }
    let mut totals = terminal.clone();
    for row in moves.chunks_exact(n) {
        totals.iter_mut().zip(row).for_each(|(total, count)| *total += count);
    }
    terminal.iter_mut().zip(&totals).for_each(|(count, total)| *count /= total);
    for row in moves.chunks_exact_mut(n) {
        row.iter_mut().zip(&totals).for_each(|(count, total)| *count /= total);
    }
    Automaton::new(initial, terminal, moves, symbols)
}

/// The same from a spectral estimate of the sequences: a start for EM ([`refine`](crate::automaton::refine)).
pub fn spectral_start(
    estimate: SiteEstimate,
    counts: &SequenceCounts,
    states: Rank,
    seed: u64,
) -> Result<Automaton, LearnError> {
    clustered(&Component::spectral("spectral", estimate), counts, states.get(), seed)
        .map_err(|error| LearnError::failed("spectral start of EM", error))
}

/// All prefixes of the sequences, and the state after each.
fn visited(component: &Component, counts: &SequenceCounts) -> (Vec<Prefix>, Vec<f64>) {
    let dims = component.automaton.states();
    let worth = worth(component);
    let mut prefixes = vec![Prefix { parent: 0, symbol: 0, weight: 0.0, ends: 0.0 }];
    let mut points = component.automaton.initial().to_vec();
    // The prefixes of the previous sequence, by length: adjacent sequences in lexicographic order share a prefix.
    let mut path = vec![0_u32];
    let mut before: &[u32] = &[];
    let (mut state, mut scratch) = (Vec::new(), Vec::new());
    for (sequence, weight) in counts.iter() {
        let shared = sequence.iter().zip(before).take_while(|(a, b)| a == b).count();
        path.truncate(shared + 1);
        for &symbol in &sequence[shared..] {
            let parent = path[path.len() - 1];
            state.clear();
            state.extend_from_slice(&points[parent as usize * dims..][..dims]);
            step(&component.automaton, symbol, &mut state, &mut scratch);
            path.push(prefixes.len() as u32);
            prefixes.push(Prefix { parent, symbol, weight: 0.0, ends: 0.0 });
            points.extend(normalised(&worth, &state));
        }
        path.iter().for_each(|&prefix| prefixes[prefix as usize].weight += weight);
        prefixes[path[path.len() - 1] as usize].ends += weight;
        before = sequence;
    }
    (prefixes, points)
}

/// The vector whose product with a state is its total value: `Σ_b e_b + α∞`.
fn worth(component: &Component) -> Vec<f64> {
    let mut worth = component.automaton.terminal().to_vec();
    for row in component.next.chunks_exact(worth.len()) {
        worth.iter_mut().zip(row).for_each(|(sum, entry)| *sum += entry);
    }
    worth
}

/// A state normalised to total value one; zeros if it has no positive value.
fn normalised(worth: &[f64], state: &[f64]) -> impl Iterator<Item = f64> {
    let total: f64 = worth.iter().zip(state).map(|(a, b)| a * b).sum();
    let size = state.iter().fold(0.0_f64, |size, entry| size.max(entry.abs()));
    let factor = if total > 1e-6 * size && total.is_finite() { 1.0 / total } else { 0.0 };
    state.iter().map(move |entry| entry * factor)
}
