//! Words that are frequent enough to have no labels but those that they were seen with.

use corpus::ids::{Id, WordId};

use super::config::TaggerConfig;
use super::dictionary::Dictionary;
use super::labels::LabelColumn;
use super::layer::Layer;

/// The bundles of frequent words.
#[derive(Clone, Debug, Default)]
pub(super) struct ClosedWords {
    /// For each word of the dictionary, if it is frequent.
    words: Vec<Option<Box<ClosedWord>>>,
}

/// The bundles of a frequent word.
#[derive(Clone, Debug)]
pub(super) struct ClosedWord {
    /// For each layer, those made of labels that the word was seen with. Empty if there are none.
    pub(super) bundles: Vec<Vec<u16>>,
    /// All their parts, ascending.
    pub(super) parts: Vec<u16>,
}

impl ClosedWords {
    pub(super) fn of(
        config: &TaggerConfig,
        dictionary: &Dictionary,
        columns: &[LabelColumn],
        layers: &[Layer],
    ) -> Self {
        let of_word = |word: WordId| {
            if dictionary.count(word) < config.closed_count {
                return None;
            }
            let labels = dictionary.labels(word);
            let has =
                |column: usize, label: u16| labels.binary_search(&(columns[column].first + label)).is_ok();
            let fits = |layer: &Layer, bundle: u16| {
                layer.columns.iter().zip(layer.labels_of(bundle)).all(|(&column, &label)| has(column, label))
            };
            let bundles: Vec<Vec<u16>> = layers
                .iter()
                .map(|layer| (0..layer.len() as u16).filter(|&bundle| fits(layer, bundle)).collect())
                .collect();
            let parts = layers.iter().zip(&bundles);
            let mut parts: Vec<u16> =
                parts.flat_map(|(layer, own)| own.iter().flat_map(|&b| layer.parts_of(b)).copied()).collect();
            parts.sort_unstable();
            parts.dedup();
            // A word without bundles in some layer takes any label.
            bundles.iter().all(|own| !own.is_empty()).then(|| Box::new(ClosedWord { bundles, parts }))
        };
        Self { words: (0..dictionary.len()).map(|word| WordId::new(word).and_then(of_word)).collect() }
    }

    /// The bundles of a word, if it is frequent.
    #[inline]
    pub(super) fn get(&self, word: Option<WordId>) -> Option<&ClosedWord> {
        self.words[word?.index()].as_deref()
    }
}
