//! The facade: whole pipelines, training jobs, examples.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a failed unwrap is a failed test; a skipped test says so"
)]

mod examples;
mod pipeline;
mod training;
