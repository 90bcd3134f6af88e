//! `train deptree`.

use eigentree::learn::{Learned, Learner, Observer};
use eigentree::models::deptree::{Deptree, TreeWords};
use eigentree::reranking::{score_trees, tree_words};
use eigentree::{Error, Model};
use serde_json::json;

use super::command::save;
use super::treebank::Treebanks;
use crate::args::{LatentLearner, TrainDeptreeArgs};
use crate::session::Session;

pub(super) fn run(args: TrainDeptreeArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    let Treebanks { output, train, dev } = Treebanks::open(&job.data, session)?;
    let trees = tree_words(&train);
    if trees.without_tree > 0 {
        session.tell(format_args!("{} sentences without a tree were skipped", trees.without_tree));
    }
    let learned = learn(&job.learner, &trees.trees, session)?;
    let conditioning = learned.model.conditioning();
    let model = Model::Deptree(Box::new(learned.model));
    let metadata = model.metadata().with_note("sentences", trees.trees.len());
    save(&model, &metadata, output, &learned.report, &job.data.output, session)?;
    if conditioning.triples > 0.0 {
        session.tell(format_args!(
            "condition numbers: Σ_L {:.1}, Σ_R {:.1}, E_L {:.1}, E_R {:.1}",
            conditioning.sigma_left,
            conditioning.sigma_right,
            conditioning.step_left,
            conditioning.step_right
        ));
        session.field(
            "conditioning",
            json!({
                "sigma_left": conditioning.sigma_left,
                "sigma_right": conditioning.sigma_right,
                "step_left": conditioning.step_left,
                "step_right": conditioning.step_right,
            }),
        );
    }
    if let (Some(dev), Model::Deptree(model)) = (dev, &model) {
        session.progress.stage("score dev", Some(dev.len() as u64));
        let scores = score_trees(model, dev.into_iter().map(Ok), &mut session.progress, |_| Ok(()))?;
        session.progress.end_stage();
        let per_word = scores.log_probability / scores.words.max(1) as f64;
        session.tell(format_args!(
            "dev: log-probability {per_word:.4} per word, {} of {} trees negative, {} impossible",
            scores.negative, scores.trees, scores.impossible
        ));
        session.field(
            "dev",
            json!({
                "log_probability_per_word": per_word,
                "trees": scores.trees,
                "negative": scores.negative,
                "impossible": scores.impossible,
            }),
        );
    }
    Ok(())
}

/// Runs the chosen learner.
pub(super) fn learn(
    learner: &LatentLearner,
    trees: &[TreeWords],
    session: &mut Session,
) -> Result<Learned<Deptree>, Error> {
    match learner {
        LatentLearner::Spectral(learner) => Ok(learner.learn(trees, &mut session.progress)?),
        LatentLearner::Em(learner) => Ok(learner.learn(trees, &mut session.progress)?),
    }
}
