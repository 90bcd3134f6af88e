//! One file per command: open, call, write.

mod check;
mod cluster;
#[cfg(feature = "compare")]
mod compare;
mod completions;
mod convert;
mod count;
mod demo;
mod eval;
mod inspect;
mod man;
mod parse;
mod predict;
mod reference;
mod rerank;
mod sample;
mod score;
mod score_grammar;
mod score_trees;
mod select;
#[cfg(feature = "serve")]
mod serve;
mod tag;
mod train;
mod trials;

use crate::args::{Command, ReferenceArgs};
use crate::session::Session;

/// Runs a command.
pub(crate) fn run(command: Command, session: &mut Session) -> anyhow::Result<()> {
    match command {
        Command::Demo(args) => demo::run(&args, session),
        Command::Train(args) => train::run(args, session),
        Command::Parse(args) => parse::run(args, session),
        Command::Rerank(args) => rerank::run(&args, session),
        Command::Tag(args) => tag::run(args, session),
        Command::Score(args) => score::run(args, session),
        Command::Predict(args) => predict::run(&args, session),
        Command::Sample(args) => sample::run(args, session),
        Command::Inspect(args) => inspect::run(args, session),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(*args, session),
        Command::Eval(args) => eval::run(args, session),
        Command::Check(args) => check::run(args, session),
        Command::Select(args) => select::run(args, session),
        Command::Curve(args) => trials::curve(args, session),
        Command::Crossval(args) => trials::crossval(args, session),
        #[cfg(feature = "compare")]
        Command::Compare(args) => compare::run(args, session),
        Command::Convert(args) => convert::run(args, session),
        Command::Cluster(args) => cluster::run(*args, session),
        Command::Count(args) => count::count(args, session),
        Command::Merge(args) => count::merge(args, session),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Reference(ReferenceArgs {}) => reference::run(),
    }
}
