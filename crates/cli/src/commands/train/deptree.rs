//! `train deptree`.

use eigentree::clustering::read_vectors;

use super::command::train;
use super::treebank::Treebanks;
use crate::args::TrainDeptreeArgs;
use crate::session::Session;

pub(super) fn run(args: TrainDeptreeArgs, session: &mut Session) -> anyhow::Result<()> {
    let (data, mut job, vectors) = args.build(session.seed)?;
    let Treebanks { output, train: sentences, dev } = Treebanks::open(&data, session)?;
    job.vectors = vectors.map(read_vectors).transpose()?;
    train(&job, &sentences, dev.as_deref(), output, &data.output, session)
}
