//! The symbols that represent words.

use corpus::ids::{Id, WordId};
use corpus::vocab::{Vocab, VocabBuilder};
use hashbrown::HashMap;

use super::{Observe, TreeWords};

/// Separates a tag and a form. No tag of a treebank contains it.
const BETWEEN: char = '\u{1f}';

/// The numbered symbols that represent words.
#[derive(Clone, Debug)]
pub struct Observations {
    observe: Observe,
    symbols: Vocab<WordId>,
    /// The symbol of unknown words, the last one.
    unknown: WordId,
}

impl Observations {
    /// The symbols of a treebank.
    pub fn of_trees<'a>(
        trees: impl Iterator<Item = &'a TreeWords> + Clone,
        observe: Observe,
        min_count: u64,
    ) -> Self {
        let mut counts: HashMap<String, u64, foldhash::fast::FixedState> = HashMap::default();
        if observe != Observe::Tags {
            for (form, tag) in trees.clone().flat_map(TreeWords::words) {
                *counts.entry(full(observe, form, tag)).or_default() += 1;
            }
        }
        let mut symbols: VocabBuilder<WordId> = VocabBuilder::default();
        for (form, tag) in trees.flat_map(TreeWords::words) {
            let own = full(observe, form, tag);
            match counts.get(&own) {
                Some(&count) if count >= min_count => symbols.intern(&own),
                _ => symbols.intern(tag),
            };
        }
        let unknown = symbols.intern("");
        Self { observe, symbols: symbols.freeze(), unknown }
    }

    /// From its parts; `None` if there is no symbol for unknown words.
    pub(super) fn from_parts(observe: Observe, symbols: Vocab<WordId>) -> Option<Self> {
        let unknown = symbols.get("")?;
        Some(Self { observe, symbols, unknown })
    }

    /// The kind of symbols.
    pub fn observe(&self) -> Observe {
        self.observe
    }

    /// The symbols.
    pub fn symbols(&self) -> &Vocab<WordId> {
        &self.symbols
    }

    /// The number of symbols.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Always false: there is a symbol for unknown words.
    pub fn is_empty(&self) -> bool {
        self.symbols.len() == 0
    }

    /// The form of a symbol that stands for a frequent word.
    pub fn form(&self, symbol: usize) -> Option<&str> {
        let name = WordId::new(symbol).filter(|_| symbol < self.len()).map(|id| self.symbols.text(id))?;
        name.split_once(BETWEEN).map(|(_, form)| form)
    }

    /// The id of the symbol that represents a word.
    pub fn of_word(&self, form: &str, tag: &str) -> usize {
        let own = (self.observe != Observe::Tags)
            .then(|| self.symbols.get(&full(self.observe, form, tag)))
            .flatten();
        own.or_else(|| self.symbols.get(tag)).unwrap_or(self.unknown).index()
    }
}

/// The symbol of a frequent word.
fn full(observe: Observe, form: &str, tag: &str) -> String {
    match observe {
        Observe::Tags => tag.to_owned(),
        Observe::Words => format!("{BETWEEN}{}", form.to_lowercase()),
        Observe::Both => format!("{tag}{BETWEEN}{}", form.to_lowercase()),
    }
}
