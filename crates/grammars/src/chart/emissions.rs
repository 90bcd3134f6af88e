//! The preterminals of a sentence with their scaled probabilities, from which all charts start.

use super::range;

/// For each word its preterminals (numbered from 0) and `p(word | preterminal)`, scaled by one power of two per word.
#[derive(Clone, Debug, Default)]
pub struct Emissions {
    starts: Vec<u32>,
    pub(super) tags: Vec<u32>,
    pub(super) values: Vec<f32>,
    exponents: Vec<i32>,
}

impl Emissions {
    /// Removes all words but keeps the memory.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.tags.clear();
        self.values.clear();
        self.exponents.clear();
        self.starts.push(0);
    }

    /// Adds the next word.
    pub fn push_word(&mut self, preterminals: impl Iterator<Item = (usize, f32)>) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        let start = self.tags.len();
        for (tag, value) in preterminals {
            self.tags.push(tag as u32);
            self.values.push(value);
        }
        self.exponents.push(range::normalise(&mut self.values[start..]));
        self.starts.push(self.tags.len() as u32);
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.exponents.len()
    }

    /// The preterminals of a word with their scaled probabilities.
    #[inline]
    pub fn word(&self, position: usize) -> impl Iterator<Item = (usize, f32)> + Clone + '_ {
        let range = self.range(position);
        self.tags[range.clone()].iter().zip(&self.values[range]).map(|(&tag, &value)| (tag as usize, value))
    }

    /// The preterminals of a word with their indices among the preterminals of all words.
    pub fn indexed(&self, position: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.range(position).map(|at| (at, self.tags[at] as usize))
    }

    pub(super) fn range(&self, position: usize) -> std::ops::Range<usize> {
        self.starts[position] as usize..self.starts[position + 1] as usize
    }

    /// The scaled probability at an index among the preterminals of all words.
    #[inline]
    pub fn value(&self, index: usize) -> f32 {
        self.values[index]
    }

    /// The exponent taken out of a word's probabilities.
    pub fn exponent(&self, position: usize) -> i32 {
        self.exponents[position]
    }
}
