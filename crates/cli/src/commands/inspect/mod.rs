//! `inspect`: describes the contents of a file. The library finds them (`eigentree::inspection`); here they become text.

mod automata;
mod clusters;
mod command;
mod figures;
mod grammar;
mod sequence;
mod states;

pub(super) use command::run;
