//! Options of `train head-automata`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use eigentree::models::head_automata::{Alphabet, Geometry, MAX_STATES, Memory};
use eigentree::training::{HeadAutomataJob, HeadAutomataMethod, HeadAutomataRecipe, Preset};

use super::numbers::{not_negative, positive};
use super::treebank::{TreebankArgs, TreebankData};
use crate::failure::UsageError;

/// Train head automata on a dependency treebank in CoNLL-U
///
/// For every part of speech and direction, an automaton generates the modifiers of a head from the nearest outwards
/// (Luque et al. 2012). The hidden states come from a spectral decomposition of counts or from EM. A model of words can
/// be combined with the model of tags. The parser relies on the tags of its input.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  Hidden states from the spectral method, scored on a development set:
    eigentree train head-automata train.conllu --dev dev.conllu -o en.eig
    eigentree parse en.eig test.conllu --confidence -o parsed.conllu
  Words combined with tags, the most accurate model; the development set chooses the weight of words:
    eigentree train head-automata train.conllu --dev dev.conllu --words lex+fcp --distance -o en.eig
  Tags with the features that tell where words attach, for automata of tags alone:
    eigentree train head-automata train.conllu --learner spectral+em --alphabet features -o en.eig
  EM instead of the spectral method, and the deterministic baselines:
    eigentree train head-automata train.conllu --learner em --states 8 --em-steps 25 -o en.eig
    eigentree train head-automata train.conllu --learner det+f --alphabet upos -o en.eig
  EM from the states of the spectral method, and exactly the published method:
    eigentree train head-automata train.conllu --learner spectral+em -o en.eig
    eigentree train head-automata train.conllu --paper --states 9 -o paper.eig
  Words only:
    eigentree train head-automata train.conllu --learner lex+fcp -o en.eig")]
pub(crate) struct TrainHeadAutomataArgs {
    #[command(flatten)]
    data: TreebankArgs,
    /// Learner of the automata
    #[arg(long, value_enum, value_name = "LEARNER", default_value = "spectral")]
    learner: LearnerArg,
    /// Model of words to combine with the model of tags [default: none]
    #[arg(long, value_enum, value_name = "WORDS")]
    words: Option<WordsArg>,
    /// With words: also model arc length, the verbs and punctuation below the arc, and the tags of the words beside it
    #[arg(long)]
    distance: bool,
    /// With words: clusters of words from plain text, as written by `cluster`, by which words that are alike share what was
    /// seen
    #[arg(long, value_name = "PATHS", conflicts_with = "paper")]
    clusters: Option<PathBuf>,
    /// Weight of the model of words, for all its factors [default: by factor, the best on the development set, else 1]
    #[arg(long, value_name = "WEIGHT", requires = "words", value_parser = positive)]
    weight: Option<f64>,
    /// Symbols of the automata
    /// [default: product; xpos with --paper]
    #[arg(long, value_enum, value_name = "ALPHABET", help_heading = "Learning")]
    alphabet: Option<AlphabetArg>,
    /// Exactly the method of Luque et al. (2012), without our extensions; the report names all constants
    #[arg(long, help_heading = "Learning")]
    paper: bool,
    /// Number of hidden states per automaton [default: 10; 8 for em; with --paper 9, and 15 for em]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_STATES as i64), help_heading = "Learning")]
    states: Option<u16>,
    /// Number of EM steps [default: 25; 15 for spectral+em]
    #[arg(long, alias = "iterations", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000), help_heading = "Learning")]
    em_steps: Option<u16>,
    /// Number of random starts of EM; the most probable automaton is kept [default: 1; 10 with --paper]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Learning")]
    restarts: Option<u16>,
    /// With spectral+em: minimum number of modifier sequences per hidden state [default: 20]
    #[arg(long, value_name = "N", value_parser = not_negative, help_heading = "Learning")]
    sequences_per_state: Option<f64>,
    /// With spectral+em: prior count of every outcome of a state, as in variational Bayes [default: 0]
    #[arg(long, value_name = "COUNT", value_parser = not_negative, help_heading = "Learning")]
    pseudo_count: Option<f64>,
    /// With spectral: damping of directions of the states that chance explains, in multiples of the estimated sampling error
    /// [default: 1; 0 with --paper]
    #[arg(long, value_name = "FACTOR", value_parser = not_negative, help_heading = "Learning")]
    shrinkage: Option<f64>,
    /// With spectral: minimum number of modifier sequences of a head with hidden states; others use det+f [default: 1]
    #[arg(long, value_name = "N", value_parser = not_negative, help_heading = "Learning")]
    min_sequences: Option<f64>,
    /// With spectral: length of the longest sequences of modifiers by which states are told apart [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4), help_heading = "Learning")]
    basis: Option<u16>,
    /// With spectral: maximum number of such sequences before and after a position, the most frequent ones [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Learning")]
    basis_size: Option<u32>,
    /// Smoothing of the relative frequencies of det and det+f [default: 0.5; 0 with --paper]
    #[arg(long, value_name = "KAPPA", value_parser = not_negative, help_heading = "Learning")]
    kappa: Option<f64>,
    /// Weight of DET+F mixed with the hidden states [default: 0.2; 0.1 for em and spectral+em]
    #[arg(long, value_name = "WEIGHT", value_parser = not_negative, help_heading = "Learning")]
    mixture: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum LearnerArg {
    /// Hidden states from a spectral decomposition
    Spectral,
    /// Hidden states from expectation–maximisation
    Em,
    /// Hidden states from expectation–maximisation that starts from a spectral decomposition
    #[value(name = "spectral+em")]
    SpectralEm,
    /// Relative frequencies of modifiers
    Det,
    /// Relative frequencies, separate for the first and for further modifiers
    #[value(name = "det+f")]
    DetF,
    /// Words only, with back-off
    Lex,
    /// Words only, separate for the first and for further modifiers
    #[value(name = "lex+f")]
    LexF,
    /// Words only, with separate states for coordination and punctuation as well
    #[value(name = "lex+fcp")]
    LexFcp,
}

impl LearnerArg {
    fn method(self) -> HeadAutomataMethod {
        match self {
            LearnerArg::Spectral => HeadAutomataMethod::Spectral,
            LearnerArg::Em => HeadAutomataMethod::Em,
            LearnerArg::SpectralEm => HeadAutomataMethod::SpectralEm,
            LearnerArg::Det => HeadAutomataMethod::Deterministic(Memory::Nothing),
            LearnerArg::DetF => HeadAutomataMethod::Deterministic(Memory::First),
            LearnerArg::Lex => HeadAutomataMethod::Words(Memory::Nothing),
            LearnerArg::LexF => HeadAutomataMethod::Words(Memory::First),
            LearnerArg::LexFcp => HeadAutomataMethod::Words(Memory::FirstCoordinationPunctuation),
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum WordsArg {
    /// One state
    Lex,
    /// Separate states for the first and for further modifiers
    #[value(name = "lex+f")]
    LexF,
    /// Separate states for coordination and punctuation as well
    #[value(name = "lex+fcp")]
    LexFcp,
}

impl WordsArg {
    fn memory(self) -> Memory {
        match self {
            WordsArg::Lex => Memory::Nothing,
            WordsArg::LexF => Memory::First,
            WordsArg::LexFcp => Memory::FirstCoordinationPunctuation,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::args) enum AlphabetArg {
    /// Pairs of UPOS and XPOS
    Product,
    /// UPOS, XPOS and the features Case, PronType, Voice, Mood, VerbForm and Degree
    Features,
    /// UPOS
    Upos,
    /// XPOS
    Xpos,
    /// Frequent words with their UPOS; UPOS–XPOS pairs for all other words
    Words,
}

impl From<AlphabetArg> for Alphabet {
    fn from(alphabet: AlphabetArg) -> Self {
        match alphabet {
            AlphabetArg::Product => Alphabet::Product,
            AlphabetArg::Features => Alphabet::Features,
            AlphabetArg::Upos => Alphabet::Upos,
            AlphabetArg::Xpos => Alphabet::Xpos,
            AlphabetArg::Words => Alphabet::Words,
        }
    }
}

impl TrainHeadAutomataArgs {
    /// The treebank, the file of clusters if there is one, and the job without them.
    pub(crate) fn build(
        self,
        seed: u64,
    ) -> Result<(TreebankData, Option<PathBuf>, HeadAutomataJob), UsageError> {
        let recipe = HeadAutomataRecipe {
            method: self.learner.method(),
            alphabet: match (self.alphabet, self.paper) {
                (Some(alphabet), _) => alphabet.into(),
                (None, true) => Alphabet::Xpos,
                (None, false) => Alphabet::default(),
            },
            words: self.words.map(WordsArg::memory),
            geometry: if self.distance { Geometry::Use } else { Geometry::Ignore },
            weight: self.weight,
            states: self.states.map(usize::from),
            em_steps: self.em_steps.map(usize::from),
            mixture: self.mixture,
            restarts: self.restarts.map(usize::from),
            sequences_per_state: self.sequences_per_state,
            pseudo_count: self.pseudo_count,
            kappa: self.kappa,
            shrinkage: self.shrinkage,
            min_sequences: self.min_sequences,
            basis: self.basis.map(usize::from),
            basis_size: self.basis_size.map(|size| size as usize),
            preset: if self.paper { Preset::Paper } else { Preset::Own },
            seed,
        };
        let job = recipe.job()?;
        if self.clusters.is_some() && job.config.lexical.is_none() {
            return Err(UsageError(
                "--clusters needs a model of words; add --words lex+fcp or choose --learner lex+fcp"
                    .to_owned(),
            ));
        }
        Ok((self.data.build(self.clusters.as_deref())?, self.clusters, job))
    }
}
