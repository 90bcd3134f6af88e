//! `train ner`: read, learn, save, score.

use eigentree::Model;
use eigentree::files::Output;
use eigentree::learn::Learner;
use eigentree::models::tagger::{Resources, TaggerLearner};
use eigentree::tagging::{entity_data, read_entities, read_gazetteer};

use super::command::save;
use super::tagger::{clusters, score};
use crate::args::TrainNerArgs;
use crate::session::Session;

pub(super) fn run(args: TrainNerArgs, session: &mut Session) -> anyhow::Result<()> {
    let (job, lists) = args.build(session.seed)?;
    let output = Output::create(&job.output)?;
    let resources = Resources { clusters: clusters(&job)?, gazetteer: read_gazetteer(&lists)? };
    let read = read_entities(&job.inputs, job.bad_items, &mut session.progress)?;
    session.skipped(&read.skipped);
    let dev = match &job.dev {
        None => None,
        Some(path) => {
            let dev = read_entities(&[path], job.bad_items, &mut session.progress)?;
            session.skipped(&dev.skipped);
            Some(dev.sentences)
        }
    };
    let data = entity_data(read.sentences, resources);
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
