//! Options of `train shag`.

use clap::{Args, ValueEnum};
use eigentree::models::head_automata::{
    Alphabet, EmConfig, Geometry, HeadAutomataConfig, LexicalConfig, MAX_STATES, Memory, SpectralConfig,
    TagModel,
};

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
    eigentree train shag train.conllu --dev dev.conllu -o en.eig
    eigentree parse en.eig test.conllu --marginals -o parsed.conllu
  Words combined with tags, the most accurate model; the development set chooses the weight of words:
    eigentree train shag train.conllu --dev dev.conllu --words lex+fcp --distance -o en.eig
  EM instead of the spectral method, and the deterministic baselines:
    eigentree train shag train.conllu --learner em --states 8 --iterations 25 -o en.eig
    eigentree train shag train.conllu --learner det+f --alphabet upos -o en.eig
  Words only:
    eigentree train shag train.conllu --learner lex+fcp -o en.eig")]
pub(crate) struct TrainShagArgs {
    #[command(flatten)]
    data: TreebankArgs,
    /// Learner of the automata
    #[arg(long, value_enum, value_name = "LEARNER", default_value = "spectral")]
    learner: LearnerArg,
    /// Model of words to combine with the model of tags
    #[arg(long, value_enum, value_name = "WORDS")]
    words: Option<WordsArg>,
    /// With words: also model arc length and the verbs and punctuation below the arc
    #[arg(long)]
    distance: bool,
    /// Weight of the model of words [default: the best on the development set, else 1]
    #[arg(long, value_name = "WEIGHT", requires = "words", value_parser = positive)]
    weight: Option<f64>,
    /// Symbols of the automata
    #[arg(long, value_enum, value_name = "ALPHABET", default_value = "product", help_heading = "Learning")]
    alphabet: AlphabetArg,
    /// Number of hidden states per automaton [default: 6; 8 for em]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_STATES as i64), help_heading = "Learning")]
    states: Option<u16>,
    /// Number of EM iterations [default: 25]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000), help_heading = "Learning")]
    iterations: Option<u16>,
    /// Weight of DET+F mixed with the hidden states [default: 0.2; 0.1 for em]
    #[arg(long, value_name = "WEIGHT", value_parser = not_negative, help_heading = "Learning")]
    mixture: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum LearnerArg {
    /// Hidden states from a spectral decomposition
    Spectral,
    /// Hidden states from expectation–maximisation
    Em,
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
    fn has_words(self) -> bool {
        matches!(self, LearnerArg::Lex | LearnerArg::LexF | LearnerArg::LexFcp)
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
            AlphabetArg::Upos => Alphabet::Upos,
            AlphabetArg::Xpos => Alphabet::Xpos,
            AlphabetArg::Words => Alphabet::Words,
        }
    }
}

fn positive(text: &str) -> Result<f64, String> {
    let number = not_negative(text)?;
    if number > 0.0 { Ok(number) } else { Err("must be greater than zero".to_owned()) }
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("must be a number that is not negative".to_owned()),
    }
}

/// How the weight of words is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WeightChoice {
    /// Given, or not needed.
    Fixed,
    /// By the development set.
    ByDev,
}

/// Validated options of `train shag`.
pub(crate) struct TrainShagJob {
    pub(crate) data: TreebankData,
    pub(crate) config: HeadAutomataConfig,
    pub(crate) weight: WeightChoice,
}

impl TrainShagArgs {
    pub(crate) fn build(self, seed: u64) -> Result<TrainShagJob, UsageError> {
        let data = self.data.build(None)?;
        let hidden = matches!(self.learner, LearnerArg::Spectral | LearnerArg::Em);
        if !hidden && (self.states.is_some() || self.mixture.is_some()) {
            return Err(UsageError(
                "--states and --mixture apply only to --learner spectral and --learner em".to_owned(),
            ));
        }
        if self.iterations.is_some() && self.learner != LearnerArg::Em {
            return Err(UsageError("--iterations applies only to --learner em".to_owned()));
        }
        if self.distance && self.words.is_none() && !self.learner.has_words() {
            return Err(UsageError(
                "--distance applies only to models with words; add --words lex+fcp".to_owned(),
            ));
        }
        let alone = match self.learner {
            LearnerArg::Lex => Some(Memory::Nothing),
            LearnerArg::LexF => Some(Memory::First),
            LearnerArg::LexFcp => Some(Memory::FirstCoordinationPunctuation),
            _ => None,
        };
        if alone.is_some() && self.words.is_some() {
            return Err(UsageError(
                "this learner already models words; drop --words, or choose a learner of tags".to_owned(),
            ));
        }
        let tags = match self.learner {
            LearnerArg::Spectral => {
                let usual = SpectralConfig::default();
                TagModel::Spectral(SpectralConfig {
                    states: self.states.map_or(usual.states, usize::from),
                    mixture: self.mixture.unwrap_or(usual.mixture),
                    ..usual
                })
            }
            LearnerArg::Em => {
                let usual = EmConfig::default();
                TagModel::Em(EmConfig {
                    states: self.states.map_or(usual.states, usize::from),
                    iterations: self.iterations.map_or(usual.iterations, usize::from),
                    mixture: self.mixture.unwrap_or(usual.mixture),
                    seed,
                })
            }
            LearnerArg::Det => TagModel::Deterministic(Memory::Nothing),
            LearnerArg::DetF => TagModel::Deterministic(Memory::First),
            LearnerArg::Lex | LearnerArg::LexF | LearnerArg::LexFcp => TagModel::None,
        };
        let usual = LexicalConfig::default();
        let lexical = alone.or(self.words.map(WordsArg::memory)).map(|memory| LexicalConfig {
            memory,
            geometry: if self.distance { Geometry::Use } else { Geometry::Ignore },
            weight: self.weight.unwrap_or(usual.weight),
            ..usual
        });
        let weight = match (self.words, self.weight) {
            (Some(_), None) => WeightChoice::ByDev,
            _ => WeightChoice::Fixed,
        };
        Ok(TrainShagJob {
            data,
            config: HeadAutomataConfig {
                alphabet: self.alphabet.into(),
                tags,
                lexical,
                ..HeadAutomataConfig::default()
            },
            weight,
        })
    }
}
