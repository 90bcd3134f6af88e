//! Configuration of the learners.

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
    /// Pseudo-count κ added when the embedding is learnt.
    pub kappa: f64,
    /// Regularisation of the inverses.
    pub shrinkage: Shrinkage,
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
            kappa: 20.0,
            shrinkage: Shrinkage::default(),
        }
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
    /// Seed of the random start.
    pub seed: u64,
}

impl Default for EmConfig {
    fn default() -> Self {
        let spectral = DeptreeConfig::default();
        Self { observe: spectral.observe, min_count: spectral.min_count, states: 10, steps: 30, seed: 1 }
    }
}
