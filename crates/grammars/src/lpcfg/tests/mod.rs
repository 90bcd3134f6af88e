//! Tests that need private items: recovery of the true probabilities, invariance, enumeration.

mod brute_force;
mod convergence;
mod hmm;
mod invariance;
mod learnt;
mod recovery;
mod truth;
mod whole_learner;

pub(super) use brute_force::{Signs, tiny};
