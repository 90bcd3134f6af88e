//! `train mst`.

use eigentree::Model;
use eigentree::clustering::{read_clusters, read_vectors};
use eigentree::learn::{Learner, Observer};
use eigentree::models::mst::{MstLearner, Parser, VECTOR_SIGNS};

use super::command::save;
use super::treebank::{Treebanks, score_dependencies};
use crate::args::{TrainMstArgs, WordClasses};
use crate::session::Session;

pub(super) fn run(args: TrainMstArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    let Treebanks { output, train, dev } = Treebanks::open(&job.data, session)?;
    let clusters = match job.classes {
        None => None,
        Some(WordClasses::Clusters(path)) => Some(read_clusters(path)?),
        Some(WordClasses::Vectors(path)) => Some(read_vectors(path)?.signs(VECTOR_SIGNS)),
    };
    let learner = MstLearner { config: job.config, clusters };
    let learned = learner.learn(&train, &mut session.progress).map_err(eigentree::Error::from)?;
    let mut model = learned.model;
    if let Some(dev) = &dev {
        session.progress.stage("calibrate", None);
        model.calibrate(dev);
    }
    let model = Model::Mst(Box::new(model));
    let metadata = model.metadata().with_note("sentences", train.len());
    save(&model, &metadata, output, &learned.report, &job.data.output, session)?;
    if let (Some(dev), Model::Mst(model)) = (dev, &model) {
        score_dependencies(&Parser::new(model), &dev, "dev", session)?;
    }
    Ok(())
}
