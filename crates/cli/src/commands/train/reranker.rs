//! `train reranker`.

use eigentree::files::Output;
use eigentree::learn::Learner;
use eigentree::models::reranker::RerankLearner;
use eigentree::reading::read_sentences;
use eigentree::reranking::{JackknifeConfig, jackknife, tree_words};
use eigentree::{Error, Model};

use super::command::save;
use super::deptree;
use crate::args::TrainRerankerArgs;
use crate::session::Session;

pub(super) fn run(args: TrainRerankerArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    let output = Output::create(&job.output)?;
    let train = read_sentences(&job.treebanks, job.bad_items, &mut session.progress)?;
    session.skipped(&train.skipped);
    let latent = match job.config.features.has_latent() {
        true => Some(deptree::learn(&job.latent, &tree_words(&train.sentences).trees, session)?.model),
        false => None,
    };
    let config = JackknifeConfig { folds: job.folds, trees: job.nbest, parser: job.parser, clusters: None };
    let lists = jackknife(&train.sentences, &config, &mut session.progress)?;
    let learner = RerankLearner { config: job.config, deptree: latent };
    let learned = learner.learn(&lists, &mut session.progress).map_err(Error::from)?;
    let [parser, latent, negative] = learned.model.real_weights();
    let model = Model::Reranker(Box::new(learned.model));
    let metadata = model.metadata().with_note("sentences", lists.len());
    save(&model, &metadata, output, &learned.report, &job.output, session)?;
    session
        .tell(format_args!("weights: the parser {parser:.2}, log p {latent:.2}, negative p {negative:.2}"));
    Ok(())
}
