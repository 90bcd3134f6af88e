//! Counts of modifier sequences.

use corpus::dependency::{DependencyTree, Direction, Head, ModifierSequences};
use corpus::ids::Id;
use hashbrown::HashMap;

use super::symbols::SymbolId;
use models::learn::LearnError;
use sequences::automaton::SequenceCounts;

/// The different modifier sequences of every head symbol and direction, with their counts, and the modifiers of the
/// root.
///
/// Treebanks repeat themselves: for English tags only a sixth of the sequences are distinct, and learners process each
/// once.
#[derive(Clone, PartialEq, Debug)]
pub struct ModifierCounts {
    symbols: usize,
    /// By `2 head + direction`.
    automata: Vec<SequenceCounts>,
    root: Vec<f64>,
}

impl ModifierCounts {
    /// Counts the sequences of sentences, each given by its symbols and its tree, which must be projective with one
    /// root. Other sentences are left out, and their number is returned.
    pub fn of_trees<'t>(
        symbols: usize,
        sentences: impl IntoIterator<Item = (&'t [SymbolId], &'t DependencyTree)>,
    ) -> Result<(Self, usize), LearnError> {
        let mut maps: Vec<HashMap<Vec<u32>, f64, foldhash::fast::FixedState>> =
            vec![HashMap::default(); 2 * symbols];
        let mut root = vec![0.0; symbols];
        let mut left_out = 0;
        let mut sequence = Vec::new();
        for (words, tree) in sentences {
            let Ok(sequences) = ModifierSequences::of_tree(tree) else {
                left_out += 1;
                continue;
            };
            for &modifier in sequences.get(Head::ROOT, Direction::Right) {
                root[words[modifier as usize].index()] += 1.0;
            }
            for (at, symbol) in words.iter().enumerate() {
                let Some(head) = Head::word(at) else { continue };
                for direction in Direction::BOTH {
                    sequence.clear();
                    let modifiers = sequences.get(head, direction).iter();
                    sequence.extend(modifiers.map(|&modifier| words[modifier as usize].index() as u32));
                    let map = &mut maps[2 * symbol.index() + direction as usize];
                    *map.entry_ref(&sequence[..]).or_insert(0.0) += 1.0;
                }
            }
        }
        let automata: Result<Vec<SequenceCounts>, LearnError> =
            maps.into_iter().map(|map| SequenceCounts::new(symbols, map)).collect();
        Ok((Self { symbols, automata: automata?, root }, left_out))
    }

    /// Wraps existing counts: one per `2 head + direction`, and those of the modifiers of the root.
    pub fn new(automata: Vec<SequenceCounts>, root: Vec<f64>) -> Result<Self, LearnError> {
        if automata.len() != 2 * root.len() || automata.iter().any(|counts| counts.alphabet() != root.len()) {
            return Err(LearnError::bad_data("head automata need two lists of sequences per symbol"));
        }
        Ok(Self { symbols: root.len(), automata, root })
    }

    /// The number of symbols.
    pub fn symbols(&self) -> usize {
        self.symbols
    }

    /// The different sequences of a head on one side, with their counts.
    pub fn of(&self, head: usize, direction: Direction) -> impl ExactSizeIterator<Item = (&[u32], f64)> {
        self.automaton(2 * head + direction as usize).iter()
    }

    /// The sequences of the automaton `2 head + direction`.
    pub(super) fn automaton(&self, number: usize) -> &SequenceCounts {
        &self.automata[number]
    }

    /// The count of each symbol as a modifier of the root.
    pub fn root(&self) -> &[f64] {
        &self.root
    }

    /// The number of sequences counted: two per word.
    pub fn total(&self) -> f64 {
        self.automata.iter().map(SequenceCounts::total).sum()
    }

    /// The number of distinct sequences.
    pub fn different(&self) -> usize {
        self.automata.iter().map(SequenceCounts::len).sum()
    }
}
