//! (head comment follows)

pub mod learn;
pub mod persist;
