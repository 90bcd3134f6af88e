//! The latent tree model.

use std::borrow::Cow;

use super::valences::Valences;
use super::{Children, Conditioning, Observations, Score, Scratch, TreeSites, TreeWords};

/// A latent tree model in some basis: that of `G` if it was learnt by the spectral method, that of the states if by EM.
#[derive(Clone, Debug)]
pub struct Deptree {
    pub(super) observations: Observations,
    pub(super) dimension: usize,
    pub(super) operators: Operators,
    /// `y_x`, `dimension` values per symbol.
    pub(super) duals: Vec<f64>,
    /// The probabilities of numbers of children, if the model has them.
    pub(super) valences: Option<Valences>,
    pub(super) conditioning: Conditioning,
}

/// `c₁`, `c∞`, `E_L`, `E_R` and `D`; matrices in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Operators {
    pub(super) start: Vec<f64>,
    pub(super) end: Vec<f64>,
    /// By side of the child; or by side for nearest children, then by side for further ones.
    pub(super) steps: Vec<Vec<f64>>,
    pub(super) product: Product,
}

/// The tensor `D`.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Product {
    /// In the basis of the states: `D(y) = diag(y)`.
    Diagonal,
    /// `D(y)_ij = Σ_l y_l · product[i][l][j]`.
    Dense(Vec<f64>),
}

impl Product {
    /// The tensor with these k³ entries.
    pub(super) fn new(entries: Vec<f64>, k: usize) -> Self {
        match entries == Self::diagonal(k) {
            true => Self::Diagonal,
            false => Self::Dense(entries),
        }
    }

    /// All k³ entries.
    pub(super) fn entries(&self, k: usize) -> Cow<'_, [f64]> {
        match self {
            Self::Diagonal => Self::diagonal(k).into(),
            Self::Dense(entries) => entries[..].into(),
        }
    }

    fn diagonal(k: usize) -> Vec<f64> {
        let mut entries = vec![0.0; k * k * k];
        entries.iter_mut().step_by(k * k + k + 1).for_each(|entry| *entry = 1.0);
        entries
    }
}

impl Deptree {
    /// The symbols that represent words.
    pub fn observations(&self) -> &Observations {
        &self.observations
    }

    /// The number of hidden states.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Whether numbers of children are part of the probability.
    pub fn children(&self) -> Children {
        if self.valences.is_some() { Children::Counted } else { Children::Given }
    }

    /// The condition numbers that the learner found; all zeros if nothing was inverted.
    pub fn conditioning(&self) -> Conditioning {
        self.conditioning
    }

    /// Λ of theorem 3.1 of Dhillon et al. (2012): the least magnitude of an entry of the operators.
    pub fn least_parameter(&self) -> f64 {
        let Operators { start, end, steps, product } = &self.operators;
        let product = product.entries(self.dimension);
        let all = start.iter().chain(end).chain(steps.iter().flatten()).chain(&*product);
        all.map(|value| value.abs()).fold(f64::INFINITY, f64::min)
    }

    /// The number of triples for which theorem 3.1 makes the probability of a tree of `words` words in `levels` levels
    /// right within a factor 1 ± ε, with probability 1 − δ (equation 7): infinitely many if a parameter or a singular value
    /// is 0. `None` if the file does not tell the singular values.
    pub fn samples(&self, words: usize, levels: usize, epsilon: f64, delta: f64) -> Option<f64> {
        let (k, s) = (self.dimension as f64, (12 * words + 2 * levels) as f64);
        let (least, sigma) = (self.least_parameter(), self.conditioning.least);
        let exact = (epsilon / s) / ((1.0 + epsilon).powf(1.0 / s) - 1.0);
        let scale = 128.0 * (k * s / (epsilon * least * sigma * sigma)).powi(2);
        (!sigma.is_nan()).then(|| scale * (2.0 * k / delta).ln() * exact * exact)
    }

    /// `log p̂` of the words of a tree.
    pub fn score(&self, tree: &TreeWords, scratch: &mut Scratch) -> Score {
        let symbols = tree.words().map(|(form, tag)| self.observations.of_word(form, tag) as u32).collect();
        self.score_sites(&TreeSites::new(symbols, tree.tree()), scratch)
    }

    pub(super) fn dual(&self, symbol: usize) -> &[f64] {
        &self.duals[symbol * self.dimension..][..self.dimension]
    }
}
