//! The latent tree model.

use super::{Conditioning, Observations, Score, Scratch, TreeSites, TreeWords};

/// A latent tree model in some basis: that of `G` if it was learnt by the spectral method, that of the states if by EM.
#[derive(Clone, Debug)]
pub struct Deptree {
    pub(super) observations: Observations,
    pub(super) dimension: usize,
    pub(super) operators: Operators,
    /// `y_x`, `dimension` values per symbol.
    pub(super) duals: Vec<f64>,
    pub(super) conditioning: Conditioning,
}

/// `c₁`, `c∞`, `E_L`, `E_R` and `D`; matrices in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Operators {
    pub(super) start: Vec<f64>,
    pub(super) end: Vec<f64>,
    /// By side of the child.
    pub(super) steps: [Vec<f64>; 2],
    /// `D(y)_ij = Σ_l y_l · product[i][l][j]`.
    pub(super) product: Vec<f64>,
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

    /// The condition numbers that the learner found; all zeros if nothing was inverted.
    pub fn conditioning(&self) -> Conditioning {
        self.conditioning
    }

    /// Λ of theorem 3.1 of Dhillon et al. (2012): the least magnitude of an entry of the operators.
    pub fn least_parameter(&self) -> f64 {
        let Operators { start, end, steps, product } = &self.operators;
        let all = start.iter().chain(end).chain(&steps[0]).chain(&steps[1]).chain(product);
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
