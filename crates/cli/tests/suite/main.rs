//! The program from outside: every command, run as users run it.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a failed unwrap is a failed test; a skipped test says so"
)]

mod annotate;
mod attacks;
mod cluster;
mod compare;
mod convert;
mod count;
mod degenerate;
mod dependency;
mod errors_and_annotation;
mod eval;
mod head_automata;
mod heads_and_grammars;
mod help;
mod inspect_states;
mod limits;
mod mistakes;
mod paper_mode;
mod place;
mod rerank;
mod same_bytes;
mod sequences;
#[cfg(all(unix, feature = "serve"))]
mod serve;
mod tag;
mod train_lpcfg;
mod train_parse;
