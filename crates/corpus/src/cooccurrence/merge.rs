//! Merging of counts.

use super::{CountError, CountedText, PairCounts, TextCounts};
use crate::ids::{Id, WordId};
use crate::vocab::VocabBuilder;

impl CountedText {
    /// Sums the counts of several texts. The result equals counting them together, exactly so if sequences end with
    /// lines.
    ///
    /// Counts with a class of other words can be merged only if their vocabularies are the same, since the members of
    /// the classes are unknown.
    pub fn sum(parts: Vec<CountedText>) -> Result<CountedText, CountError> {
        let mut parts = parts.into_iter();
        let mut sum = parts.next().ok_or(CountError::Nothing)?;
        for part in parts {
            sum = sum.plus(&part)?;
        }
        Ok(sum)
    }

    /// Sums two counts.
    pub fn plus(&self, other: &CountedText) -> Result<CountedText, CountError> {
        if self.boundaries != other.boundaries {
            return Err(CountError::OtherBoundaries);
        }
        let (one, two) = (&self.counts, &other.counts);
        if one.pairs.len() != two.pairs.len() {
            return Err(CountError::OtherDistance(one.pairs.len(), two.pairs.len()));
        }
        let mut builder: VocabBuilder<WordId> = one.vocab.clone().thaw();
        let names: Vec<u32> = two.vocab.iter().map(|(_, word)| builder.intern(word).index() as u32).collect();
        let class = self.unknown_name().or(other.unknown_name());
        if let Some(class) = class {
            let same = builder.len() == one.words.len()
                && one.words.len() == two.words.len()
                && self.unknown_name() == other.unknown_name();
            if !same {
                return Err(CountError::OtherVocabulary(class.to_owned()));
            }
        }
        let class = class.map(str::to_owned);
        let mut words = one.words.clone();
        words.resize(builder.len(), 0);
        for (&name, &count) in names.iter().zip(&two.words) {
            words[name as usize] += count;
        }
        let size = words.len();
        let same: Vec<u32> = (0..one.words.len() as u32).collect();
        let pairs = one
            .pairs
            .iter()
            .zip(&two.pairs)
            .map(|(one, two)| PairCounts::sum_of(&[(one, &same), (two, &names)], size))
            .collect();
        let counts = TextCounts { vocab: builder.freeze(), words, pairs }.ranked();
        let unknown = class.and_then(|class| counts.vocab.get(&class));
        Ok(CountedText { counts, boundaries: self.boundaries, unknown })
    }
}
