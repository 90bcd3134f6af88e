//! The numbered symbols of a grammar.

use corpus::ids::Id;
use corpus::vocab::Vocab;

corpus::define_ids! {
    /// A symbol: a phrase (ids below [`SymbolTable::phrases`]) or a preterminal.
    SymbolId;
}

/// What a symbol rewrites to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    /// Two symbols.
    Phrase,
    /// One word.
    Preterminal,
}

impl SymbolKind {
    /// `phrase` or `preterminal`.
    pub fn name(self) -> &'static str {
        match self {
            SymbolKind::Phrase => "phrase",
            SymbolKind::Preterminal => "preterminal",
        }
    }
}

/// All symbols: phrases first, then preterminals. A label used in both ways is two symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolTable {
    phrases: Vocab<SymbolId>,
    /// Ids here are relative to `phrases.len()`.
    preterminals: Vocab<SymbolId>,
}

impl SymbolTable {
    /// Numbers the given labels.
    pub fn new(phrases: Vocab<SymbolId>, preterminals: Vocab<SymbolId>) -> Self {
        Self { phrases, preterminals }
    }

    /// The number of phrases.
    pub fn phrases(&self) -> usize {
        self.phrases.len()
    }

    /// The number of symbols.
    pub fn len(&self) -> usize {
        self.phrases.len() + self.preterminals.len()
    }

    /// Whether there are no symbols.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The label of a symbol.
    pub fn label(&self, symbol: SymbolId) -> &str {
        let (vocab, index) = match symbol.index().checked_sub(self.phrases.len()) {
            None => (&self.phrases, symbol.index()),
            Some(index) => (&self.preterminals, index),
        };
        SymbolId::new(index).map_or("", |id| vocab.text(id))
    }

    /// What the symbol rewrites to.
    pub fn kind(&self, symbol: SymbolId) -> SymbolKind {
        if symbol.index() < self.phrases.len() { SymbolKind::Phrase } else { SymbolKind::Preterminal }
    }

    /// The symbol with this kind and label.
    pub fn get(&self, kind: SymbolKind, label: &str) -> Option<SymbolId> {
        match kind {
            SymbolKind::Phrase => self.phrases.get(label),
            SymbolKind::Preterminal => {
                let index = self.preterminals.get(label)?.index();
                SymbolId::new(index + self.phrases.len())
            }
        }
    }

    /// All symbols in order.
    pub fn iter(&self) -> impl Iterator<Item = SymbolId> + use<> {
        (0..self.len()).filter_map(SymbolId::new)
    }

    /// The preterminals in order.
    pub fn preterminals(&self) -> impl Iterator<Item = SymbolId> + use<> {
        (self.phrases.len()..self.len()).filter_map(SymbolId::new)
    }

    /// The labels of one kind in order, for storage.
    pub fn labels(&self, kind: SymbolKind) -> impl Iterator<Item = &str> {
        match kind {
            SymbolKind::Phrase => self.phrases.iter(),
            SymbolKind::Preterminal => self.preterminals.iter(),
        }
        .map(|(_, label)| label)
    }
}
