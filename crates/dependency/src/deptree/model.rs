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

    /// `log p̂` of the words of a tree.
    pub fn score(&self, tree: &TreeWords, scratch: &mut Scratch) -> Score {
        let symbols = tree.words().map(|(form, tag)| self.observations.of_word(form, tag) as u32).collect();
        self.score_sites(&TreeSites::new(symbols, tree.tree()), scratch)
    }

    pub(super) fn dual(&self, symbol: usize) -> &[f64] {
        &self.duals[symbol * self.dimension..][..self.dimension]
    }
}
