//! `train reranker`.

use eigentree::clustering::read_vectors;

use super::command::train;
use super::treebank::Treebanks;
use crate::args::TrainRerankerArgs;
use crate::session::Session;

pub(super) fn run(args: TrainRerankerArgs, session: &mut Session) -> anyhow::Result<()> {
    let (data, mut job, vectors) = args.build(session.seed)?;
    let Treebanks { output, train: sentences, .. } = Treebanks::open(&data, session)?;
    job.vectors = vectors.map(read_vectors).transpose()?;
    train(&job, &sentences, None, output, &data.output, session)
}
