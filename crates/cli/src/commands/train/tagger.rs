//! `train tagger`: read, learn, save, score.

use eigentree::Model;
use eigentree::clustering::read_clusters;
use eigentree::eval::report::{EntityReport, Report};
use eigentree::files::Output;
use eigentree::learn::{Learner, Observer};
use eigentree::models::tagger::{Resources, TaggedSentence, Tagger, TaggerLearner};
use eigentree::tagging::{read_columns, score_tagger};
use serde_json::{Map, Value, json};

use super::command::save;
use crate::args::{LabelJob, TrainTaggerArgs};
use crate::session::Session;

pub(super) fn run(args: TrainTaggerArgs, session: &mut Session) -> anyhow::Result<()> {
    let (job, columns) = args.build(session.seed)?;
    let output = Output::create(&job.output)?;
    let resources = Resources { clusters: clusters(&job)?, gazetteer: None };
    let (data, skipped) =
        read_columns(&job.inputs, &columns, resources, job.bad_items, &mut session.progress)?;
    session.skipped(&skipped);
    let dev = match &job.dev {
        None => None,
        Some(path) => {
            let (dev, skipped) =
                read_columns(&[path], &columns, Resources::default(), job.bad_items, &mut session.progress)?;
            session.skipped(&skipped);
            Some(dev.sentences)
        }
    };
    let learner = TaggerLearner { config: job.config };
    let learned = learner.learn(&data, &mut session.progress).map_err(eigentree::Error::from)?;
    let model = Model::Tagger(Box::new(learned.model));
    let metadata = model.metadata().with_note("sentences", data.sentences.len());
    save(&model, &metadata, output, &learned.report, &job.output, session)?;
    if let (Some(dev), Model::Tagger(tagger)) = (dev, &model) {
        score(tagger, &dev, session)?;
    }
    Ok(())
}

/// The clusters of a job, if it has any.
pub(super) fn clusters(
    job: &LabelJob,
) -> anyhow::Result<Option<eigentree::models::representations::ClusterPaths>> {
    Ok(job.clusters.as_ref().map(read_clusters).transpose()?)
}

/// Labels the development sentences and adds the scores to the summary as `dev`.
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
