//! Configuration of a tagger.

use serde::{Deserialize, Serialize};

use super::network::NetworkConfig;
use models::quality::Quality;

/// The set of features.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Template {
    /// Features for parts of speech and morphology.
    Tags,
    /// Features for entities (Ratinov and Roth 2009): a window of two words to each side, shapes, affixes, gazetteers.
    Entities,
}

/// The training objective.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Objective {
    /// The likelihood of the labels: a conditional random field. Its confidences are probabilities.
    Likelihood,
    /// The structured perceptron of Collins (2002). Its confidences are too high.
    Perceptron,
    /// The greedy perceptron of Ratinov and Roth (2009): words are labelled from left to right, each by its best label after
    /// the label before it. Lists and confidences are those of whole sequences.
    Greedy,
}

/// How columns are decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// Each column on its own. Models of earlier versions are of this kind.
    #[default]
    Separate,
    /// UPOS, XPOS and FEATS together.
    Joint,
}

/// Configuration of a tagger. The defaults were chosen on the development set of UD English-EWT.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TaggerConfig {
    /// The set of features.
    pub template: Template,
    /// The training objective.
    pub objective: Objective,
    /// How columns are decided.
    #[serde(default)]
    pub layout: Layout,
    /// Passes over the data.
    pub passes: usize,
    /// Features seen less often than this are dropped.
    pub least_count: u32,
    /// η, the step size.
    pub rate: f32,
    /// δ, keeps the first steps short.
    pub damping: f32,
    /// A sentence is not visited again once all its labels have all but this much of the probability.
    pub certain: f32,
    /// Words seen less often get the class of their suffix and shape instead of the class of their labels.
    pub class_count: u32,
    /// Labels with a smaller share of the word do not enter its class.
    pub class_share: f64,
    /// Words seen at least this often get only labels that they were seen with.
    pub closed_count: u32,
    /// Number of labels considered for other words, those with the highest scores.
    pub candidates: usize,
    /// Labels whose score is this far below the best one of the word are not considered either.
    pub beam: f32,
    /// New combinations of labels, made by analogy, for each that the data has; at most.
    #[serde(default)]
    pub new_combinations: f64,
    /// σ: the standard deviation of the components of word vectors, if any. Of 0.03, 0.1 and 0.3, all of which help,
    /// this value never hurts when combined with clusters.
    pub vector_scale: f32,
    /// Networks that score beside the features, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkConfig>,
    /// Seed of the order of sentences, and of the networks' first weights.
    pub seed: u64,
}

impl Default for TaggerConfig {
    fn default() -> Self {
        Self {
            template: Template::Tags,
            objective: Objective::Likelihood,
            layout: Layout::Joint,
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
            new_combinations: 1.0,
            vector_scale: 0.1,
            network: Some(NetworkConfig::default()),
            seed: 1,
        }
    }
}

impl TaggerConfig {
    /// The recipe of a quality level: without networks, with one, with three.
    pub fn quality(quality: Quality) -> Self {
        Self::default().with_networks(match quality {
            Quality::Fast => 0,
            Quality::Balanced => 1,
            Quality::Best => 3,
        })
    }

    /// The same with this number of networks.
    pub fn with_networks(self, members: usize) -> Self {
        let network = NetworkConfig { members, ..self.network.unwrap_or_default() };
        Self { network: (members > 0).then_some(network), ..self }
    }

    /// Configuration for entities. All labels are considered, since an entity that begins must be able to end.
    pub fn entities() -> Self {
        Self {
            network: None,
            template: Template::Entities,
            candidates: usize::from(u16::MAX),
            closed_count: u32::MAX,
            beam: 1e9,
            ..Self::default()
        }
    }
}
