//! What can be chosen.

/// What the symbols are that automata read and write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Alphabet {
    /// Pairs of the universal and the treebank's own part of speech.
    #[default]
    Product,
    /// Universal parts of speech.
    Upos,
    /// The treebank's own parts of speech.
    Xpos,
    /// Frequent words with their universal part of speech; pairs of parts of speech for all others.
    Words,
}

impl Alphabet {
    /// All of them, with the names they have in files and on command lines.
    pub const NAMED: [(Alphabet, &'static str); 4] = [
        (Alphabet::Product, "product"),
        (Alphabet::Upos, "upos"),
        (Alphabet::Xpos, "xpos"),
        (Alphabet::Words, "words"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMED.iter().find(|(alphabet, _)| *alphabet == self).map_or("product", |(_, name)| name)
    }
}

/// What a deterministic automaton remembers of the modifiers so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Memory {
    /// Nothing: one state (DET, LEX).
    Nothing,
    /// Whether there was one (DET+F, LEX+F).
    #[default]
    First,
    /// Whether there was one, and whether the last was a coordination, punctuation or something else (LEX+FCP).
    FirstCoordinationPunctuation,
}

/// What is learnt about modifier sequences of tags.
#[derive(Clone, PartialEq, Debug)]
pub enum TagModel {
    /// Relative frequencies with one state (DET) or two (DET+F).
    Deterministic(Memory),
    /// Hidden states by the spectral method, mixed with DET+F.
    Spectral(SpectralConfig),
    /// Hidden states by expectation–maximisation, mixed with DET+F.
    Em(EmConfig),
    /// Nothing: only words decide. Needs a lexical model.
    None,
}

/// How automata with hidden states are learnt by the spectral method.
#[derive(Clone, PartialEq, Debug)]
pub struct SpectralConfig {
    /// The largest number of hidden states of an automaton.
    pub states: usize,
    /// Weight of DET+F beside the hidden states, whose weight is 1.
    pub mixture: f64,
    /// Automata with fewer sequences have no hidden states: DET+F stands for them.
    pub min_sequences: f64,
}

impl Default for SpectralConfig {
    fn default() -> Self {
        Self { states: 6, mixture: 0.2, min_sequences: 1.0 }
    }
}

/// How automata with hidden states are learnt by expectation–maximisation.
#[derive(Clone, PartialEq, Debug)]
pub struct EmConfig {
    /// The number of hidden states of an automaton.
    pub states: usize,
    /// Passes over the sequences.
    pub iterations: usize,
    /// Weight of DET+F beside the hidden states, whose weight is 1.
    pub mixture: f64,
    /// Of the random start.
    pub seed: u64,
}

impl Default for EmConfig {
    fn default() -> Self {
        Self { states: 8, iterations: 25, mixture: 0.1, seed: 1 }
    }
}

/// Whether the place of a modifier counts: how far it is, and over what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Geometry {
    /// As in Luque et al. (2012).
    #[default]
    Ignore,
    /// Distance, verbs and punctuation between are a factor of the arc.
    Use,
}

/// How a lexicalised model is learnt.
#[derive(Clone, PartialEq, Debug)]
pub struct LexicalConfig {
    /// What the automata remember.
    pub memory: Memory,
    /// Whether places count.
    pub geometry: Geometry,
    /// Words seen less often are one word.
    pub min_count: usize,
    /// Collins' constant: how much the number of different outcomes speaks against a context.
    pub diversity: f64,
    /// The weight of the lexical scores beside those of tags.
    pub weight: f64,
}

impl Default for LexicalConfig {
    fn default() -> Self {
        Self {
            memory: Memory::FirstCoordinationPunctuation,
            geometry: Geometry::default(),
            min_count: 2,
            diversity: 5.0,
            weight: 1.0,
        }
    }
}

/// How head automata are learnt.
#[derive(Clone, PartialEq, Debug)]
pub struct HeadAutomataConfig {
    /// The symbols.
    pub alphabet: Alphabet,
    /// A word needs this many occurrences to be a symbol of its own in [`Alphabet::Words`].
    pub word_count: usize,
    /// The model of tag sequences.
    pub tags: TagModel,
    /// The model of words, if there is to be one.
    pub lexical: Option<LexicalConfig>,
}

impl Default for HeadAutomataConfig {
    fn default() -> Self {
        Self {
            alphabet: Alphabet::default(),
            word_count: 50,
            tags: TagModel::Spectral(SpectralConfig::default()),
            lexical: None,
        }
    }
}
