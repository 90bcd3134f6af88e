//! Distinct sequences with their weights.

use models::learn::LearnError;

/// Weighted sequences of numbered symbols, as learners count them: every distinct sequence once, in lexicographic
/// order, with its weight.
///
/// ```
/// use eigentree_sequences::automaton::SequenceCounts;
/// let counts = SequenceCounts::new(3, [(vec![0, 2], 1.0), (vec![], 1.0), (vec![0, 2], 2.0)])?;
/// assert_eq!(counts.iter().collect::<Vec<_>>(), [(&[][..], 1.0), (&[0, 2][..], 3.0)]);
/// assert_eq!((counts.total(), counts.symbols()), (4.0, 6.0));
/// # Ok::<(), models::learn::LearnError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct SequenceCounts {
    alphabet: usize,
    /// Sequence i is `items[offsets[i]..offsets[i + 1]]`.
    offsets: Vec<usize>,
    items: Vec<u32>,
    weights: Vec<f64>,
}

impl SequenceCounts {
    /// Counts sequences over the symbols `0..alphabet`. Weights must be finite and not negative; weights of equal
    /// sequences are summed, and sequences of weight 0 are dropped.
    pub fn new<S: AsRef<[u32]>>(
        alphabet: usize,
        sequences: impl IntoIterator<Item = (S, f64)>,
    ) -> Result<Self, LearnError> {
        let mut given: Vec<(S, f64)> = sequences.into_iter().collect();
        // Stable, so that weights are summed in the given order.
        given.sort_by(|a, b| a.0.as_ref().cmp(b.0.as_ref()));
        let mut counts =
            SequenceCounts { alphabet, offsets: vec![0], items: Vec::new(), weights: Vec::new() };
        for (sequence, weight) in &given {
            let sequence = sequence.as_ref();
            if let Some(symbol) = sequence.iter().find(|&&symbol| symbol as usize >= alphabet) {
                return Err(LearnError::bad_data(format!(
                    "a sequence has the symbol {symbol}, but the alphabet has {alphabet} symbols; use a larger one"
                )));
            }
            if !(weight.is_finite() && *weight >= 0.0) {
                return Err(LearnError::bad_data(format!(
                    "a sequence has the weight {weight}; weights must be finite and not negative"
                )));
            }
            if *weight == 0.0 {
                continue;
            }
            match counts.weights.last_mut() {
                Some(last) if counts.items[counts.offsets[counts.offsets.len() - 2]..] == *sequence => {
                    *last += weight;
                }
                _ => {
                    counts.items.extend_from_slice(sequence);
                    counts.offsets.push(counts.items.len());
                    counts.weights.push(*weight);
                }
            }
        }
        Ok(counts)
    }

    /// Counts sequences with weight one each.
    pub fn of<S: AsRef<[u32]>>(
        alphabet: usize,
        sequences: impl IntoIterator<Item = S>,
    ) -> Result<Self, LearnError> {
        Self::new(alphabet, sequences.into_iter().map(|sequence| (sequence, 1.0)))
    }

    /// The number of symbols.
    pub fn alphabet(&self) -> usize {
        self.alphabet
    }

    /// The number of distinct sequences.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there are no sequences.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// A sequence and its weight.
    ///
    /// # Panics
    /// If there is no such sequence.
    pub fn get(&self, index: usize) -> (&[u32], f64) {
        (&self.items[self.offsets[index]..self.offsets[index + 1]], self.weights[index])
    }

    /// The distinct sequences in lexicographic order, with their weights.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[u32], f64)> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The sum of all weights.
    pub fn total(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// The weighted number of symbols in the sequences, without their ends.
    pub fn symbols(&self) -> f64 {
        self.iter().map(|(sequence, weight)| sequence.len() as f64 * weight).sum()
    }

    /// The weighted number of events in the sequences: symbols and ends.
    pub fn events(&self) -> f64 {
        self.symbols() + self.total()
    }

    /// The sum of these sequences and others over the same symbols.
    pub fn merged(&self, other: &Self) -> Result<Self, LearnError> {
        Self::new(self.alphabet.max(other.alphabet), self.iter().chain(other.iter()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfit_sequences_are_refused() {
        assert!(SequenceCounts::of(2, [[0, 2]]).unwrap_err().is_bad_data());
        assert!(SequenceCounts::new(2, [([0, 1], f64::NAN)]).unwrap_err().is_bad_data());
        assert!(SequenceCounts::new(2, [([0, 1], -1.0)]).unwrap_err().is_bad_data());
    }

    #[test]
    fn shards_merge_to_the_whole() {
        let all = [vec![1], vec![0, 1], vec![], vec![1], vec![1, 1]];
        let part = |range: std::ops::Range<usize>| SequenceCounts::of(2, &all[range]).unwrap();
        assert_eq!(part(0..2).merged(&part(2..5)).unwrap(), part(0..5));
        assert_eq!(SequenceCounts::new(2, [([1], 0.0)]).unwrap().len(), 0);
    }
}
