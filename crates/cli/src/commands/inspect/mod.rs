//! `inspect`: what is in a file.

mod clusters;
mod command;
mod states;

pub(super) use command::run;
