//! (head comment follows)

pub mod files;
