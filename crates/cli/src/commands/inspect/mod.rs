//! `inspect`: what is in a file.

mod automata;
mod clusters;
mod command;
mod states;

pub(super) use command::run;
