//! `train pcfg`.

use eigentree::Model;
use eigentree::learn::Learner;
use eigentree::models::pcfg::{Parser, ParserConfig, PcfgConfig, PcfgLearner};
use eigentree::parsing::TagUse;

use super::command::{Material, save, score_dev, with_form};
use crate::args::{TrainData, TrainPcfgArgs};
use crate::session::Session;

pub(super) fn run(args: TrainPcfgArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build()?;
    let field = [(job.tags, "dev")];
    learn(&job.data, job.config, &field, session)
}

/// Trains and saves the model, and scores the development trees in each of these ways.
pub(super) fn learn(
    data: &TrainData,
    config: PcfgConfig,
    scored: &[(TagUse, &str)],
    session: &mut Session,
) -> anyhow::Result<()> {
    let Material { output, trees, dev } = Material::open(data, session)?;
    let learner = PcfgLearner { config };
    let learned = learner.learn(&trees, &mut session.progress).map_err(eigentree::Error::from)?;
    let model = Model::Pcfg(Box::new(learned.model));
    let metadata = with_form(model.metadata().with_note("trees", trees.len()), &learner.config.normal_form);
    save(&model, &metadata, output, &learned.report, &data.output, session)?;
    if let (Some(dev), Some(grammar)) = (dev, model.grammar()) {
        let parser = Parser::new(grammar, ParserConfig::default());
        for &(tags, field) in scored {
            score_dev(&parser, &dev, tags, field, session)?;
        }
    }
    Ok(())
}
