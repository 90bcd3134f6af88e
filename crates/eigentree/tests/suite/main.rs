//! The facade: whole pipelines, training jobs, examples, and models used one sentence at a time.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a failed unwrap is a failed test; a skipped test says so"
)]

mod annotation;
mod examples;
mod inspection;
mod one_sentence;
mod pipeline;
mod streams;
mod training;
mod ud_rules;
