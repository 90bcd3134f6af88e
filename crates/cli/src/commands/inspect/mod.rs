//! `inspect`: what is in a file.

mod command;
mod states;

pub(super) use command::run;
