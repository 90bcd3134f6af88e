//! What to show.

use std::num::NonZeroUsize;

use dependency::head_automata::DfaConfig;

use super::error::Topic;

const TOP: usize = 15;

/// Shorter lists for states: there are many of them, and the first few entries characterise each.
const TOP_OF_STATES: usize = 6;

/// What to show of a model, and how much of it. The default shows an overview.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Request {
    /// Grammars: the phrase labels and tags to show. Head automata: the symbols to show.
    pub symbols: Vec<String>,
    /// Grammars with latent states: the member of an ensemble whose states to show, counted from 1; the first by default.
    pub member: Option<NonZeroUsize>,
    /// Word clusters: show those whose paths begin with these bits.
    pub clusters: Vec<String>,
    /// Word clusters: show the clusters of these words and their neighbours in the tree.
    pub words: Vec<String>,
    /// Word clusters: show the tree cut after this number of bits.
    pub prefix: Option<usize>,
    /// Head automata: how graphs are made of the hidden states.
    pub graphs: DfaConfig,
    /// Length of the lists.
    pub top: usize,
    /// Length of the lists for each latent state.
    pub top_of_states: usize,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            symbols: Vec::new(),
            member: None,
            clusters: Vec::new(),
            words: Vec::new(),
            prefix: None,
            graphs: DfaConfig::default(),
            top: TOP,
            top_of_states: TOP_OF_STATES,
        }
    }
}

impl Request {
    /// Also shows a symbol of a grammar or of head automata.
    #[must_use]
    pub fn symbol(mut self, label: impl Into<String>) -> Self {
        self.symbols.push(label.into());
        self
    }

    /// Shows the latent states of this member of an ensemble, counted from 1.
    #[must_use]
    pub fn member(mut self, number: NonZeroUsize) -> Self {
        self.member = Some(number);
        self
    }

    /// Also shows the clusters whose paths begin with `bits`.
    #[must_use]
    pub fn cluster(mut self, bits: impl Into<String>) -> Self {
        self.clusters.push(bits.into());
        self
    }

    /// Also shows the cluster of a word, and its neighbours in the tree.
    #[must_use]
    pub fn word(mut self, word: impl Into<String>) -> Self {
        self.words.push(word.into());
        self
    }

    /// Shows the tree of clusters cut after this number of bits.
    #[must_use]
    pub fn prefix(mut self, bits: usize) -> Self {
        self.prefix = Some(bits);
        self
    }

    /// Sets the length of all lists.
    #[must_use]
    pub fn top(mut self, length: usize) -> Self {
        (self.top, self.top_of_states) = (length, length);
        self
    }

    /// What the request asks for beyond an overview.
    pub fn topics(&self) -> Vec<Topic> {
        let clusters = !self.clusters.is_empty() || !self.words.is_empty() || self.prefix.is_some();
        let asked = [
            (Topic::Symbols, !self.symbols.is_empty()),
            (Topic::Members, self.member.is_some()),
            (Topic::Clusters, clusters),
        ];
        asked.into_iter().filter(|&(_, asked)| asked).map(|(topic, _)| topic).collect()
    }
}
