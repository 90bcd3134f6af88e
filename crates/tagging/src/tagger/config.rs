//! How a tagger is learnt.

use serde::{Deserialize, Serialize};

/// Which features there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Template {
    /// Those of parts of speech and morphology.
    Tags,
    /// Those of entities (Ratinov and Roth 2009): a window of two words to each side, shapes, affixes, gazetteers.
    Entities,
}

/// What learning climbs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Objective {
    /// The likelihood of the labels: a conditional random field. Its confidences are probabilities.
    Likelihood,
    /// The labels themselves: the structured perceptron of Collins (2002). Its confidences are too high.
    Perceptron,
}

/// How a tagger is learnt. The defaults were chosen on the development part of UD English-EWT.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TaggerConfig {
    /// Which features.
    pub template: Template,
    /// What is climbed.
    pub objective: Objective,
    /// Passes over the data.
    pub passes: usize,
    /// Features seen less often are left out.
    pub least_count: u32,
    /// η, the length of a step.
    pub rate: f32,
    /// δ: keeps the first steps short.
    pub damping: f32,
    /// A sentence whose labels all have but this of the probability is not visited again.
    pub certain: f32,
    /// Words seen less often belong to the class of their ending and shape, not of their labels.
    pub class_count: u32,
    /// Labels with a smaller share of the word do not count for its class.
    pub class_share: f64,
    /// Words seen at least as often take only the labels that they were seen with.
    pub closed_count: u32,
    /// How many labels of other words are looked at, those of the highest scores.
    pub candidates: usize,
    /// Labels whose score is this much below the best of the word are not looked at either.
    pub beam: f32,
    /// σ: the standard deviation of the numbers of word vectors, if there are any. Of 0.03, 0.1 and 0.3, all of which help, this does no harm anywhere beside clusters.
    pub vector_scale: f32,
    /// The seed of the order in which sentences are visited.
    pub seed: u64,
}

impl Default for TaggerConfig {
    fn default() -> Self {
        Self {
            template: Template::Tags,
            objective: Objective::Likelihood,
            passes: 10,
            least_count: 2,
            rate: 0.1,
            damping: 0.1,
            certain: 0.01,
            class_count: 8,
            class_share: 0.02,
            closed_count: 20,
            candidates: 24,
            beam: 8.0,
            vector_scale: 0.1,
            seed: 1,
        }
    }
}

impl TaggerConfig {
    /// For entities. All labels are looked at: what begins must be able to end.
    pub fn entities() -> Self {
        Self {
            template: Template::Entities,
            candidates: usize::from(u16::MAX),
            closed_count: u32::MAX,
            beam: 1e9,
            ..Self::default()
        }
    }
}
