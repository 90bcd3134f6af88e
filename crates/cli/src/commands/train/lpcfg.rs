//! `train lpcfg`.

use std::sync::Arc;

use eigentree::clustering::read_clusters;

use super::command::train;
use super::treebank::Trees;
use crate::args::{GrammarJob, LpcfgFiles, TrainLpcfgArgs};
use crate::session::Session;

pub(super) fn run(args: TrainLpcfgArgs, session: &mut Session) -> anyhow::Result<()> {
    let (LpcfgFiles { data, clusters }, job) = args.build(session.seed)?;
    let Trees { output, train: trees, dev } = Trees::open(&data, session)?;
    let clusters = clusters.map(read_clusters).transpose()?.map(Arc::new);
    match job {
        GrammarJob::Latent(mut job) => {
            job.config.grammar.clusters = clusters;
            train(&*job, &trees, dev.as_deref(), output, &data.output, session)
        }
        GrammarJob::Plain(mut job) => {
            job.config.clusters = clusters;
            train(&*job, &trees, dev.as_deref(), output, &data.output, session)
        }
    }
}
