//! Taggers and tokenizers.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a failed unwrap is a failed test; a skipped test says so"
)]

mod lemmas;
mod tagging;
