//! `train tagger`: read, learn, save, score.

use std::path::PathBuf;

use eigentree::Model;
use eigentree::clustering::{read_clusters, read_vectors};
use eigentree::corpus::format::conllu::Column;
use eigentree::eval::report::{EntityReport, Report};
use eigentree::files::Output;
use eigentree::learn::{Learner, Observer};
use eigentree::models::tagger::{ColumnKind, Resources, TaggedSentence, Tagger, TaggerData, TaggerLearner};
use eigentree::tagging::{
    ReadSentences, label_columns, read_columns, read_gazetteer, read_preterminals, score_tagger,
};
use serde_json::{Map, Value, json};

use super::command::save;
use crate::args::{LabelJob, LabelSource, TrainTaggerArgs};
use crate::session::Session;

pub(super) fn run(args: TrainTaggerArgs, session: &mut Session) -> anyhow::Result<()> {
    let (job, source) = args.build(session.seed)?;
    match source {
        LabelSource::Columns(columns) => {
            let read = |paths: &[PathBuf], session: &mut Session| {
                read_columns(paths, &columns, job.bad_items, &mut session.progress)
            };
            train(&job, label_columns(&columns), &[], read, session)
        }
        LabelSource::Preterminals => {
            let read = |paths: &[PathBuf], session: &mut Session| {
                read_preterminals(paths, job.bad_items, &mut session.progress)
            };
            train(&job, label_columns(&[Column::Xpos]), &[], read, session)
        }
    }
}

/// Trains a tagger on the sentences from `read`, saves it, and scores it on the development sentences, if any.
pub(super) fn train(
    job: &LabelJob,
    columns: Vec<(String, ColumnKind)>,
    lists: &[PathBuf],
    read: impl Fn(&[PathBuf], &mut Session) -> Result<ReadSentences, eigentree::Error>,
    session: &mut Session,
) -> anyhow::Result<()> {
    let output = Output::create(&job.output)?;
    let resources = Resources { gazetteer: read_gazetteer(lists)?, ..resources(job)? };
    let sentences = read(&job.inputs, session)?;
    session.skipped(&sentences.skipped);
    let dev = match &job.dev {
        None => None,
        Some(path) => {
            let dev = read(std::slice::from_ref(path), session)?;
            session.skipped(&dev.skipped);
            Some(dev.sentences)
        }
    };
    let data = TaggerData { columns, sentences: sentences.sentences, resources };
    let learner = TaggerLearner { config: job.config.clone() };
    let learned = learner.learn(&data, &mut session.progress).map_err(eigentree::Error::from)?;
    let model = Model::Tagger(Box::new(learned.model));
    let metadata = model.metadata().with_note("sentences", data.sentences.len());
    save(&model, &metadata, output, &learned.report, &job.output, session)?;
    if let (Some(dev), Model::Tagger(tagger)) = (dev, &model) {
        score(tagger, &dev, session)?;
    }
    Ok(())
}

/// The clusters and vectors of a job, if any.
pub(super) fn resources(job: &LabelJob) -> anyhow::Result<Resources> {
    Ok(Resources {
        clusters: job.clusters.as_ref().map(read_clusters).transpose()?,
        vectors: job.vectors.as_ref().map(read_vectors).transpose()?,
        gazetteer: None,
    })
}

/// Tags the development sentences and adds the scores to the summary as `dev`.
pub(super) fn score(tagger: &Tagger, dev: &[TaggedSentence], session: &mut Session) -> anyhow::Result<()> {
    session.progress.stage("tag dev", Some(dev.len() as u64));
    let scores = score_tagger(tagger, dev, &mut session.progress)?;
    session.progress.end_stage();
    let mut fields = Map::new();
    for (name, tags) in &scores.columns {
        let total = tags.total();
        session.tell(format_args!(
            "dev {name}: {:.2} (known words {:.2}, unknown {:.2})",
            100.0 * total.all().accuracy(),
            100.0 * total.known.accuracy(),
            100.0 * total.unknown.accuracy(),
        ));
        fields.insert(name.clone(), json!(100.0 * total.all().accuracy()));
    }
    if let Some(entities) = &scores.entities {
        let total = entities.total();
        session.tell(format_args!(
            "dev entities: F1 {:.2} (precision {:.2}, recall {:.2})",
            100.0 * total.f1(),
            100.0 * total.precision(),
            100.0 * total.recall(),
        ));
        let report = Report { entities: Some(EntityReport::from(entities)), ..Report::default() };
        if let Value::Object(report) = report.to_json_value() {
            fields.extend(report);
        }
    }
    session.field("dev", fields);
    Ok(())
}
