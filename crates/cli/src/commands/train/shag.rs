//! `train shag`.

use eigentree::Model;
use eigentree::learn::{Learner, Observer};
use eigentree::models::head_automata::{HeadAutomataLearner, Parser, ParserConfig, tune_lexical_weight};

use super::command::save;
use super::treebank::{Treebanks, score_dependencies};
use crate::args::{TrainShagArgs, WeightChoice};
use crate::session::Session;

pub(super) fn run(args: TrainShagArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    let Treebanks { output, train, dev } = Treebanks::open(&job.data, session)?;
    let learner = HeadAutomataLearner { config: job.config };
    let mut learned = learner.learn(&train, &mut session.progress).map_err(eigentree::Error::from)?;
    if let (WeightChoice::ByDev, Some(dev)) = (job.weight, &dev) {
        session.progress.stage("weigh words", None);
        if let Some((weight, _)) = tune_lexical_weight(&mut learned.model, dev) {
            session.tell(format_args!("weight of words chosen on the development set: {weight}"));
            session.field("lexical_weight", weight);
        }
    }
    let model = Model::from(learned.model);
    let metadata = model
        .metadata()
        .with_note("sentences", train.len())
        .with_note("alphabet", learner.config.alphabet.name());
    save(&model, &metadata, output, &learned.report, &job.data.output, session)?;
    if let (Some(dev), Model::HeadAutomata(model)) = (dev, &model) {
        score_dependencies(&Parser::new(model, ParserConfig::default()), &dev, "dev", session)?;
    }
    Ok(())
}
