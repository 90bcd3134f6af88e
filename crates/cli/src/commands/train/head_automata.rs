//! `train head-automata`.

use eigentree::clustering::read_clusters;

use super::command::train;
use super::treebank::Treebanks;
use crate::args::TrainHeadAutomataArgs;
use crate::session::Session;

pub(super) fn run(args: TrainHeadAutomataArgs, session: &mut Session) -> anyhow::Result<()> {
    let (data, clusters, mut job) = args.build(session.seed)?;
    let Treebanks { output, train: sentences, dev } = Treebanks::open(&data, session)?;
    if let (Some(path), Some(lexical)) = (clusters, &mut job.config.lexical) {
        lexical.clusters = Some(read_clusters(path)?);
    }
    train(&job, &sentences, dev.as_deref(), output, &data.output, session)
}
