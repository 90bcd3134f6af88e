//! Configuration of a decomposition.

use serde::Serialize;

use crate::moments::Scaling;
use crate::rank::RankConfig;

/// How a cross moment is represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Path {
    /// Formed densely and decomposed in full, in double precision.
    Dense,
    /// Formed as a sparse matrix and decomposed by a truncated SVD.
    Sparse,
    /// Applied as a product of the two views and decomposed by a truncated SVD.
    MatrixFree,
}

/// How the path is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PathChoice {
    /// By an estimate of the cost.
    #[default]
    Cheapest,
    /// By the caller. Counts are already formed, so `MatrixFree` means `Sparse` for them.
    Given(Path),
}

/// The configuration of a decomposition.
#[derive(Clone, PartialEq, Debug)]
pub struct DecomposeConfig {
    /// How the rank is chosen.
    pub rank: RankConfig,
    /// How features are scaled.
    pub scaling: Scaling,
    /// Dense, sparse or matrix-free.
    pub path: PathChoice,
    /// The dense path is used up to this value of `min(d, d′)² · max(d, d′)`. At the default (160 features per side) a
    /// full SVD takes about two milliseconds, less than a truncated SVD of a thousand sites.
    pub dense_cost: f64,
    /// Accuracy of the truncated SVD, as in [`linalg::SvdConfig::tolerance`].
    pub tolerance: f64,
    /// Restarts of the truncated SVD, as in [`linalg::SvdConfig::max_restarts`].
    pub max_restarts: usize,
    /// Seed of the truncated SVD.
    pub seed: u64,
}

impl DecomposeConfig {
    /// The default configuration for a choice of rank.
    pub fn new(rank: RankConfig) -> Self {
        DecomposeConfig {
            rank,
            scaling: Scaling::default(),
            path: PathChoice::default(),
            dense_cost: 4e6,
            tolerance: 1e-3,
            max_restarts: 20,
            seed: 0,
        }
    }
}
