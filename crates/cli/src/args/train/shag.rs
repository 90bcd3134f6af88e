//! `train shag`: options and what they mean.

use clap::{Args, ValueEnum};
use eigentree::models::head_automata::{
    Alphabet, EmConfig, Geometry, HeadAutomataConfig, LexicalConfig, MAX_STATES, Memory, SpectralConfig,
    TagModel,
};

use super::treebank::{TreebankArgs, TreebankData};
use crate::failure::UsageError;

/// Learn head automata from a dependency treebank in CoNLL-U
///
/// For every part of speech and side an automaton generates the modifiers of a head, nearest first (Luque et al. 2012). Hidden states come from
/// a decomposition of counts, or from EM; a model of words may stand beside that of tags. The parser sees the tags that it is given.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  Hidden states by the spectral method, scored on a development set:
    eigentree train shag train.conllu --dev dev.conllu -o en.eig
    eigentree parse en.eig test.conllu --marginals -o parsed.conllu
  Words beside tags, the most accurate; the development set chooses the weight of words:
    eigentree train shag train.conllu --dev dev.conllu --words lex+fcp --distance -o en.eig
  EM instead of the spectral method, and the deterministic baselines:
    eigentree train shag train.conllu --learner em --states 8 --iterations 25 -o en.eig
    eigentree train shag train.conllu --learner det+f --alphabet upos -o en.eig
  Words alone:
    eigentree train shag train.conllu --learner lex+fcp -o en.eig")]
pub(crate) struct TrainShagArgs {
    #[command(flatten)]
    data: TreebankArgs,
    /// How the automata are learnt
    #[arg(long, value_enum, value_name = "LEARNER", default_value = "spectral")]
    learner: LearnerArg,
    /// A model of words beside that of tags
    #[arg(long, value_enum, value_name = "WORDS")]
    words: Option<WordsArg>,
    /// With words: how far an arc reaches, and over what verbs and punctuation, counts too
    #[arg(long)]
    distance: bool,
    /// The weight of words beside tags [default: the best on the development set, or 1]
    #[arg(long, value_name = "WEIGHT", requires = "words", value_parser = positive)]
    weight: Option<f64>,
    /// What the symbols of the automata are
    #[arg(long, value_enum, value_name = "ALPHABET", default_value = "product", help_heading = "Learning")]
    alphabet: AlphabetArg,
    /// Hidden states of an automaton [default: 6, and 8 for em]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_STATES as i64), help_heading = "Learning")]
    states: Option<u16>,
    /// Passes of em over the sequences [default: 25]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000), help_heading = "Learning")]
    iterations: Option<u16>,
    /// The weight of DET+F beside hidden states [default: 0.2, and 0.1 for em]
    #[arg(long, value_name = "WEIGHT", value_parser = not_negative, help_heading = "Learning")]
    mixture: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum LearnerArg {
    /// Hidden states by decomposition
    Spectral,
    /// Hidden states by expectation–maximisation
    Em,
    /// Relative frequencies of modifiers
    Det,
    /// Relative frequencies of the first and of further modifiers
    #[value(name = "det+f")]
    DetF,
    /// Words alone, with back-off
    Lex,
    /// The same for the first and further modifiers
    #[value(name = "lex+f")]
    LexF,
    /// The same with coordination and punctuation told apart
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
    /// The first modifier told apart
    #[value(name = "lex+f")]
    LexF,
    /// Coordination and punctuation told apart too
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
    /// Frequent words with their UPOS, pairs of tags for all others
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
    if number > 0.0 { Ok(number) } else { Err("must be above zero".to_owned()) }
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("must be a number, not below zero".to_owned()),
    }
}

/// Who chooses the weight of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WeightChoice {
    /// It is given, or does not matter.
    Fixed,
    /// The development set.
    ByDev,
}

/// What is to be done.
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
            return Err(UsageError("--states and --mixture are for the learners spectral and em".to_owned()));
        }
        if self.iterations.is_some() && self.learner != LearnerArg::Em {
            return Err(UsageError("--iterations is for --learner em".to_owned()));
        }
        if self.distance && self.words.is_none() && !self.learner.has_words() {
            return Err(UsageError("--distance is for models with words: add --words lex+fcp".to_owned()));
        }
        let alone = match self.learner {
            LearnerArg::Lex => Some(Memory::Nothing),
            LearnerArg::LexF => Some(Memory::First),
            LearnerArg::LexFcp => Some(Memory::FirstCoordinationPunctuation),
            _ => None,
        };
        if alone.is_some() && self.words.is_some() {
            return Err(UsageError(
                "the learner has words already: drop --words, or take a learner of tags".to_owned(),
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
