//! `train head-automata`.

use super::command::train;
use super::treebank::Treebanks;
use crate::args::TrainHeadAutomataArgs;
use crate::session::Session;

pub(super) fn run(args: TrainHeadAutomataArgs, session: &mut Session) -> anyhow::Result<()> {
    let (data, job) = args.build(session.seed)?;
    let Treebanks { output, train: sentences, dev } = Treebanks::open(&data, session)?;
    train(&job, &sentences, dev.as_deref(), output, &data.output, session)
}
