//! What can be chosen.

/// What a word shows of itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Observe {
    /// Its form, in lower case; rare ones their tag.
    Words,
    /// Its tag.
    Tags,
    /// Its tag and its form if that is frequent, else its tag.
    #[default]
    Both,
}

/// How the spectral learner works.
#[derive(Clone, PartialEq, Debug)]
pub struct DeptreeConfig {
    /// What words show.
    pub observe: Observe,
    /// A form that occurs less often shows its tag.
    pub min_count: u64,
    /// The dimension k of the embedding, which is the number of hidden states; the most there may be where held-out trees choose.
    pub dimension: usize,
    /// What is added to counts when the embedding is learnt (κ).
    pub kappa: f64,
    /// How the inverses are kept in bounds.
    pub shrinkage: Shrinkage,
}

/// Inverses of singular values `s` are `s / (s² + λ²)`, with `λ` a part of the largest one.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Shrinkage {
    /// This part; 0 inverts them as they are.
    Part(f64),
    /// The part and the dimension are those under which every tenth tree, held out, is most probable.
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

/// How EM works.
#[derive(Clone, PartialEq, Debug)]
pub struct EmConfig {
    /// What words show.
    pub observe: Observe,
    /// A form that occurs less often shows its tag.
    pub min_count: u64,
    /// How many hidden states there are.
    pub states: usize,
    /// How many steps are taken.
    pub steps: usize,
    /// Of the random beginning.
    pub seed: u64,
}

impl Default for EmConfig {
    fn default() -> Self {
        let spectral = DeptreeConfig::default();
        Self { observe: spectral.observe, min_count: spectral.min_count, states: 10, steps: 30, seed: 1 }
    }
}
