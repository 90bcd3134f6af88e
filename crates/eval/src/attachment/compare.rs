//! Comparison of corresponding words.

use super::scores::AttachmentCounts;
use super::words::{Parent, Word};
use crate::counts::Counts;

/// The words of one side, and the record in which each is counted.
pub(crate) struct Side<'a, 's> {
    pub(crate) words: &'a [Word<'s>],
    /// Per word: the gold sentence whose record counts it.
    pub(crate) sentences: &'a [usize],
}

/// Indices of the function words below each word, concatenated: those of word `i` are `list[starts[i]..starts[i + 1]]`.
struct FunctionWords {
    starts: Vec<usize>,
    list: Vec<usize>,
}

impl FunctionWords {
    fn of(words: &[Word<'_>]) -> Self {
        let parent = |word: &Word<'_>| match word.parent {
            Parent::Word(index) if word.is_functional && index < words.len() => Some(index),
            _ => None,
        };
        let mut starts = vec![0; words.len() + 1];
        for index in words.iter().filter_map(parent) {
            starts[index + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut list = vec![0; starts[words.len()]];
        for (child, index) in
            words.iter().enumerate().filter_map(|(child, word)| Some((child, parent(word)?)))
        {
            list[next[index]] = child;
            next[index] += 1;
        }
        Self { starts, list }
    }

    fn below(&self, word: usize) -> &[usize] {
        &self.list[self.starts[word]..self.starts[word + 1]]
    }
}

/// Adds the counts of both sides to `records`, one record per gold sentence. `pairs` are indices of corresponding gold
/// and predicted words; each word occurs in at most one pair.
pub(crate) fn compare(
    gold: &Side<'_, '_>,
    predicted: &Side<'_, '_>,
    pairs: &[(usize, usize)],
    records: &mut [AttachmentCounts],
) {
    // Per predicted word: the corresponding gold word.
    let mut counterpart: Vec<Option<usize>> = vec![None; predicted.words.len()];
    for &(one, other) in pairs {
        counterpart[other] = Some(one);
    }
    for (word, &sentence) in gold.words.iter().zip(gold.sentences) {
        records[sentence].for_each_of(word, |counts| counts.gold += 1);
    }
    for ((word, &sentence), counterpart) in predicted.words.iter().zip(predicted.sentences).zip(&counterpart)
    {
        let is_punctuation =
            counterpart.map_or(word.is_punctuation, |index| gold.words[index].is_punctuation);
        records[sentence]
            .for_each_of(&Word { is_punctuation, ..word.clone() }, |counts| counts.predicted += 1);
    }
    let gold_functions = FunctionWords::of(gold.words);
    let predicted_functions = FunctionWords::of(predicted.words);
    for &(index, other_index) in pairs {
        let (one, other) = (&gold.words[index], &predicted.words[other_index]);
        let record = &mut records[gold.sentences[index]];
        let head = match (one.parent, other.parent) {
            (Parent::Root, Parent::Root) => true,
            (Parent::Word(parent), Parent::Word(guess)) => counterpart.get(guess) == Some(&Some(parent)),
            _ => false,
        };
        let arc = head && one.relation == other.relation;
        let lemma = one.lemma == "_" || one.lemma == other.lemma;
        let (upos, xpos, features) =
            (one.upos == other.upos, one.xpos == other.xpos, one.features == other.features);
        let add = |counts: &mut Counts, correct: bool| counts.matched += u64::from(correct);
        add(&mut record.words, true);
        add(&mut record.upos, upos);
        add(&mut record.xpos, xpos);
        add(&mut record.ufeats, features);
        add(&mut record.all_tags, upos && xpos && features);
        add(&mut record.lemmas, lemma);
        add(&mut record.uas, head);
        add(&mut record.las, arc);
        if !one.is_punctuation {
            add(&mut record.uas_no_punct, head);
            add(&mut record.las_no_punct, arc);
        }
        if one.is_content {
            add(&mut record.clas, arc);
            add(&mut record.blex, arc && lemma);
            let same_functions = || {
                let (below, other_below) =
                    (gold_functions.below(index), predicted_functions.below(other_index));
                let same = |(&child, &other_child): (&usize, &usize)| {
                    let (one, other) = (&gold.words[child], &predicted.words[other_child]);
                    counterpart[other_child] == Some(child)
                        && one.relation == other.relation
                        && one.upos == other.upos
                        && one.features == other.features
                };
                below.len() == other_below.len() && below.iter().zip(other_below).all(same)
            };
            add(&mut record.mlas, arc && upos && features && same_functions());
        }
    }
}
