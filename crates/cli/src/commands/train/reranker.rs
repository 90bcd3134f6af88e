//! `train reranker`.

use super::command::train;
use super::treebank::Treebanks;
use crate::args::TrainRerankerArgs;
use crate::session::Session;

pub(super) fn run(args: TrainRerankerArgs, session: &mut Session) -> anyhow::Result<()> {
    let (data, job) = args.build(session.seed)?;
    let Treebanks { output, train: sentences, .. } = Treebanks::open(&data, session)?;
    train(&job, &sentences, None, output, &data.output, session)
}
