//! The part of a chart that a coarse pass leaves to a fine one.

use super::Triangle;

/// For each span, the coarse symbols whose posterior is not negligible.
#[derive(Clone, Debug, Default)]
pub struct Mask {
    pub(super) triangle: Triangle,
    /// The symbols of cell `c` are `symbols[starts[c]..starts[c + 1]]`: phrases, or preterminals (from 0) in cells of
    /// one word.
    pub(super) starts: Vec<u32>,
    pub(super) symbols: Vec<u32>,
}

impl Mask {
    /// The chart geometry.
    pub fn triangle(&self) -> Triangle {
        self.triangle
    }

    /// The symbols allowed over the span `start..end`.
    #[inline]
    pub fn symbols(&self, start: usize, end: usize) -> &[u32] {
        let cell = self.triangle.cell(start, end);
        &self.symbols[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }

    /// The total number of symbols left over all spans.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    pub(super) fn clear(&mut self, triangle: Triangle) {
        self.triangle = triangle;
        self.starts.clear();
        self.symbols.clear();
        self.starts.push(0);
    }

    /// Closes the next cell, in the order of cell numbers.
    pub(super) fn end_cell(&mut self) {
        self.starts.push(self.symbols.len() as u32);
    }
}

/// What an upward pass may build.
#[derive(Clone, Copy, Debug)]
pub enum Allowed<'m> {
    /// Everything.
    All,
    /// In each span, the fine phrases of the coarse ones in the mask.
    Masked {
        /// Coarse symbols per span.
        mask: &'m Mask,
        /// For each coarse phrase, its fine phrases.
        members: &'m [Vec<u32>],
    },
}

impl Allowed<'_> {
    /// Lists the phrases of the grammar allowed in a span.
    #[inline(always)]
    pub(super) fn list_phrases(self, phrases: usize, start: usize, end: usize, list: &mut Vec<u32>) {
        list.clear();
        match self {
            Allowed::All => list.extend(0..phrases as u32),
            Allowed::Masked { mask, members } => {
                for &coarse in mask.symbols(start, end) {
                    list.extend_from_slice(&members[coarse as usize]);
                }
            }
        }
    }

    /// Whether nothing is allowed over a span of two or more words.
    pub(super) fn is_empty(self, start: usize, end: usize) -> bool {
        match self {
            Allowed::All => false,
            Allowed::Masked { mask, .. } => mask.symbols(start, end).is_empty(),
        }
    }
}
