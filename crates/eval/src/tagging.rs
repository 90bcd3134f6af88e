//! Tag accuracy, separately for known and unknown words, and confusions.

use std::collections::BTreeMap;

use corpus::error::ReadError;
use corpus::format::conllu::{Sentence, Token};

use crate::counts::{Ratio, share};
use crate::error::EvalError;
use crate::paired::{in_step, same_words};

/// Whether a word was in the training data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Familiarity {
    /// The word was in the training data.
    Known,
    /// The word was not in the training data.
    Unknown,
}

/// Number of words, and how many of them have the gold tag.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TagCounts {
    /// All words.
    pub words: u64,
    /// Words with the gold tag.
    pub correct: u64,
}

impl TagCounts {
    /// Share of the words with the gold tag, from 0 to 1.
    pub fn accuracy(self) -> f64 {
        share(self.correct, self.words)
    }

    fn add(&mut self, other: TagCounts) {
        self.words += other.words;
        self.correct += other.correct;
    }
}

/// The counts of one sentence.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SentenceTags {
    /// Known words.
    pub known: TagCounts,
    /// Unknown words.
    pub unknown: TagCounts,
}

impl SentenceTags {
    /// All words.
    pub fn all(&self) -> TagCounts {
        let mut all = self.known;
        all.add(self.unknown);
        all
    }
}

/// Number of times one tag was predicted for another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Confusion {
    /// The gold tag.
    pub gold: String,
    /// The predicted tag.
    pub predicted: String,
    /// Number of times.
    pub count: u64,
}

/// Records of all sentences.
///
/// ```
/// use eigentree_eval::tagging::{Familiarity, TagScores};
/// let mut scores = TagScores::default();
/// let familiarity = |index: usize| if index == 2 { Familiarity::Unknown } else { Familiarity::Known };
/// scores.score(&["DT", "NN", "VBZ"], &["DT", "NN", "NNS"], familiarity)?;
/// assert_eq!(scores.total().all().accuracy(), 2.0 / 3.0);
/// assert_eq!(scores.total().known.accuracy(), 1.0);
/// assert_eq!(scores.confusions(10)[0].predicted, "NNS");
/// # Ok::<(), eigentree_eval::error::EvalError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TagScores {
    /// In the order of the corpus.
    pub sentences: Vec<SentenceTags>,
    /// For each gold tag, the number of times each wrong tag was predicted.
    wrong: BTreeMap<String, BTreeMap<String, u64>>,
}

impl TagScores {
    /// Scores the next sentence from its gold and predicted tags. `familiarity` maps word indices to known or unknown.
    /// On error the sentence is not counted.
    pub fn score<G: AsRef<str>, P: AsRef<str>>(
        &mut self,
        gold: &[G],
        predicted: &[P],
        familiarity: impl Fn(usize) -> Familiarity,
    ) -> Result<(), EvalError> {
        if gold.len() != predicted.len() {
            let sentence = self.sentences.len() + 1;
            return Err(EvalError::Length { sentence, gold: gold.len(), predicted: predicted.len() });
        }
        let mut record = SentenceTags::default();
        for (index, (one, other)) in gold.iter().zip(predicted).enumerate() {
            let (one, other) = (one.as_ref(), other.as_ref());
            let step = TagCounts { words: 1, correct: u64::from(one == other) };
            match familiarity(index) {
                Familiarity::Known => record.known.add(step),
                Familiarity::Unknown => record.unknown.add(step),
            }
            if one != other {
                *self.wrong.entry(one.to_owned()).or_default().entry(other.to_owned()).or_default() += 1;
            }
        }
        self.sentences.push(record);
        Ok(())
    }

    /// Sum over all sentences.
    pub fn total(&self) -> SentenceTags {
        self.sentences.iter().fold(SentenceTags::default(), |mut sum, sentence| {
            sum.known.add(sentence.known);
            sum.unknown.add(sentence.unknown);
            sum
        })
    }

    /// The `most` frequent confusions in decreasing order; ties are ordered by tag.
    pub fn confusions(&self, most: usize) -> Vec<Confusion> {
        let mut list: Vec<Confusion> = self
            .wrong
            .iter()
            .flat_map(|(gold, given)| {
                given.iter().map(|(predicted, &count)| Confusion {
                    gold: gold.clone(),
                    predicted: predicted.clone(),
                    count,
                })
            })
            .collect();
        list.sort_by_key(|confusion| std::cmp::Reverse(confusion.count));
        list.truncate(most);
        list
    }

    /// Contribution of each sentence to the accuracy, for significance tests.
    pub fn ratios(&self) -> Vec<Ratio> {
        self.sentences
            .iter()
            .map(|sentence| Ratio::of(sentence.all().correct, sentence.all().words))
            .collect()
    }
}

/// The two tag columns of CoNLL-U.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ColumnScores {
    /// UPOS.
    pub upos: TagScores,
    /// XPOS.
    pub xpos: TagScores,
}

/// Scores UPOS and XPOS of a whole prediction over the same words. `familiarity` is called for each gold form.
pub fn score_columns(
    gold: impl IntoIterator<Item = Result<Sentence, ReadError>>,
    predicted: impl IntoIterator<Item = Result<Sentence, ReadError>>,
    familiarity: impl Fn(&str) -> Familiarity,
) -> Result<ColumnScores, EvalError> {
    let mut scores = ColumnScores::default();
    in_step(gold, predicted, |number, gold, predicted| {
        let forms: Vec<&str> = gold.words().map(|word| word.form()).collect();
        same_words(number, forms.iter().copied(), predicted.words().map(|word| word.form()))?;
        let known: Vec<Familiarity> = forms.iter().map(|form| familiarity(form)).collect();
        scores.upos.score(&column_of(&gold, Token::upos), &column_of(&predicted, Token::upos), |index| {
            known[index]
        })?;
        scores
            .xpos
            .score(&column_of(&gold, Token::xpos), &column_of(&predicted, Token::xpos), |index| known[index])
    })?;
    Ok(scores)
}

fn column_of<'s>(sentence: &'s Sentence, column: fn(&Token<'s>) -> &'s str) -> Vec<&'s str> {
    sentence.words().map(|word| column(&word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confusions_come_by_count_then_tag() {
        let mut scores = TagScores::default();
        scores.score(&["A", "A", "B", "C", "B"], &["B", "B", "C", "A", "B"], |_| Familiarity::Known).unwrap();
        let list: Vec<String> =
            scores.confusions(2).iter().map(|c| format!("{}>{} {}", c.gold, c.predicted, c.count)).collect();
        assert_eq!(list, ["A>B 2", "B>C 1"]);
        assert_eq!(scores.total().unknown.accuracy(), 0.0);
        assert_eq!(scores.total().all(), TagCounts { words: 5, correct: 1 });
        assert!(scores.score(&["A"], &["A", "B"], |_| Familiarity::Known).is_err());
    }
}
