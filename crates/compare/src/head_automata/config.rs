//! What is compared, and on what.

use corpus::format::conllu::Sentence;
use dependency::head_automata::{Alphabet, Memory};
use eigentree::training::Preset;

/// Whether words take part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lexicon {
    /// Tags alone and words beside tags.
    #[default]
    Both,
    /// Tags alone.
    TagsAlone,
}

/// What is compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// The symbols.
    pub alphabet: Alphabet,
    /// Numbers of hidden states.
    pub states: Vec<usize>,
    /// Numbers of steps of EM; none leaves EM out.
    pub em_steps: Vec<usize>,
    /// Whether words take part.
    pub lexicon: Lexicon,
    /// Whose method is compared: the paper's has no mixture with DET+F, no smoothed frequencies, no distances, words of
    /// weight 1, and no learner that the paper lacks.
    pub preset: Preset,
    /// Random starts of EM.
    pub restarts: usize,
    /// Of EM.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            alphabet: Alphabet::default(),
            states: vec![2, 4, 6, 8, 10, 12],
            em_steps: vec![5, 10, 25, 100],
            lexicon: Lexicon::default(),
            preset: Preset::Own,
            restarts: 1,
            seed: 1,
        }
    }
}

impl Config {
    /// The experiments of Luque et al. (2012).
    pub fn paper() -> Self {
        Self {
            alphabet: Alphabet::Xpos,
            states: vec![2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
            preset: Preset::Paper,
            restarts: 10,
            ..Self::default()
        }
    }
}

/// The models of words, with their names.
pub(super) const LEXICAL: [(Memory, &str); 3] =
    [(Memory::Nothing, "lex"), (Memory::First, "lex+f"), (Memory::FirstCoordinationPunctuation, "lex+fcp")];

/// The treebank.
#[derive(Clone, Copy, Debug)]
pub struct Data<'t> {
    /// Learnt from.
    pub train: &'t [Sentence],
    /// What choices are made by.
    pub dev: &'t [Sentence],
    /// What the best of each learner is scored on.
    pub test: Option<&'t [Sentence]>,
}
