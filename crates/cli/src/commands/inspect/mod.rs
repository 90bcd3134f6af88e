//! `inspect`: describes the contents of a file.

mod automata;
mod clusters;
mod command;
mod sequence;
mod states;

pub(super) use command::run;
