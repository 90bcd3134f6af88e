//! Configuration of head automata.

/// The symbols over which automata are defined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Alphabet {
    /// Pairs of the universal and the treebank-specific part of speech.
    #[default]
    Product,
    /// Universal parts of speech.
    Upos,
    /// Treebank-specific parts of speech.
    Xpos,
    /// Frequent words with their universal part of speech; pairs of parts of speech for all others.
    Words,
}

impl Alphabet {
    /// All alphabets with their names in files and on the command line.
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

/// What a deterministic automaton remembers about the previous modifiers.
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

/// The model of modifier sequences of tags.
#[derive(Clone, PartialEq, Debug)]
pub enum TagModel {
    /// Relative frequencies with one state (DET) or two (DET+F).
    Deterministic(Memory),
    /// Hidden states by the spectral method, mixed with DET+F.
    Spectral(SpectralConfig),
    /// Hidden states by expectation–maximisation, mixed with DET+F.
    Em(EmConfig),
    /// No model of tags: only words decide. Needs a lexical model.
    None,
}

/// Configuration of automata with hidden states learnt by the spectral method.
#[derive(Clone, PartialEq, Debug)]
pub struct SpectralConfig {
    /// Maximum number of hidden states per automaton.
    pub states: usize,
    /// Weight of DET+F relative to the hidden states, whose weight is 1.
    pub mixture: f64,
    /// Automata with fewer sequences have no hidden states and use DET+F.
    pub min_sequences: f64,
}

impl Default for SpectralConfig {
    fn default() -> Self {
        Self { states: 6, mixture: 0.2, min_sequences: 1.0 }
    }
}

/// Configuration of automata with hidden states learnt by EM.
#[derive(Clone, PartialEq, Debug)]
pub struct EmConfig {
    /// Number of hidden states per automaton.
    pub states: usize,
    /// Number of EM steps.
    pub steps: usize,
    /// Weight of DET+F relative to the hidden states, whose weight is 1.
    pub mixture: f64,
    /// Seed of the random start.
    pub seed: u64,
}

impl Default for EmConfig {
    fn default() -> Self {
        Self { states: 8, steps: 25, mixture: 0.1, seed: 1 }
    }
}

/// Whether the position of a modifier counts: its distance, and what lies between.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Geometry {
    /// No, as in Luque et al. (2012).
    #[default]
    Ignore,
    /// Yes: distance, and verbs and punctuation in between, are a factor of the arc.
    Use,
}

/// Configuration of a lexicalised model.
#[derive(Clone, PartialEq, Debug)]
pub struct LexicalConfig {
    /// The memory of the automata.
    pub memory: Memory,
    /// Whether positions count.
    pub geometry: Geometry,
    /// Words seen less often are treated as one word.
    pub min_count: usize,
    /// Collins' constant: how strongly the number of different outcomes counts against a context.
    pub diversity: f64,
    /// The weight of the lexical scores relative to those of tags.
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

/// Configuration of a head automata learner.
#[derive(Clone, PartialEq, Debug)]
pub struct HeadAutomataConfig {
    /// The alphabet.
    pub alphabet: Alphabet,
    /// Minimum count of a word to be a symbol of its own in [`Alphabet::Words`].
    pub word_count: usize,
    /// The model of tag sequences.
    pub tags: TagModel,
    /// The model of words, if any.
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
