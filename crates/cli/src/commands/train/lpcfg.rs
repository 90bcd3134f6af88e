//! `train lpcfg`.

use super::command::train;
use super::treebank::Trees;
use crate::args::{GrammarJob, TrainLpcfgArgs};
use crate::session::Session;

pub(super) fn run(args: TrainLpcfgArgs, session: &mut Session) -> anyhow::Result<()> {
    let (data, job) = args.build(session.seed)?;
    let Trees { output, train: trees, dev } = Trees::open(&data, session)?;
    match job {
        GrammarJob::Latent(job) => train(&*job, &trees, dev.as_deref(), output, &data.output, session),
        GrammarJob::Plain(job) => train(&*job, &trees, dev.as_deref(), output, &data.output, session),
    }
}
