//! `train reranker`.

use eigentree::learn::Learner;
use eigentree::models::reranker::RerankLearner;
use eigentree::reranking::{JackknifeConfig, jackknife, tree_words};
use eigentree::{Error, Model};

use super::command::save;
use super::deptree;
use super::treebank::Treebanks;
use crate::args::TrainRerankerArgs;
use crate::session::Session;

pub(super) fn run(args: TrainRerankerArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    let Treebanks { output, train, .. } = Treebanks::open(&job.data, session)?;
    let latent = match job.config.features.has_latent() {
        true => Some(deptree::learn(&job.latent, &tree_words(&train).trees, session)?.model),
        false => None,
    };
    let config = JackknifeConfig { folds: job.folds, trees: job.nbest, parser: job.parser, clusters: None };
    let lists = jackknife(&train, &config, &mut session.progress)?;
    let learner = RerankLearner { config: job.config, deptree: latent };
    let learned = learner.learn(&lists, &mut session.progress).map_err(Error::from)?;
    let [parser, latent, negative] = learned.model.real_weights();
    let model = Model::Reranker(Box::new(learned.model));
    let metadata = model.metadata().with_note("sentences", lists.len());
    save(&model, &metadata, output, &learned.report, &job.data.output, session)?;
    session
        .tell(format_args!("weights: the parser {parser:.2}, log p {latent:.2}, negative p {negative:.2}"));
    Ok(())
}
