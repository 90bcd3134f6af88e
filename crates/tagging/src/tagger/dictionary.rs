//! The labels seen with each word.

use corpus::ids::{Id, WordId};
use corpus::vocab::{Vocab, VocabBuilder};

use super::config::TaggerConfig;
use super::data::TaggedSentence;
use super::labels::LabelColumn;
use models::log_linear::CLASSES;
use models::persist::{Container, ContainerWriter, LoadError, rows_fit};

/// Number of columns that determine the class of a word: later ones are morphology, with too many label sets for
/// classes.
const CLASS_COLUMNS: usize = 2;

/// Words with the labels that they were seen with.
#[derive(Clone, Debug)]
pub(super) struct Dictionary {
    words: Vocab<WordId>,
    /// `starts[w]..starts[w + 1]` are the labels of word `w`.
    starts: Vec<u32>,
    /// Numbered over all columns, ascending.
    labels: Vec<u16>,
    counts: Vec<u32>,
    /// The ambiguity class of each word that has one; derived.
    classes: Vec<Option<u64>>,
    /// The count of each word; derived.
    totals: Vec<u32>,
}

impl Dictionary {
    /// The dictionary of all words in the sentences; `numbers[s][w]` are the labels of a word in all columns.
    pub(super) fn of(sentences: &[TaggedSentence], columns: &[LabelColumn], config: &TaggerConfig) -> Self {
        let mut words: VocabBuilder<WordId> = VocabBuilder::new();
        let mut seen: Vec<(u32, u16)> = Vec::new();
        for sentence in sentences {
            for (at, word) in sentence.words.iter().enumerate() {
                let word = words.intern(word).index() as u32;
                for (column, labels) in columns.iter().zip(&sentence.labels) {
                    let label = labels.get(at).and_then(|label| column.number(label)).unwrap_or(0);
                    seen.push((word, column.first + label));
                }
            }
        }
        seen.sort_unstable();
        let words = words.freeze();
        let (mut starts, mut labels, mut counts) = (vec![0; words.len() + 1], Vec::new(), Vec::new());
        for group in seen.chunk_by(|one, other| one == other) {
            labels.push(group[0].1);
            counts.push(group.len() as u32);
            starts[group[0].0 as usize + 1] = labels.len() as u32;
        }
        Self::derive(
            Self { words, starts, labels, counts, classes: Vec::new(), totals: Vec::new() },
            columns,
            config,
        )
    }

    fn derive(mut self, columns: &[LabelColumn], config: &TaggerConfig) -> Self {
        let first_range = columns.first().map_or(0..0, LabelColumn::range);
        let class_end = columns.iter().take(CLASS_COLUMNS).next_back().map_or(0, |column| column.range().end);
        for word in 0..self.words.len() {
            let entries = || {
                let range = self.starts[word] as usize..self.starts[word + 1] as usize;
                self.labels[range.clone()].iter().zip(&self.counts[range])
            };
            let of_first = entries().filter(|&(&label, _)| first_range.contains(&usize::from(label)));
            let total: u32 = of_first.map(|(_, &count)| count).sum();
            let least = config.class_share * f64::from(total);
            let usual = entries()
                .filter(|&(&label, &count)| usize::from(label) < class_end && f64::from(count) >= least)
                .map(|(&label, _)| usize::from(label));
            let class = (total >= config.class_count).then(|| CLASSES.of(usual));
            self.classes.push(class);
            self.totals.push(total);
        }
        self
    }

    pub(super) fn find(&self, word: &str) -> Option<WordId> {
        self.words.get(word)
    }

    /// The ambiguity class of a word, if it is frequent enough.
    pub(super) fn class(&self, word: &str) -> Option<u64> {
        self.classes[self.find(word)?.index()]
    }

    pub(super) fn count(&self, word: WordId) -> u32 {
        self.totals[word.index()]
    }

    /// The labels of a word, numbered over all columns.
    pub(super) fn labels(&self, word: WordId) -> &[u16] {
        &self.labels[self.starts[word.index()] as usize..self.starts[word.index() + 1] as usize]
    }

    /// The labels of a word with their counts.
    pub(super) fn counts(&self, word: WordId) -> impl Iterator<Item = (u16, u32)> {
        let range = self.starts[word.index()] as usize..self.starts[word.index() + 1] as usize;
        self.labels[range.clone()].iter().copied().zip(self.counts[range].iter().copied())
    }

    /// Whether a word has no label in some column, so that it could not be labelled there.
    pub(super) fn incomplete(&self, columns: &[LabelColumn]) -> bool {
        let has = |word: &[u16], column: &LabelColumn| {
            word.iter().any(|&label| column.range().contains(&usize::from(label)))
        };
        let rows = self.starts.windows(2).map(|row| &self.labels[row[0] as usize..row[1] as usize]);
        rows.into_iter().any(|row| columns.iter().any(|column| !has(row, column)))
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.vocab("words", &self.words);
        writer.array("starts", &self.starts[..]);
        writer.array("labels", &self.labels[..]);
        writer.array("counts", &self.counts[..]);
    }

    pub(super) fn load(
        container: &Container,
        columns: &[LabelColumn],
        config: &TaggerConfig,
    ) -> Result<Self, LoadError> {
        let words: Vocab<WordId> = container.vocab("words")?;
        let starts: Vec<u32> = container.array("starts")?.into_vec();
        let labels: Vec<u16> = container.array("labels")?.into_vec();
        let counts: Vec<u32> = container.array("counts")?.into_vec();
        let all = columns.last().map_or(0, |column| column.range().end);
        let sound = rows_fit(&starts, words.len(), labels.len())
            && counts.len() == labels.len()
            && counts.iter().try_fold(0u32, |sum, &count| sum.checked_add(count)).is_some()
            && labels.iter().all(|&label| usize::from(label) < all);
        if !sound {
            return Err(LoadError::invalid("labels", "the words and labels of the dictionary do not match"));
        }
        Ok(Self::derive(
            Self { words, starts, labels, counts, classes: Vec::new(), totals: Vec::new() },
            columns,
            config,
        ))
    }
}
