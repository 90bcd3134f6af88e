//! `train tagger`, and what it shares with `train ner` and `train pipeline`.

use std::path::PathBuf;

use eigentree::clustering::{read_clusters, read_vectors};
use eigentree::corpus::format::conllu::{Column, Sentence};
use eigentree::files::Output;
use eigentree::models::tagger::{ColumnKind, Resources, TaggerData};
use eigentree::tagging::{
    ReadSentences, filled_columns, label_columns, read_gazetteer, read_lexicon, read_preterminals,
    tagged_sentences,
};
use eigentree::training::{TAGGER_COLUMNS, TaggerJob};

use super::command::train;
use super::treebank::sentences;
use crate::args::{LabelJob, LabelSource, TrainTaggerArgs};
use crate::session::Session;

pub(super) fn run(args: TrainTaggerArgs, session: &mut Session) -> anyhow::Result<()> {
    let (job, source) = args.build(session.seed)?;
    match source {
        LabelSource::Columns(columns) => train_columns(&job, |_| columns, session),
        LabelSource::FilledColumns => {
            train_columns(&job, |treebank| filled_columns(treebank, &TAGGER_COLUMNS), session)
        }
        LabelSource::Preterminals => {
            let read = |paths: &[PathBuf], session: &mut Session| {
                read_preterminals(paths, job.bad_items, &mut session.progress)
            };
            train_labels(&job, label_columns(&[Column::Xpos]), &[], read, session)
        }
    }
}

/// Trains a tagger of columns of CoNLL-U, which may depend on the treebank.
fn train_columns(
    job: &LabelJob,
    columns: impl FnOnce(&[Sentence]) -> Vec<Column>,
    session: &mut Session,
) -> anyhow::Result<()> {
    let output = Output::create(&job.output)?;
    let resources = resources(job)?;
    let treebank = sentences(&job.inputs, job.bad_items, session)?;
    let columns = columns(&treebank);
    let data = TaggerData {
        columns: label_columns(&columns),
        sentences: tagged_sentences(&treebank, &columns)?,
        resources,
    };
    let dev = job.dev.as_ref().map(|path| sentences(std::slice::from_ref(path), job.bad_items, session));
    let dev = dev.transpose()?.map(|dev| tagged_sentences(&dev, &columns)).transpose()?;
    train(&TaggerJob::new(job.config.clone()), &data, dev.as_deref(), output, &job.output, session)
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
        lexicon: job.lexicon.as_ref().map(read_lexicon).transpose()?,
    })
}
