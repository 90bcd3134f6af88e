//! The parameters of one latent-variable grammar.

use linalg::Scalar;

use super::profiles::Profiles;
use super::state_summary::StateSummary;

/// Tensors of rules, vectors of roots and words, in the basis of each symbol's states.
///
/// The tensor of a rule `a → b c` has `m_a` rows. Each row is the flattened `m_b × m_c` matrix of the children's
/// states, padded with zeros to a multiple of [`LANES`] so that rows are sums of whole vectors.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Parameters<T> {
    /// The number of states of each symbol.
    pub(super) dims: Vec<u32>,
    /// The start of each rule's tensor; one more entry than rules.
    pub(super) offsets: Vec<u64>,
    pub(super) tensors: Vec<T>,
    /// The start of each symbol's root vector; one more entry than symbols. Symbols that cannot be roots have none.
    pub(super) root_offsets: Vec<u32>,
    pub(super) roots: Vec<T>,
    pub(super) profiles: Profiles<T>,
    /// Describes the states for inspection; parsing does not use it.
    pub(super) summary: StateSummary,
}

/// Rows of tensors are padded to a multiple of this.
pub(super) const LANES: usize = 8;

/// The length of a tensor's rows.
#[inline]
pub(super) fn row_length(left: usize, right: usize) -> usize {
    (left * right).next_multiple_of(LANES)
}

impl Parameters<f32> {
    /// Rounds the tensors to 8 significant bits, to the even neighbour in the middle.
    pub(super) fn round_to_half(&mut self) {
        for value in &mut self.tensors {
            let bits = value.to_bits();
            *value = f32::from_bits(bits.wrapping_add(0x7fff + (bits >> 16 & 1)) & 0xffff_0000);
        }
    }
}

impl<T: Scalar> Parameters<T> {
    /// The number of states of a symbol.
    #[inline]
    pub(super) fn dim(&self, symbol: usize) -> usize {
        self.dims[symbol] as usize
    }

    /// The tensor of a rule.
    #[inline]
    pub(super) fn tensor(&self, rule: usize) -> &[T] {
        &self.tensors[self.offsets[rule] as usize..self.offsets[rule + 1] as usize]
    }

    /// The root vector of a symbol; empty if it cannot be a root.
    #[inline]
    pub(super) fn root(&self, symbol: usize) -> &[T] {
        &self.roots[self.root_offsets[symbol] as usize..self.root_offsets[symbol + 1] as usize]
    }
}
