//! Head automata configured by single options, as on a command line.

use dependency::head_automata::{
    Alphabet, EmConfig, Geometry, HeadAutomataConfig, LexicalConfig, LexicalWeights, Memory, SpectralConfig,
    SpectralEmConfig, TagModel,
};

use super::{HeadAutomataJob, LexicalWeight, OptionError, Preset};

/// Random starts of EM in the paper.
const PAPER_RESTARTS: usize = 10;

/// Hidden states of the best spectral model and of the best of EM in the paper (section 5.1).
const PAPER_STATES: (usize, usize) = (9, 15);

/// The learner of head automata.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HeadAutomataMethod {
    /// Hidden states by decomposition.
    #[default]
    Spectral,
    /// Hidden states by expectation–maximisation.
    Em,
    /// Hidden states by expectation–maximisation from a start by decomposition.
    SpectralEm,
    /// Relative frequencies of tags, with this memory.
    Deterministic(Memory),
    /// Words alone, with this memory.
    Words(Memory),
}

/// The options of head automata one by one. A field that is `None` takes its default.
///
/// ```
/// use eigentree::training::{HeadAutomataMethod, HeadAutomataRecipe};
/// let recipe = HeadAutomataRecipe { method: HeadAutomataMethod::Em, states: Some(4), ..Default::default() };
/// assert!(recipe.job().is_ok());
/// let recipe = HeadAutomataRecipe { em_steps: Some(10), ..Default::default() };
/// assert_eq!(recipe.job().unwrap_err().option(), "em-steps");
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct HeadAutomataRecipe {
    /// The learner.
    pub method: HeadAutomataMethod,
    /// The symbols of the automata.
    pub alphabet: Alphabet,
    /// A model of words beside that of tags, with this memory.
    pub words: Option<Memory>,
    /// Whether the place of a modifier counts; needs words.
    pub geometry: Geometry,
    /// The weight of words beside tags; without one development sentences choose it.
    pub weight: Option<f64>,
    /// Hidden states of an automaton.
    pub states: Option<usize>,
    /// Passes of expectation–maximisation.
    pub em_steps: Option<usize>,
    /// The weight of relative frequencies beside hidden states.
    pub mixture: Option<f64>,
    /// Number of random starts of expectation–maximisation.
    pub restarts: Option<usize>,
    /// Minimum number of modifier sequences per hidden state, for the learner that starts by decomposition.
    pub sequences_per_state: Option<f64>,
    /// Prior count of every outcome of a state, for the same learner.
    pub pseudo_count: Option<f64>,
    /// Strength of smoothing for relative frequencies.
    pub kappa: Option<f64>,
    /// How strongly directions that chance explains are damped, for the spectral learner.
    pub shrinkage: Option<f64>,
    /// Minimum number of modifier sequences of an automaton with hidden states, for the spectral learner.
    pub min_sequences: Option<f64>,
    /// Length of the longest sequences of modifiers by which states are told apart, for the spectral learner.
    pub basis: Option<usize>,
    /// Maximum number of such sequences, for the spectral learner.
    pub basis_size: Option<usize>,
    /// Whose method it is.
    pub preset: Preset,
    /// The seed of expectation–maximisation.
    pub seed: u64,
}

impl Default for HeadAutomataRecipe {
    fn default() -> Self {
        Self {
            method: HeadAutomataMethod::default(),
            alphabet: Alphabet::default(),
            words: None,
            geometry: Geometry::default(),
            weight: None,
            states: None,
            em_steps: None,
            mixture: None,
            restarts: None,
            sequences_per_state: None,
            pseudo_count: None,
            kappa: None,
            shrinkage: None,
            min_sequences: None,
            basis: None,
            basis_size: None,
            preset: Preset::Own,
            seed: EmConfig::default().seed,
        }
    }
}

impl HeadAutomataRecipe {
    /// The job; an error if options contradict one another.
    pub fn job(&self) -> Result<HeadAutomataJob, OptionError> {
        self.check()?;
        let published = self.preset == Preset::Paper;
        let states =
            |usual: usize, paper: usize| self.states.unwrap_or(if published { paper } else { usual });
        let tags = match self.method {
            HeadAutomataMethod::Spectral => {
                let usual = SpectralConfig::default();
                TagModel::Spectral(SpectralConfig {
                    states: states(usual.states, PAPER_STATES.0),
                    mixture: self.mixture.unwrap_or(usual.mixture),
                    shrinkage: self.shrinkage.unwrap_or(usual.shrinkage),
                    min_sequences: self.min_sequences.unwrap_or(usual.min_sequences),
                    basis: self.basis.unwrap_or(usual.basis),
                    basis_size: self.basis_size.or(usual.basis_size),
                })
            }
            HeadAutomataMethod::Em => {
                let usual = EmConfig::default();
                TagModel::Em(EmConfig {
                    states: states(usual.states, PAPER_STATES.1),
                    steps: self.em_steps.unwrap_or(usual.steps),
                    mixture: self.mixture.unwrap_or(usual.mixture),
                    restarts: self.restarts.unwrap_or(if published {
                        PAPER_RESTARTS
                    } else {
                        usual.restarts
                    }),
                    seed: self.seed,
                })
            }
            HeadAutomataMethod::SpectralEm => {
                let usual = SpectralEmConfig::default();
                TagModel::SpectralEm(SpectralEmConfig {
                    states: self.states.unwrap_or(usual.states),
                    steps: self.em_steps.unwrap_or(usual.steps),
                    mixture: self.mixture.unwrap_or(usual.mixture),
                    sequences_per_state: self.sequences_per_state.unwrap_or(usual.sequences_per_state),
                    pseudo_count: self.pseudo_count.unwrap_or(usual.pseudo_count),
                    seed: self.seed,
                })
            }
            HeadAutomataMethod::Deterministic(memory) => TagModel::Deterministic(memory),
            HeadAutomataMethod::Words(_) => TagModel::None,
        };
        let usual = LexicalConfig::default();
        let lexical = self.memory_of_words().map(|memory| LexicalConfig {
            memory,
            geometry: self.geometry,
            weights: self.weight.map_or(usual.weights, LexicalWeights::all),
            ..usual
        });
        let usual = HeadAutomataConfig::default();
        let kappa = self.kappa.unwrap_or(usual.kappa);
        let config = match self.preset {
            Preset::Own => HeadAutomataConfig { alphabet: self.alphabet, kappa, tags, lexical, ..usual },
            Preset::Paper => {
                let paper = HeadAutomataConfig::paper(tags);
                let kappa = self.kappa.unwrap_or(paper.kappa);
                HeadAutomataConfig { alphabet: self.alphabet, kappa, lexical, ..paper }
            }
        };
        let lexical_weight = match (self.words, self.weight) {
            (Some(_), None) if !published => LexicalWeight::ByDev,
            _ => LexicalWeight::Fixed,
        };
        Ok(HeadAutomataJob { config, lexical_weight })
    }

    fn memory_of_words(&self) -> Option<Memory> {
        match self.method {
            HeadAutomataMethod::Words(memory) => Some(memory),
            _ => self.words,
        }
    }

    fn check(&self) -> Result<(), OptionError> {
        let hidden = matches!(
            self.method,
            HeadAutomataMethod::Spectral | HeadAutomataMethod::Em | HeadAutomataMethod::SpectralEm
        );
        if self.preset == Preset::Paper {
            let extensions = [
                ("learner", self.method == HeadAutomataMethod::SpectralEm),
                ("mixture", self.mixture.is_some()),
                ("shrinkage", self.shrinkage.is_some()),
                ("min-sequences", self.min_sequences.is_some()),
                ("basis", self.basis.is_some()),
                ("basis-size", self.basis_size.is_some()),
                ("distance", self.geometry == Geometry::Use),
            ];
            if let Some((option, _)) = extensions.into_iter().find(|&(_, given)| given) {
                return Err(OptionError::new(option, "is not in the paper; drop it or the paper mode"));
            }
        }
        let for_start = [
            ("sequences-per-state", self.sequences_per_state.is_some()),
            ("pseudo-count", self.pseudo_count.is_some()),
        ];
        if let Some((option, _)) = for_start.into_iter().find(|&(_, given)| given)
            && self.method != HeadAutomataMethod::SpectralEm
        {
            return Err(OptionError::new(option, "applies only to the learner spectral+em"));
        }
        let for_spectral = [
            ("shrinkage", self.shrinkage.is_some()),
            ("min-sequences", self.min_sequences.is_some()),
            ("basis", self.basis.is_some()),
            ("basis-size", self.basis_size.is_some()),
        ];
        if let Some((option, _)) = for_spectral.into_iter().find(|&(_, given)| given)
            && self.method != HeadAutomataMethod::Spectral
        {
            return Err(OptionError::new(option, "applies only to the learner spectral"));
        }
        if self.restarts.is_some() && self.method != HeadAutomataMethod::Em {
            return Err(OptionError::new("restarts", "applies only to the learner em"));
        }
        let for_hidden = [("states", self.states.is_some()), ("mixture", self.mixture.is_some())];
        if let Some((option, _)) = for_hidden.into_iter().find(|&(_, given)| given && !hidden) {
            return Err(OptionError::new(
                option,
                "applies only to the learners spectral, em and spectral+em",
            ));
        }
        let steps = matches!(self.method, HeadAutomataMethod::Em | HeadAutomataMethod::SpectralEm);
        if self.em_steps.is_some() && !steps {
            return Err(OptionError::new("em-steps", "applies only to the learners em and spectral+em"));
        }
        if self.geometry == Geometry::Use && self.memory_of_words().is_none() {
            return Err(OptionError::new(
                "distance",
                "applies only to models with words; add words, such as lex+fcp",
            ));
        }
        if matches!(self.method, HeadAutomataMethod::Words(_)) && self.words.is_some() {
            return Err(OptionError::new(
                "words",
                "applies only to learners of tags; this learner already models words",
            ));
        }
        if self.weight.is_some() && self.words.is_none() {
            return Err(OptionError::new(
                "weight",
                "applies only to models of tags and words; add words, such as lex+fcp",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradictions_name_the_option() {
        let usual = HeadAutomataRecipe::default;
        let words = HeadAutomataMethod::Words(Memory::First);
        let cases = [
            (HeadAutomataRecipe { method: words, states: Some(2), ..usual() }, "states"),
            (HeadAutomataRecipe { method: words, mixture: Some(0.1), ..usual() }, "mixture"),
            (HeadAutomataRecipe { em_steps: Some(2), ..usual() }, "em-steps"),
            (HeadAutomataRecipe { geometry: Geometry::Use, ..usual() }, "distance"),
            (HeadAutomataRecipe { method: words, words: Some(Memory::First), ..usual() }, "words"),
            (HeadAutomataRecipe { weight: Some(1.0), ..usual() }, "weight"),
        ];
        for (recipe, option) in cases {
            assert_eq!(recipe.job().unwrap_err().option(), option);
        }
    }

    #[test]
    fn a_recipe_without_changes_is_the_default_job() {
        assert_eq!(HeadAutomataRecipe::default().job().unwrap(), HeadAutomataJob::default());
    }

    #[test]
    fn development_sentences_choose_the_weight_unless_it_is_given() {
        let words = Some(Memory::First);
        let job = HeadAutomataRecipe { words, ..HeadAutomataRecipe::default() }.job().unwrap();
        assert_eq!(job.lexical_weight, LexicalWeight::ByDev);
        let recipe = HeadAutomataRecipe { words, weight: Some(2.0), ..HeadAutomataRecipe::default() };
        let job = recipe.job().unwrap();
        assert_eq!(job.lexical_weight, LexicalWeight::Fixed);
        assert_eq!(job.config.lexical.map(|lexical| lexical.weights), Some(LexicalWeights::all(2.0)));
    }
}
