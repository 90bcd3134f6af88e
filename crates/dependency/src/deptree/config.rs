//! Configuration of the learners.

use models::constants::{Constants, Departure};

/// The symbol that represents a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Observe {
    /// Its form in lower case; for rare words, its tag.
    Words,
    /// Its tag.
    Tags,
    /// Its tag and form if the form is frequent, otherwise its tag.
    #[default]
    Both,
}

/// Configuration of the spectral learner.
#[derive(Clone, PartialEq, Debug)]
pub struct DeptreeConfig {
    /// The symbols that represent words.
    pub observe: Observe,
    /// Forms that occur less often are represented by their tag.
    pub min_count: u64,
    /// The dimension k of the embedding, which is the number of hidden states; the maximum if held-out trees choose.
    pub dimension: usize,
    /// Whether held-out trees may choose fewer states.
    pub states: StateChoice,
    /// What words are embedded by.
    pub neighbours: Neighbours,
    /// The estimator of the operators.
    pub estimator: Estimator,
    /// The triples of words that the operators are estimated from.
    pub triples: Triples,
    /// Share of a symbol's own probability mixed into the emissions of each state, so that few words are impossible in
    /// any state.
    pub prior: f64,
    /// Pseudo-count κ added when the embedding is learnt.
    pub kappa: f64,
    /// Regularisation of the inverses.
    pub shrinkage: Shrinkage,
}

/// Whether held-out trees may choose fewer states than were asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StateChoice {
    /// The number is a maximum if [`Shrinkage::HeldOut`] is chosen.
    #[default]
    UpTo,
    /// Exactly that number.
    Exactly,
}

/// The neighbours by which words are embedded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Neighbours {
    /// Heads and children in the trees.
    #[default]
    Trees,
    /// The words before and after in the sentences.
    Sentences,
    /// None: vectors of words are given, such as those of a larger text, as in the paper.
    Given,
}

/// The estimator of the operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Estimator {
    /// Each mean is over its own kind of sites.
    #[default]
    BySite,
    /// As printed in Dhillon et al. (2012): one prior for roots, left and right children, and duals of words without
    /// weights.
    OnePrior,
}

/// The triples of words that the operators are estimated from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Triples {
    /// Heads with a child on each side, as in the paper.
    #[default]
    Siblings,
    /// And words with a child and a head.
    Both,
}

/// Singular values `s` are inverted as `s / (s² + λ²)`, with `λ` a fraction of the largest one.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Shrinkage {
    /// This fraction; 0 inverts without regularisation.
    Part(f64),
    /// Chooses the fraction and the dimension by the likelihood of held-out trees, every tenth one.
    #[default]
    HeldOut,
}

impl Default for DeptreeConfig {
    fn default() -> Self {
        Self {
            observe: Observe::default(),
            min_count: 20,
            dimension: 10,
            states: StateChoice::default(),
            neighbours: Neighbours::default(),
            estimator: Estimator::default(),
            triples: Triples::default(),
            prior: 0.1,
            kappa: 20.0,
            shrinkage: Shrinkage::default(),
        }
    }
}

impl DeptreeConfig {
    /// The method of Dhillon et al. (2012): given vectors of words, exactly k = 10 states, the printed estimator, no
    /// regularisation.
    pub fn paper() -> Self {
        Self {
            observe: Observe::Words,
            min_count: 1,
            dimension: 10,
            states: StateChoice::Exactly,
            neighbours: Neighbours::Given,
            estimator: Estimator::OnePrior,
            triples: Triples::Siblings,
            prior: 0.0,
            kappa: 0.0,
            shrinkage: Shrinkage::Part(0.0),
        }
    }

    /// All constants that determine the model, by name.
    pub fn constants(&self) -> Constants {
        let observe = match self.observe {
            Observe::Words => "words",
            Observe::Tags => "tags",
            Observe::Both => "tags and words",
        };
        let shrinkage = match self.shrinkage {
            Shrinkage::Part(part) => part.to_string(),
            Shrinkage::HeldOut => "by held-out trees".to_owned(),
        };
        let embedding = match self.neighbours {
            Neighbours::Trees => "trees",
            Neighbours::Sentences => "sentences",
            Neighbours::Given => "given vectors",
        };
        Constants::default()
            .fixed("observed", observe)
            .chosen("least count of words", self.min_count)
            .chosen("states", self.dimension)
            .fixed("choice of states", if self.states == StateChoice::Exactly { "exactly" } else { "up to" })
            .fixed("embedding", embedding)
            .fixed("estimator", if self.estimator == Estimator::BySite { "by site" } else { "one prior" })
            .fixed(
                "triples",
                if self.triples == Triples::Siblings { "siblings" } else { "siblings and chains" },
            )
            .fixed("share of the prior", self.prior)
            .fixed("κ", self.kappa)
            .fixed("shrinkage", shrinkage)
    }

    /// Where this configuration departs from Dhillon et al. (2012); empty if it is exactly theirs.
    pub fn departures(&self) -> Vec<Departure> {
        self.constants().departures(&Self::paper().constants())
    }
}

/// Configuration of the EM learner.
#[derive(Clone, PartialEq, Debug)]
pub struct EmConfig {
    /// The symbols that represent words.
    pub observe: Observe,
    /// Forms that occur less often are represented by their tag.
    pub min_count: u64,
    /// Number of hidden states.
    pub states: usize,
    /// Number of EM steps.
    pub steps: usize,
    /// Where EM starts.
    pub start: EmStart,
    /// Whether numbers of children are part of the probability.
    pub children: Children,
    /// Seed of the start.
    pub seed: u64,
}

/// Whether numbers of children are part of the probability.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Children {
    /// The tree is given, as in Dhillon et al. (2012): `p(x | tree)`.
    #[default]
    Given,
    /// A state also has probabilities of numbers of left and right children, and the nearest child on each side has steps of
    /// its own: `p(tree, x)`.
    Counted,
}

/// Where EM starts.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum EmStart {
    /// At random parameters.
    #[default]
    Random,
    /// At the counts of hard states: symbols are embedded as for the spectral method, and clustered.
    Spectral {
        /// Pseudo-count κ added when the embedding is learnt.
        kappa: f64,
    },
}

impl Default for EmConfig {
    fn default() -> Self {
        let spectral = DeptreeConfig::default();
        Self {
            observe: spectral.observe,
            min_count: spectral.min_count,
            states: 10,
            steps: 30,
            start: EmStart::Random,
            children: Children::Given,
            seed: 1,
        }
    }
}

impl EmConfig {
    /// EM with 60 states from a spectral start, which counts children and knows all words that occur twice.
    pub fn from_spectral() -> Self {
        let start = EmStart::Spectral { kappa: DeptreeConfig::default().kappa };
        let (states, steps, min_count) = (60, 20, 2);
        Self { states, steps, min_count, start, children: Children::Counted, ..Self::default() }
    }

    /// All constants that determine the model, by name.
    pub fn constants(&self) -> Constants {
        let observe = match self.observe {
            Observe::Words => "words",
            Observe::Tags => "tags",
            Observe::Both => "tags and words",
        };
        let start = match self.start {
            EmStart::Random => "random".to_owned(),
            EmStart::Spectral { kappa } => format!("spectral clusters, κ {kappa}"),
        };
        Constants::default()
            .fixed("observed", observe)
            .chosen("least count of words", self.min_count)
            .chosen("states", self.states)
            .fixed("learner", "em")
            .chosen("EM steps", self.steps)
            .fixed("start", start)
            .fixed("children", if self.children == Children::Given { "given" } else { "counted" })
            .chosen("seed", self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_departs_from_nothing_and_our_default_in_what_it_adds() {
        assert!(DeptreeConfig { dimension: 20, ..DeptreeConfig::paper() }.departures().is_empty());
        let names: Vec<&str> = DeptreeConfig::default().departures().iter().map(|d| d.name).collect();
        let expected = [
            "observed",
            "choice of states",
            "embedding",
            "estimator",
            "share of the prior",
            "κ",
            "shrinkage",
        ];
        assert_eq!(names, expected);
    }
}
