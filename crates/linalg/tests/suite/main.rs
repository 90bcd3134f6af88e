//! Sparse products and truncated decompositions against dense ones.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a failed unwrap is a failed test; a skipped test says so"
)]

mod sparse;
mod truncated_svd;
