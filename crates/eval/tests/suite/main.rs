//! Metrics on hand-made cases and on whole treebanks, and their reports.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a failed unwrap is a failed test; a skipped test says so"
)]

mod attachment;
mod brackets;
mod real_data;
mod report;
