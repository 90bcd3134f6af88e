//! Memory for one sentence, and what becomes of it.

use hashbrown::HashMap;

use super::facts::Facts;
use super::labels::LabelColumn;
use super::lattice::Lattice;

/// Memory that tagging needs, to be used again for the next sentence.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Facts of words that were seen before.
    pub(super) cache: HashMap<Box<str>, Facts, foldhash::fast::FixedState>,
    pub(super) facts: Vec<Facts>,
    pub(super) lists: Vec<(u32, u32)>,
    pub(super) sums: Vec<i32>,
    pub(super) scores: Vec<f32>,
    pub(super) picked: Vec<u16>,
    /// One a column.
    pub(super) lattices: Vec<Lattice>,
}

/// The labels of a sentence.
#[derive(Clone, Debug)]
pub struct Tagging<'m> {
    pub(super) columns: &'m [LabelColumn],
    /// For each column the numbers of the words' labels.
    pub(super) numbers: Vec<Vec<u16>>,
}

impl<'m> Tagging<'m> {
    /// The labels of all words in a column.
    pub fn labels(&self, column: usize) -> impl ExactSizeIterator<Item = &'m str> {
        let labels = &self.columns[column];
        self.numbers[column].iter().map(|&number| labels.label(number))
    }

    /// Their numbers.
    pub fn numbers(&self, column: usize) -> &[u16] {
        &self.numbers[column]
    }
}
