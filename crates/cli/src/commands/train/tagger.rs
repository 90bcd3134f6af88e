//! `train tagger`, and what it shares with `train ner` and `train pipeline`.

use std::path::PathBuf;

use eigentree::clustering::{read_clusters, read_vectors};
use eigentree::corpus::format::conllu::Column;
use eigentree::files::Output;
use eigentree::models::tagger::{ColumnKind, Resources, TaggerData};
use eigentree::tagging::{ReadSentences, label_columns, read_columns, read_gazetteer, read_preterminals};
use eigentree::training::TaggerJob;

use super::command::train;
use crate::args::{LabelJob, LabelSource, TrainTaggerArgs};
use crate::session::Session;

pub(super) fn run(args: TrainTaggerArgs, session: &mut Session) -> anyhow::Result<()> {
    let (job, source) = args.build(session.seed)?;
    let columns = match &source {
        LabelSource::Columns(columns) => columns.clone(),
        LabelSource::Preterminals => vec![Column::Xpos],
    };
    let read = |paths: &[PathBuf], session: &mut Session| match &source {
        LabelSource::Columns(columns) => read_columns(paths, columns, job.bad_items, &mut session.progress),
        LabelSource::Preterminals => read_preterminals(paths, job.bad_items, &mut session.progress),
    };
    train_labels(&job, label_columns(&columns), &[], read, session)
}

/// Trains a tagger of sentences that `read` reads.
pub(super) fn train_labels(
    job: &LabelJob,
    columns: Vec<(String, ColumnKind)>,
    lists: &[PathBuf],
    read: impl Fn(&[PathBuf], &mut Session) -> Result<ReadSentences, eigentree::Error>,
    session: &mut Session,
) -> anyhow::Result<()> {
    let output = Output::create(&job.output)?;
    let resources = Resources { gazetteer: read_gazetteer(lists)?, ..resources(job)? };
    let mut sentences = |paths: &[PathBuf]| -> anyhow::Result<_> {
        let read = read(paths, session)?;
        session.skipped(&read.skipped);
        Ok(read.sentences)
    };
    let data = TaggerData { columns, sentences: sentences(&job.inputs)?, resources };
    let dev = job.dev.as_ref().map(|path| sentences(std::slice::from_ref(path))).transpose()?;
    train(&TaggerJob::new(job.config.clone()), &data, dev.as_deref(), output, &job.output, session)
}

/// The clusters and vectors of a job, if it has any.
pub(super) fn resources(job: &LabelJob) -> anyhow::Result<Resources> {
    Ok(Resources {
        clusters: job.clusters.as_ref().map(read_clusters).transpose()?,
        vectors: job.vectors.as_ref().map(read_vectors).transpose()?,
        gazetteer: None,
    })
}
