//! Configuration of the truncated SVD.

use super::error::SvdError;

/// What to do if the operator has fewer singular values than requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RankPolicy {
    /// Fail with [`SvdError::RankDeficient`] or [`SvdError::RankTooLarge`].
    #[default]
    Exact,
    /// Return as many triplets as the numerical rank allows, at least one.
    AtMost,
}

/// The configuration of [`truncated_svd`](super::truncated_svd).
#[derive(Debug, Clone, PartialEq)]
pub struct SvdConfig {
    /// Number of singular triplets, at least 1.
    pub rank: usize,
    /// Whether fewer triplets are an error.
    pub rank_policy: RankPolicy,
    /// Vectors per block. Wide blocks use memory bandwidth better and find repeated singular values; narrow blocks need
    /// fewer products in total. `None`: 8 for ranks up to 48, 16 up to 128, 32 above.
    pub block: Option<usize>,
    /// Maximum dimension of the Krylov space before a restart. It bounds the memory, at this many vectors of the
    /// shorter side. `None`: `4 rank + 16 block`.
    pub max_dimension: Option<usize>,
    /// Largest accepted `‖A v_i − σ_i u_i‖ / σ_1`, in (0, 1). Accuracy beyond the reach of rounding is not required:
    /// the bound is never below `16 ε σ_1 / σ_i`.
    pub tolerance: f64,
    /// Maximum number of restarts of the basis. If they do not suffice, the result is returned with
    /// [`Svd::converged`](super::Svd::converged) false.
    pub max_restarts: usize,
    /// Seed of the random first block.
    pub seed: u64,
}

impl SvdConfig {
    /// The default configuration for a rank.
    pub fn with_rank(rank: usize) -> Self {
        SvdConfig { rank, ..SvdConfig::default() }
    }

    /// Checks the values and fills in the defaults for an operator of the given shape.
    pub(super) fn resolve(&self, nrows: usize, ncols: usize) -> Result<Plan, SvdError> {
        let size = nrows.min(ncols);
        if size == 0 {
            return Err(SvdError::Empty { nrows, ncols });
        }
        if self.rank == 0 {
            return Err(SvdError::Config { field: "rank", expected: "at least 1" });
        }
        if self.block == Some(0) {
            return Err(SvdError::Config { field: "block", expected: "at least 1" });
        }
        if !(self.tolerance > 0.0 && self.tolerance < 1.0) {
            return Err(SvdError::Config { field: "tolerance", expected: "above 0 and below 1" });
        }
        let rank = match self.rank_policy {
            RankPolicy::Exact if self.rank > size => {
                return Err(SvdError::RankTooLarge { rank: self.rank, nrows, ncols });
            }
            _ => self.rank.min(size),
        };
        let block = self.block.unwrap_or(match rank {
            0..=48 => 8,
            49..=128 => 16,
            _ => 32,
        });
        if size <= rank.saturating_add(block).saturating_mul(2) {
            return Ok(Plan::Full { rank });
        }
        // Room for the wanted vectors, some spare ones and a few new blocks, whatever was requested; but never so many
        // that the next block has no room in the space.
        let least = rank + (rank / 4).max(2 * block) + 4 * block;
        let dimension = self
            .max_dimension
            .unwrap_or(4 * rank + 16 * block)
            .max(least)
            .min(size - block)
            .max(rank + block);
        Ok(Plan::Krylov { rank, block, dimension })
    }
}

impl Default for SvdConfig {
    fn default() -> Self {
        SvdConfig {
            rank: 32,
            rank_policy: RankPolicy::Exact,
            block: None,
            max_dimension: None,
            tolerance: 1e-3,
            max_restarts: 20,
            seed: 0,
        }
    }
}

/// A configuration checked against a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plan {
    /// Decompose the whole operator.
    Full { rank: usize },
    /// Build a Krylov space of up to `dimension` vectors, `rank + block ≤ dimension ≤ shorter side − block`.
    Krylov { rank: usize, block: usize, dimension: usize },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bad_field_is_named() {
        let field = |config: SvdConfig| match config.resolve(100, 100).unwrap_err() {
            SvdError::Config { field, .. } => field,
            other => panic!("{other}"),
        };
        assert_eq!(field(SvdConfig::with_rank(0)), "rank");
        assert_eq!(field(SvdConfig { block: Some(0), ..SvdConfig::default() }), "block");
        for tolerance in [0.0, -1.0, 1.0, f64::NAN] {
            assert_eq!(field(SvdConfig { tolerance, ..SvdConfig::default() }), "tolerance");
        }
    }

    #[test]
    fn rank_beyond_the_shape_is_an_error_or_a_cap() {
        let config = SvdConfig::with_rank(9);
        assert!(matches!(
            config.resolve(8, 20),
            Err(SvdError::RankTooLarge { rank: 9, nrows: 8, ncols: 20 })
        ));
        let capped = SvdConfig { rank_policy: RankPolicy::AtMost, ..config };
        assert_eq!(capped.resolve(8, 20).unwrap(), Plan::Full { rank: 8 });
    }

    #[test]
    fn dimension_always_leaves_room_for_a_block() {
        for size in 60..400 {
            for rank in [1, 5, 20, 60] {
                for max_dimension in [None, Some(1), Some(100_000)] {
                    let config = SvdConfig { rank, max_dimension, ..SvdConfig::default() };
                    if let Plan::Krylov { rank, block, dimension } = config.resolve(size, size).unwrap() {
                        assert!(rank + block <= dimension && dimension + block <= size);
                    }
                }
            }
        }
    }
}
