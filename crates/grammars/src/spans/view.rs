//! What features see of symbols and words: hashes, so that no dictionary is needed.

use corpus::rare_words::{Detail, SentencePosition, signature};
use corpus::tree::marks;

use super::features::Templates;
use super::lattice::{Judgement, SymbolName, Visibility};
use crate::grammar::SymbolTable;
use crate::lexicon::{ClusterClasses, Lexicon, Observation};
use models::log_linear::Key;

impl SymbolName {
    /// The name of a symbol of a normal form.
    pub(super) fn of(label: &str) -> Self {
        let name = |kind: u64, text: &str| Key::of(kind).chars(text.chars()).value();
        let visibility = match marks::is_intermediate(label) {
            true => Visibility::Intermediate,
            false => Visibility::Constituent,
        };
        Self {
            label: name(21, label),
            top: name(22 + visibility as u64, marks::chain_top(label)),
            tag: name(24, marks::chain_bottom(label)),
            labels: marks::base(label).split(marks::CHAIN).count().min(255) as u8,
            visibility,
        }
    }

    /// The names of all symbols of a grammar.
    pub(crate) fn all(symbols: &SymbolTable) -> Vec<Self> {
        symbols.iter().map(|symbol| Self::of(symbols.label(symbol))).collect()
    }
}

/// A word.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordView {
    /// The word in lower case, or the signature of a rare one.
    pub(super) word: u64,
    /// The word in lower case.
    pub(super) form: u64,
    /// Its most probable tag under the grammar.
    pub(super) tag: u64,
    /// Its signature: ending and shape.
    pub(super) signature: u64,
    /// Its shape.
    pub(super) shape: u64,
    /// Its classes by cluster. A word without a cluster has its signature and shape in their place.
    pub(super) clusters: ClusterClasses,
}

impl WordView {
    /// Stands for the words beyond an end of the sentence.
    fn outside(end: u64) -> Self {
        let own = Key::of(25).with(end).value();
        let clusters = ClusterClasses { short: own, middle: own, long: own, whole: own };
        Self { word: own, form: own, tag: own, signature: own, shape: own, clusters }
    }
}

/// The words of a sentence, with two more beyond each end.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    words: Vec<WordView>,
    pub(super) templates: Templates,
}

/// Number of words beyond each end.
const BEYOND: usize = 2;

impl View {
    /// The word at an offset from a position. At most two words beyond an end exist.
    #[inline]
    pub(super) fn near(&self, position: usize, offset: isize) -> &WordView {
        &self.words[(position + BEYOND).wrapping_add_signed(offset)]
    }

    /// Reads a sentence. The tag of a word is the one with the largest posterior in the forest.
    pub(super) fn read(
        &mut self,
        judged: Judgement<'_>,
        sentence: &[Observation<'_>],
        lexicon: &Lexicon,
        frequent: f64,
    ) {
        self.words.clear();
        self.templates = Templates::of(lexicon);
        self.words.extend([WordView::outside(1); BEYOND]);
        let mut preterminals = judged.forest.items()[..judged.forest.preterminals()]
            .iter()
            .zip(judged.items)
            .map(|(item, log)| (item.start as usize, judged.names[item.symbol as usize].tag, log))
            .peekable();
        let mut sums: Vec<(u64, f32)> = Vec::new();
        for (position, observed) in sentence.iter().enumerate() {
            sums.clear();
            while let Some((_, tag, log)) = preterminals.next_if(|&(start, ..)| start == position) {
                let posterior = (log * judged.share()).exp();
                match sums.iter_mut().find(|(own, _)| *own == tag) {
                    Some((_, sum)) => *sum += posterior,
                    None => sums.push((tag, posterior)),
                }
            }
            let best = sums.iter().max_by(|one, other| one.1.total_cmp(&other.1));
            let text = match *observed {
                Observation::Word(word) | Observation::Tagged(word, _) => word,
                Observation::Tag(_) => "",
            };
            let named = |kind: u64, text: &str| Key::of(kind).chars(text.chars()).value();
            let place = SentencePosition::of(position);
            let form = Key::of(26).chars(text.chars().flat_map(char::to_lowercase)).value();
            let sign = named(27, &signature(text, place, Detail::Ending));
            let shape = named(28, &signature(text, place, Detail::Shape));
            let mut clusters = lexicon.cluster_classes(text);
            if clusters.whole == 0 {
                clusters = ClusterClasses { short: shape, middle: shape, long: sign, whole: sign };
            }
            self.words.push(WordView {
                word: if lexicon.word_count(text) >= frequent { form } else { sign },
                form,
                tag: best.map_or(1, |&(tag, _)| tag),
                signature: sign,
                shape,
                clusters,
            });
        }
        self.words.extend([WordView::outside(2); BEYOND]);
    }
}

#[cfg(test)]
impl View {
    /// Words that are nothing but their tags.
    pub(super) fn of_tags(tags: &[u64]) -> Self {
        let clusters = ClusterClasses::default();
        let word = |&tag: &u64| WordView { word: tag, form: tag, tag, signature: tag, shape: tag, clusters };
        let [before, after] = [1, 2].map(|end| [WordView::outside(end); BEYOND]);
        Self {
            templates: Templates::Words,
            words: before.into_iter().chain(tags.iter().map(word)).chain(after).collect(),
        }
    }
}
