//! Counts per sentence, and scoring of predictions over the same words.

use std::io::Read;
use std::iter::Sum;
use std::ops::AddAssign;

use corpus::error::ReadError;
use corpus::format::conllu::{ConlluReader, Sentence};

use super::compare::{Side, compare};
use super::config::AttachmentConfig;
use super::words::{Parent, Word, words};
use crate::counts::{Counts, Ratio};
use crate::error::EvalError;
use crate::paired::{in_step, same_words};

/// The counts behind each figure, of one sentence or of many.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[allow(missing_docs, reason = "each field is the figure of that name in the table of the module")]
pub struct AttachmentCounts {
    /// Corresponding words; all words, unless words were aligned.
    pub words: Counts,
    pub upos: Counts,
    pub xpos: Counts,
    pub ufeats: Counts,
    pub all_tags: Counts,
    pub lemmas: Counts,
    pub uas: Counts,
    pub las: Counts,
    pub uas_no_punct: Counts,
    pub las_no_punct: Counts,
    pub clas: Counts,
    pub mlas: Counts,
    pub blex: Counts,
}

/// A figure by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each variant is the figure of that name in the table of the module")]
pub enum AttachmentMetric {
    Upos,
    Xpos,
    UFeats,
    AllTags,
    Lemmas,
    Uas,
    Las,
    UasNoPunct,
    LasNoPunct,
    Clas,
    Mlas,
    Blex,
}

impl AttachmentCounts {
    /// Applies `count` to all figures that include `word`.
    pub(super) fn for_each_of(&mut self, word: &Word<'_>, count: impl Fn(&mut Counts)) {
        let always = [
            &mut self.words,
            &mut self.upos,
            &mut self.xpos,
            &mut self.ufeats,
            &mut self.all_tags,
            &mut self.lemmas,
            &mut self.uas,
            &mut self.las,
        ];
        always.into_iter().for_each(&count);
        if !word.is_punctuation {
            [&mut self.uas_no_punct, &mut self.las_no_punct].into_iter().for_each(&count);
        }
        if word.is_content {
            [&mut self.clas, &mut self.mlas, &mut self.blex].into_iter().for_each(&count);
        }
    }

    /// The counts behind one figure.
    pub fn of(&self, metric: AttachmentMetric) -> Counts {
        match metric {
            AttachmentMetric::Upos => self.upos,
            AttachmentMetric::Xpos => self.xpos,
            AttachmentMetric::UFeats => self.ufeats,
            AttachmentMetric::AllTags => self.all_tags,
            AttachmentMetric::Lemmas => self.lemmas,
            AttachmentMetric::Uas => self.uas,
            AttachmentMetric::Las => self.las,
            AttachmentMetric::UasNoPunct => self.uas_no_punct,
            AttachmentMetric::LasNoPunct => self.las_no_punct,
            AttachmentMetric::Clas => self.clas,
            AttachmentMetric::Mlas => self.mlas,
            AttachmentMetric::Blex => self.blex,
        }
    }
}

impl AddAssign<&AttachmentCounts> for AttachmentCounts {
    fn add_assign(&mut self, other: &AttachmentCounts) {
        self.words += other.words;
        self.upos += other.upos;
        self.xpos += other.xpos;
        self.ufeats += other.ufeats;
        self.all_tags += other.all_tags;
        self.lemmas += other.lemmas;
        self.uas += other.uas;
        self.las += other.las;
        self.uas_no_punct += other.uas_no_punct;
        self.las_no_punct += other.las_no_punct;
        self.clas += other.clas;
        self.mlas += other.mlas;
        self.blex += other.blex;
    }
}

impl<'c> Sum<&'c AttachmentCounts> for AttachmentCounts {
    fn sum<I: Iterator<Item = &'c AttachmentCounts>>(counts: I) -> Self {
        counts.fold(Self::default(), |mut sum, counts| {
            sum += counts;
            sum
        })
    }
}

/// Counts per gold sentence.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AttachmentScores {
    /// In the order of the gold corpus.
    pub sentences: Vec<AttachmentCounts>,
}

impl AttachmentScores {
    /// Sum over all sentences.
    pub fn total(&self) -> AttachmentCounts {
        self.sentences.iter().sum()
    }

    /// Contribution of each sentence to a figure, for significance tests.
    pub fn ratios(&self, metric: AttachmentMetric) -> Vec<Ratio> {
        self.sentences.iter().map(|counts| counts.of(metric).f1_ratio()).collect()
    }
}

/// Checks that every gold word has a head. `number` is the sentence number, counted from 1.
pub(crate) fn check_gold(words: &[Word<'_>], number: usize) -> Result<(), EvalError> {
    match words.iter().position(|word| word.parent == Parent::Missing) {
        None => Ok(()),
        Some(at) => {
            let lacks = format!("no head for word {} (`{}`)", at + 1, words[at].form);
            Err(EvalError::Gold { sentence: number, lacks })
        }
    }
}

/// Scores one sentence. `number`, counted from 1, is used in error messages.
pub fn score_pair(
    gold: &Sentence,
    predicted: &Sentence,
    number: usize,
    config: &AttachmentConfig,
) -> Result<AttachmentCounts, EvalError> {
    same_words(number, gold.words().map(|word| word.form()), predicted.words().map(|word| word.form()))?;
    let gold: Vec<Word<'_>> = words(gold, 0, config).collect();
    let predicted: Vec<Word<'_>> = words(predicted, 0, config).collect();
    check_gold(&gold, number)?;
    let sentences = vec![0; gold.len()];
    let pairs: Vec<(usize, usize)> = (0..gold.len()).map(|index| (index, index)).collect();
    let mut record = [AttachmentCounts::default()];
    let side = |words| Side { words, sentences: &sentences };
    compare(&side(&gold), &side(&predicted), &pairs, &mut record);
    let [record] = record;
    Ok(record)
}

/// Scores a whole prediction over the same sentences and words.
pub fn score_sentences(
    gold: impl IntoIterator<Item = Result<Sentence, ReadError>>,
    predicted: impl IntoIterator<Item = Result<Sentence, ReadError>>,
    config: &AttachmentConfig,
) -> Result<AttachmentScores, EvalError> {
    let mut scores = AttachmentScores::default();
    in_step(gold, predicted, |number, gold, predicted| {
        scores.sentences.push(score_pair(&gold, &predicted, number, config)?);
        Ok(())
    })?;
    Ok(scores)
}

/// Scores a whole prediction from two streams of CoNLL-U. The names are used in error messages.
///
/// ```
/// use eigentree_eval::attachment::score_readers;
/// let gold = "1\tIt\t_\tPRON\t_\t_\t2\texpl\t_\t_\n2\trains\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";
/// let predicted = gold.replace("expl", "nsubj");
/// let scores = score_readers((gold.as_bytes(), "gold"), (predicted.as_bytes(), "predicted"), &Default::default())?;
/// assert_eq!((scores.total().uas.f1(), scores.total().las.f1()), (1.0, 0.5));
/// # Ok::<(), eigentree_eval::error::EvalError>(())
/// ```
pub fn score_readers<G: Read, P: Read>(
    (gold, gold_name): (G, &str),
    (predicted, predicted_name): (P, &str),
    config: &AttachmentConfig,
) -> Result<AttachmentScores, EvalError> {
    score_sentences(ConlluReader::new(gold, gold_name), ConlluReader::new(predicted, predicted_name), config)
}
