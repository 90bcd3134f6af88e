//! `train pcfg`.

use super::command::train;
use super::treebank::Trees;
use crate::args::TrainPcfgArgs;
use crate::session::Session;

pub(super) fn run(args: TrainPcfgArgs, session: &mut Session) -> anyhow::Result<()> {
    let (data, job) = args.build()?;
    let Trees { output, train: trees, dev } = Trees::open(&data, session)?;
    train(&job, &trees, dev.as_deref(), output, &data.output, session)
}
