//! Hidden states of the automata of all heads, by any learner of automata.

use rayon::prelude::*;

use super::operators::LatentAutomaton;
use super::sequences::ModifierCounts;
use models::learn::{LearnError, Progress};
use sequences::automaton::{Automaton, SequenceCounts};

/// Learns each automaton separately, over the symbols that it has seen. `learn` gets its number, `2 head + direction`.
/// Automata with fewer sequences than `least` have no hidden states. The work is divided by automaton, so the number of
/// threads changes nothing.
pub(super) fn learn_all<L>(
    counts: &ModifierCounts,
    least: f64,
    progress: &mut Progress<'_>,
    learn: L,
) -> Result<Vec<LatentAutomaton>, LearnError>
where
    L: Fn(usize, &SequenceCounts) -> Result<(Automaton, Vec<f64>), LearnError> + Sync,
{
    let all: Vec<usize> = (0..2 * counts.symbols()).collect();
    let mut automata = Vec::with_capacity(all.len());
    for piece in all.chunks(64) {
        let learnt: Result<Vec<LatentAutomaton>, LearnError> = piece
            .par_iter()
            .map(|&number| {
                let sequences = counts.automaton(number);
                if sequences.is_empty() || sequences.total() < least {
                    return Ok(LatentAutomaton::default());
                }
                let (local, symbols) = localise(sequences)?;
                let (automaton, spectrum) = learn(number, &local)?;
                Ok(LatentAutomaton {
                    initial: automaton.initial().to_vec(),
                    terminal: automaton.terminal().to_vec(),
                    operators: automaton.operators().to_vec(),
                    symbols,
                    spectrum,
                })
            })
            .collect();
        automata.extend(learnt?);
        progress.advance(piece.len() as u64)?;
    }
    Ok(automata)
}

/// The sequences renumbered over the symbols that occur in them, and these symbols.
pub(super) fn localise(sequences: &SequenceCounts) -> Result<(SequenceCounts, Vec<u32>), LearnError> {
    let mut symbols: Vec<u32> = sequences.iter().flat_map(|(sequence, _)| sequence).copied().collect();
    symbols.sort_unstable();
    symbols.dedup();
    let local = |symbol: &u32| symbols.binary_search(symbol).unwrap_or(0) as u32;
    let renumbered =
        sequences.iter().map(|(sequence, count)| (sequence.iter().map(local).collect::<Vec<u32>>(), count));
    Ok((SequenceCounts::new(symbols.len(), renumbered)?, symbols))
}
