//! The numbers of one latent-variable grammar.

use linalg::Scalar;

use super::profiles::Profiles;
use super::state_summary::StateSummary;

/// Tensors of rules, vectors of roots and words, in the basis of each symbol's states.
///
/// The tensor of a rule `a → b c` has `m_a` rows, each with the `m_b × m_c` matrix of the children's states flattened and
/// filled up with zeros to a multiple of [`LANES`], so that rows are sums of whole vectors.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Parameters<T> {
    /// How many states each symbol has.
    pub(super) dims: Vec<u32>,
    /// Where the tensor of each rule starts; one more than there are rules.
    pub(super) offsets: Vec<u64>,
    pub(super) tensors: Vec<T>,
    /// Where the root vector of each symbol starts; one more than there are symbols. Symbols that are no roots have none.
    pub(super) root_offsets: Vec<u32>,
    pub(super) roots: Vec<T>,
    pub(super) profiles: Profiles<T>,
    /// For those who want to see the states; no parse depends on it.
    pub(super) summary: StateSummary,
}

/// Rows of tensors are padded to a multiple of this.
pub(super) const LANES: usize = 8;

/// The length of a tensor's rows.
#[inline]
pub(super) fn row_length(left: usize, right: usize) -> usize {
    (left * right).next_multiple_of(LANES)
}

impl<T: Scalar> Parameters<T> {
    /// How many states a symbol has.
    #[inline]
    pub(super) fn dim(&self, symbol: usize) -> usize {
        self.dims[symbol] as usize
    }

    /// The tensor of a rule.
    #[inline]
    pub(super) fn tensor(&self, rule: usize) -> &[T] {
        &self.tensors[self.offsets[rule] as usize..self.offsets[rule + 1] as usize]
    }

    /// The root vector of a symbol; empty if it is none.
    #[inline]
    pub(super) fn root(&self, symbol: usize) -> &[T] {
        &self.roots[self.root_offsets[symbol] as usize..self.root_offsets[symbol + 1] as usize]
    }
}
