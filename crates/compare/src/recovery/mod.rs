//! Consistency against local optima: samples of growing size are drawn from a known grammar with latent states, and every
//! learner is measured by how far its probabilities of new trees are from the true ones.
//!
//! If it has the states of the grammar, the spectral learner converges to the truth as the sample grows (Cohen et al. 2012,
//! theorem 3), whatever its start. EM converges to a local maximum of the likelihood, a different one for each start.

mod config;
mod experiment;
mod report;
mod run;

pub use config::{Config, MOST_STATES};
pub use experiment::RecoveryExperiment;
pub use report::{Point, Report, Role};
pub use run::compare;
