//! Head automata configured by single options, as on a command line.

use dependency::head_automata::{
    Alphabet, EmConfig, Geometry, HeadAutomataConfig, LexicalConfig, Memory, SpectralConfig, TagModel,
};

use super::{HeadAutomataJob, LexicalWeight, OptionError};

/// The learner of head automata.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HeadAutomataMethod {
    /// Hidden states by decomposition.
    #[default]
    Spectral,
    /// Hidden states by expectation–maximisation.
    Em,
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
            seed: EmConfig::default().seed,
        }
    }
}

impl HeadAutomataRecipe {
    /// The job; an error if options contradict one another.
    pub fn job(&self) -> Result<HeadAutomataJob, OptionError> {
        self.check()?;
        let tags = match self.method {
            HeadAutomataMethod::Spectral => {
                let usual = SpectralConfig::default();
                TagModel::Spectral(SpectralConfig {
                    states: self.states.unwrap_or(usual.states),
                    mixture: self.mixture.unwrap_or(usual.mixture),
                    ..usual
                })
            }
            HeadAutomataMethod::Em => {
                let usual = EmConfig::default();
                TagModel::Em(EmConfig {
                    states: self.states.unwrap_or(usual.states),
                    steps: self.em_steps.unwrap_or(usual.steps),
                    mixture: self.mixture.unwrap_or(usual.mixture),
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
            weight: self.weight.unwrap_or(usual.weight),
            ..usual
        });
        let config =
            HeadAutomataConfig { alphabet: self.alphabet, tags, lexical, ..HeadAutomataConfig::default() };
        let lexical_weight = match (self.words, self.weight) {
            (Some(_), None) => LexicalWeight::ByDev,
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
        let hidden = matches!(self.method, HeadAutomataMethod::Spectral | HeadAutomataMethod::Em);
        let for_hidden = [("states", self.states.is_some()), ("mixture", self.mixture.is_some())];
        if let Some((option, _)) = for_hidden.into_iter().find(|&(_, given)| given && !hidden) {
            return Err(OptionError::new(option, "applies only to the learners spectral and em"));
        }
        if self.em_steps.is_some() && self.method != HeadAutomataMethod::Em {
            return Err(OptionError::new("em-steps", "applies only to the learner em"));
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
        assert_eq!(job.config.lexical.map(|lexical| lexical.weight), Some(2.0));
    }
}
