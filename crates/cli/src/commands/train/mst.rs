//! `train mst`.

use eigentree::clustering::{read_clusters, read_vectors};
use eigentree::training::WordClasses;

use super::command::train;
use super::treebank::{Treebanks, sentences as read};
use crate::args::{ClassesFile, MstFiles, TrainMstArgs};
use crate::session::Session;

pub(super) fn run(args: TrainMstArgs, session: &mut Session) -> anyhow::Result<()> {
    let (MstFiles { data, classes, source }, mut job) = args.build(session.seed)?;
    let Treebanks { output, train: sentences, dev } = Treebanks::open(&data, session)?;
    job.classes = match classes {
        None => None,
        Some(ClassesFile::Clusters(path)) => Some(WordClasses::Clusters(read_clusters(path)?)),
        Some(ClassesFile::Vectors(path)) => Some(WordClasses::Vectors(read_vectors(path)?)),
    };
    if !source.is_empty() {
        job.source = read(&source, data.bad_items, session)?;
    }
    train(&job, &sentences, dev.as_deref(), output, &data.output, session)
}
