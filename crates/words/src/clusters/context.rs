//! The context matrix: the words near each word.
//!
//! ```text
//! Ω̂ = diag(û)^{-1/2} [ B̂_1 … B̂_p ] diag(v̂)^{-1/2}      (Stratos et al. 2014, Figure 4, Section 6.1, Appendix A)
//! ```
//!
//! `B̂_i(x, y)` counts how often `y` occurs at the `i`-th of `p` positions near `x`: 1 to `k` positions after it
//! (context R`k`), or also before it (LR`k`). [`BlockMoment`] is Ω̂ as an operator, with κ and transforms.

use std::fmt;
use std::str::FromStr;

use corpus::cooccurrence::PairCounts;
use linalg::{Scalar, SparseError};
use spectral::decompose::{Block, BlockMoment, SquareCounts};

use super::config::SpectralConfig;

/// The neighbouring words that describe a word. `Display` and `FromStr` use forms such as `r1`, `lr2`.
///
/// ```
/// use eigentree_words::clusters::Context;
/// assert_eq!("LR2".parse(), Ok(Context::Both(2)));
/// assert_eq!(Context::Right(1).to_string(), "r1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Context {
    /// Words up to this distance after it.
    Right(usize),
    /// Words up to this distance before and after it.
    Both(usize),
}

impl Context {
    /// The maximum distance.
    pub fn distance(self) -> usize {
        match self {
            Self::Right(distance) | Self::Both(distance) => distance,
        }
    }

    /// The positions as blocks of Ω̂; tables are numbered by distance, from 0.
    fn blocks(self) -> Vec<Block> {
        match self {
            Self::Right(distance) => (0..distance).map(Block::Counted).collect(),
            Self::Both(distance) => {
                (0..distance).flat_map(|table| [Block::Transposed(table), Block::Counted(table)]).collect()
            }
        }
    }
}

impl fmt::Display for Context {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Right(distance) => write!(formatter, "r{distance}"),
            Self::Both(distance) => write!(formatter, "lr{distance}"),
        }
    }
}

/// Error of parsing a context.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("invalid context; write r or lr and a distance of at least 1, such as r1, lr1 or lr2")]
pub struct ContextError;

impl FromStr for Context {
    type Err = ContextError;

    fn from_str(text: &str) -> Result<Self, ContextError> {
        let text = text.to_ascii_lowercase();
        let (kind, distance): (fn(usize) -> Self, _) = match (text.strip_prefix("lr"), text.strip_prefix('r'))
        {
            (Some(distance), _) => (Self::Both, distance),
            (None, Some(distance)) => (Self::Right, distance),
            (None, None) => return Err(ContextError),
        };
        let distance = distance.parse().map_err(|_| ContextError)?;
        if distance == 0 { Err(ContextError) } else { Ok(kind(distance)) }
    }
}

/// Ω̂ of a text, from the counts at each distance: at least as many as the context needs.
pub(super) fn context_moment<T: Scalar>(
    pairs: &[PairCounts],
    config: &SpectralConfig,
) -> Result<BlockMoment<T>, SparseError> {
    let tables: Vec<SquareCounts<'_>> = pairs[..config.context.distance()]
        .iter()
        .map(|pairs| SquareCounts {
            offsets: pairs.offsets(),
            columns: pairs.right(),
            counts: pairs.counts(),
        })
        .collect();
    BlockMoment::new(&tables, config.context.blocks(), config.kappa, config.transform)
}

#[cfg(test)]
mod tests {
    use linalg::{LinearOperator, Panel};
    use spectral::moments::CountTransform;

    use super::*;
    use crate::clusters::truth::random_counts;

    /// Compares the operator with the explicit matrix.
    #[test]
    fn it_is_the_matrix_of_its_definition() {
        let words = 40;
        let pairs = [random_counts(words, 0.2, 1), random_counts(words, 0.3, 2)];
        let sums: Vec<_> = pairs.iter().map(|pairs| [pairs.left_sums(), pairs.right_sums()]).collect();
        for (context, blocks) in [
            (Context::Right(1), vec![(0, true)]),
            (Context::Both(1), vec![(0, false), (0, true)]),
            (Context::Both(2), vec![(0, false), (0, true), (1, false), (1, true)]),
        ] {
            let transform = CountTransform::SQUARE_ROOT;
            let config = SpectralConfig { context, kappa: 3.0, transform, ..SpectralConfig::paper() };
            let matrix = context_moment::<f64>(&pairs, &config).unwrap();
            assert_eq!((matrix.nrows(), matrix.ncols()), (words, blocks.len() * words));
            let identity = |size| Panel::from_fn(size, size, |i, j| f64::from(u8::from(i == j)));
            let [mut forth, mut back] = [Panel::zeros(0, 0), Panel::zeros(0, 0)];
            matrix.apply(&identity(matrix.ncols()), &mut forth);
            matrix.apply_transpose(&identity(words), &mut back);
            for x in 0..words {
                let own = |&(d, after): &(usize, bool)| sums[d][usize::from(!after)][x] as f64;
                let count = blocks.iter().map(own).sum::<f64>() / blocks.len() as f64;
                for (at, &(d, after)) in blocks.iter().enumerate() {
                    for (y, &other) in sums[d][usize::from(after)].iter().enumerate() {
                        let joint = if after { pairs[d].get(x, y) } else { pairs[d].get(y, x) };
                        let scale = ((count + 3.0) * (other as f64 + 3.0)).powf(0.25);
                        let expected = (joint as f64).sqrt() / scale;
                        let column = at * words + y;
                        assert!((forth.row(x)[column] - expected).abs() < 1e-12, "{context}");
                        assert!((back.row(column)[x] - expected).abs() < 1e-12, "{context}");
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_read_back() {
        for context in [Context::Right(1), Context::Both(1), Context::Both(12)] {
            assert_eq!(context.to_string().parse(), Ok(context));
        }
        for text in ["", "r", "lr0", "r-1", "l2", "lr2x"] {
            assert_eq!(text.parse::<Context>(), Err(ContextError), "{text}");
        }
    }
}
