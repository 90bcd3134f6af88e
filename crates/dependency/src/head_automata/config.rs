//! Configuration of head automata.

use models::constants::{Constants, Departure};
use models::representations::ClusterPaths;

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
    /// Pairs of parts of speech with the morphological features that bear on syntax: [`SYNTACTIC_FEATURES`].
    Features,
    /// Frequent words with their universal part of speech; pairs of parts of speech for all others.
    Words,
}

/// The features that tell symbols of [`Alphabet::Features`] apart. Agreement (number, person, gender) and tense, which tag
/// pairs often have and which multiply the symbols, are left out.
pub const SYNTACTIC_FEATURES: [&str; 6] = ["Case", "PronType", "Voice", "Mood", "VerbForm", "Degree"];

impl Alphabet {
    /// All alphabets with their names in files and on the command line.
    pub const NAMED: [(Alphabet, &'static str); 5] = [
        (Alphabet::Product, "product"),
        (Alphabet::Upos, "upos"),
        (Alphabet::Xpos, "xpos"),
        (Alphabet::Features, "features"),
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
    /// Hidden states by expectation–maximisation that starts from the clustered states of the spectral method, mixed with
    /// DET+F.
    SpectralEm(SpectralEmConfig),
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
    /// Direction i of the states is weighted by `σ_i² / (σ_i² + (shrinkage · noise)²)`, where the noise is the estimated
    /// sampling error of the bigrams; 0 takes all directions at face value. The first keeps its weight.
    pub shrinkage: f64,
    /// Length of the longest sequences of modifiers by which states are told apart; 1 is the published bigrams.
    pub basis: usize,
    /// Of longer sequences, only the most frequent of each side: at most this number. `None` takes all that occur.
    pub basis_size: Option<usize>,
}

impl Default for SpectralConfig {
    fn default() -> Self {
        Self { states: 10, mixture: 0.2, min_sequences: 1.0, shrinkage: 1.0, basis: 1, basis_size: None }
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
    /// Number of random starts; the automaton under which its sequences are most probable is kept.
    pub restarts: usize,
    /// Seed of the random start.
    pub seed: u64,
}

impl Default for EmConfig {
    fn default() -> Self {
        Self { states: 8, steps: 25, mixture: 0.1, restarts: 1, seed: 1 }
    }
}

/// Configuration of EM that starts from the spectral method.
#[derive(Clone, PartialEq, Debug)]
pub struct SpectralEmConfig {
    /// Maximum number of hidden states per automaton.
    pub states: usize,
    /// Minimum number of modifier sequences per hidden state: automata with fewer sequences get fewer states.
    pub sequences_per_state: f64,
    /// Number of EM steps.
    pub steps: usize,
    /// Prior count of every outcome of a state, as in variational Bayes; 0 for maximum likelihood.
    pub pseudo_count: f64,
    /// Weight of DET+F relative to the hidden states, whose weight is 1.
    pub mixture: f64,
    /// Seed of the clustering.
    pub seed: u64,
}

impl Default for SpectralEmConfig {
    fn default() -> Self {
        Self { states: 10, sequences_per_state: 20.0, steps: 15, pseudo_count: 0.0, mixture: 0.1, seed: 1 }
    }
}

/// Whether the position of a modifier counts: its distance, and what lies between.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Geometry {
    /// No, as in Luque et al. (2012).
    #[default]
    Ignore,
    /// Yes: distance, verbs and punctuation in between, and the tags of the words beside the arc are factors of the arc.
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
    /// Clusters of words, by which heads and modifiers that are alike share what was seen.
    pub clusters: Option<ClusterPaths>,
    /// The weights of the lexical scores relative to those of the model of tags.
    pub weights: LexicalWeights,
}

/// Exponents of the factors of a model of words. The tags of modifiers have a model of their own beside them, so that one
/// exponent for all would count tags twice; and so it is with the words and their clusters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LexicalWeights {
    /// Of the tags of modifiers given the words of heads.
    pub tags: f64,
    /// Of the words of modifiers.
    pub words: f64,
    /// Of their places.
    pub places: f64,
    /// Of the clusters of modifiers.
    pub clusters: f64,
    /// Of the tags of the words beside an arc.
    pub neighbours: f64,
}

impl LexicalWeights {
    /// The same exponent for all factors.
    pub fn all(weight: f64) -> Self {
        Self { tags: weight, words: weight, places: weight, clusters: weight, neighbours: weight }
    }

    /// As an array, in the order of the fields.
    pub fn to_array(self) -> [f64; 5] {
        [self.tags, self.words, self.places, self.clusters, self.neighbours]
    }

    /// From an array, in the order of the fields.
    pub fn from_array([tags, words, places, clusters, neighbours]: [f64; 5]) -> Self {
        Self { tags, words, places, clusters, neighbours }
    }
}

impl Default for LexicalConfig {
    fn default() -> Self {
        Self {
            memory: Memory::FirstCoordinationPunctuation,
            geometry: Geometry::default(),
            min_count: 2,
            diversity: 5.0,
            clusters: None,
            weights: LexicalWeights::all(1.0),
        }
    }
}

/// Configuration of a head automata learner.
#[derive(Clone, PartialEq, Debug)]
pub struct HeadAutomataConfig {
    /// The alphabet.
    pub alphabet: Alphabet,
    /// Strength of smoothing for the relative frequencies of DET and DET+F; 0 leaves them as they are.
    pub kappa: f64,
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
            kappa: 0.5,
            word_count: 50,
            tags: TagModel::Spectral(SpectralConfig::default()),
            lexical: None,
        }
    }
}

impl HeadAutomataConfig {
    /// The method of Luque et al. (2012): one automaton per treebank-specific part of speech, this model of tags without a
    /// mixture, and relative frequencies as they are.
    pub fn paper(tags: TagModel) -> Self {
        let tags = match tags {
            TagModel::Spectral(config) => {
                let (basis, basis_size) = (1, None);
                TagModel::Spectral(SpectralConfig {
                    mixture: 0.0,
                    shrinkage: 0.0,
                    basis,
                    basis_size,
                    ..config
                })
            }
            TagModel::Em(config) => TagModel::Em(EmConfig { mixture: 0.0, ..config }),
            other => other,
        };
        Self { alphabet: Alphabet::Xpos, kappa: 0.0, tags, ..Self::default() }
    }

    /// All constants that determine the model, by name.
    pub fn constants(&self) -> Constants {
        let constants = Constants::default()
            .chosen("alphabet", self.alphabet.name())
            .fixed("smoothing of frequencies", self.kappa);
        let constants = match &self.tags {
            TagModel::Deterministic(memory) => {
                constants.fixed("learner", if *memory == Memory::Nothing { "det" } else { "det+f" })
            }
            TagModel::Spectral(config) => constants
                .fixed("learner", "spectral")
                .chosen("states", config.states)
                .fixed("weight of det+f", config.mixture)
                .fixed("least sequences", config.min_sequences)
                .fixed("shrinkage", format!("{} × noise", config.shrinkage))
                .fixed("basis", config.basis)
                .fixed(
                    "size of the basis",
                    config.basis_size.map_or("all".to_owned(), |size| size.to_string()),
                ),
            TagModel::Em(config) => constants
                .fixed("learner", "em")
                .chosen("states", config.states)
                .chosen("EM steps", config.steps)
                .chosen("restarts", config.restarts)
                .fixed("weight of det+f", config.mixture)
                .chosen("seed", config.seed),
            TagModel::SpectralEm(config) => constants
                .fixed("learner", "spectral+em")
                .chosen("states", config.states)
                .fixed("sequences per state", config.sequences_per_state)
                .chosen("EM steps", config.steps)
                .fixed("prior count", config.pseudo_count)
                .fixed("weight of det+f", config.mixture)
                .chosen("seed", config.seed),
            TagModel::None => constants.fixed("learner", "words"),
        };
        match &self.lexical {
            None => constants,
            Some(lexical) => constants
                .fixed("clusters of words", if lexical.clusters.is_some() { "yes" } else { "no" })
                .fixed("distance", if lexical.geometry == Geometry::Use { "yes" } else { "no" })
                .chosen("least count of words", lexical.min_count)
                .fixed("Collins' constant", lexical.diversity)
                .fixed("weight of tags by words", lexical.weights.tags)
                .fixed("weight of words", lexical.weights.words)
                .fixed("weight of places", lexical.weights.places)
                .fixed("weight of clusters", lexical.weights.clusters)
                .fixed("weight of neighbours", lexical.weights.neighbours),
        }
    }

    /// Where this configuration departs from Luque et al. (2012); empty if it is exactly theirs.
    pub fn departures(&self) -> Vec<Departure> {
        let tags = match &self.tags {
            TagModel::SpectralEm(_) => TagModel::Spectral(SpectralConfig::default()),
            other => other.clone(),
        };
        let lexical = self.lexical.clone().map(|lexical| LexicalConfig {
            geometry: Geometry::Ignore,
            clusters: None,
            weights: LexicalWeights::all(1.0),
            diversity: LexicalConfig::default().diversity,
            ..lexical
        });
        let published = Self { lexical, ..Self::paper(tags) };
        self.constants().departures(&published.constants())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_departs_from_nothing_and_mixtures_do() {
        for tags in [
            TagModel::Spectral(SpectralConfig { states: 9, ..SpectralConfig::default() }),
            TagModel::Em(EmConfig { restarts: 10, ..EmConfig::default() }),
            TagModel::Deterministic(Memory::First),
        ] {
            assert!(HeadAutomataConfig::paper(tags).departures().is_empty());
        }
        let names: Vec<&str> =
            HeadAutomataConfig::default().departures().iter().map(|departure| departure.name).collect();
        assert_eq!(names, ["smoothing of frequencies", "weight of det+f", "shrinkage"]);
    }
}
