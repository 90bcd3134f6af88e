//! `train lpcfg`.

use eigentree::Model;
use eigentree::learn::Learner;
use eigentree::models::lpcfg::{LpcfgConfig, LpcfgLearner, Method, Parser, ParserConfig, SmoothingConfig};
use eigentree::parsing::TagUse;
use eigentree::training::{Tuning, tune};
use serde_json::{Value, json};

use super::command::{Material, save, score_dev, with_form};
use super::pcfg;
use crate::args::{Learning, TrainData, TrainLpcfgArgs};
use crate::session::Session;

/// How to score development trees, and the field names in the summary.
const SCORED: [(TagUse, &str); 2] = [(TagUse::Given, "dev_given_tags"), (TagUse::Predicted, "dev")];

pub(super) fn run(args: TrainLpcfgArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build(session.seed)?;
    match job.learning {
        Learning::Plain(config) => pcfg::learn(&job.data, *config, &SCORED, session),
        Learning::Latent(config) => learn(&job.data, *config, job.tune, session),
    }
}

fn learn(
    data: &TrainData,
    mut config: LpcfgConfig,
    tuned: bool,
    session: &mut Session,
) -> anyhow::Result<()> {
    let Material { output, trees, dev } = Material::open(data, session)?;
    if tuned {
        let tuning = tune(&config, &trees, session.seed, &mut session.progress)?;
        tell_tuning(&tuning, session);
        config.smoothing = tuning.best.smoothing;
    }
    let learner = LpcfgLearner { config };
    let learned = learner.learn(&trees, &mut session.progress).map_err(eigentree::Error::from)?;
    let model = Box::new(learned.model);
    let config = &learner.config;
    let methods = config.members.iter().chain(config.companions.iter().flat_map(|other| &other.members));
    let model = Model::Lpcfg(model);
    let metadata = with_form(model.metadata().with_note("trees", trees.len()), &config.grammar.normal_form)
        .with_note("members", methods.map(describe).collect::<Vec<Value>>())
        .with_note("smoothing", constants(&config.smoothing));
    save(&model, &metadata, output, &learned.report, &data.output, session)?;
    if let (Some(dev), Model::Lpcfg(model)) = (dev, &model) {
        let parser = Parser::new(model, ParserConfig::default());
        for (tags, field) in SCORED {
            score_dev(&parser, &dev, tags, field, session)?;
        }
    }
    Ok(())
}

fn tell_tuning(tuning: &Tuning, session: &mut Session) {
    session.progress.end_stage();
    let constants_of = |smoothing: &SmoothingConfig| {
        format!("{},{},{}", smoothing.rules, smoothing.words, smoothing.classes)
    };
    for trial in &tuning.trials {
        let shown = constants_of(&trial.smoothing);
        session.tell(format_args!("--smoothing {shown}: F1 {:.2} on held-out trees", 100.0 * trial.f1));
    }
    session.tell(format_args!(
        "chosen on {} held-out training trees: --smoothing {}",
        tuning.held_out,
        constants_of(&tuning.best.smoothing)
    ));
    let trials: Vec<Value> = tuning
        .trials
        .iter()
        .map(|trial| json!({ "smoothing": constants(&trial.smoothing), "f1": 100.0 * trial.f1 }))
        .collect();
    session.field(
        "tuning",
        json!({ "chosen": constants(&tuning.best.smoothing), "held_out": tuning.held_out, "trials": trials }),
    );
}

fn constants(smoothing: &SmoothingConfig) -> Value {
    json!({ "rules": smoothing.rules, "words": smoothing.words, "classes": smoothing.classes })
}

/// Describes a member for the notes of the model.
fn describe(method: &Method) -> Value {
    match method {
        Method::Spectral(spectral) => {
            json!({ "learner": "spectral", "states": spectral.states, "dropout": spectral.dropout, "seed": spectral.seed })
        }
        Method::Cluster { spectral, steps } => json!({ "learner": "cluster", "states": spectral.states,
            "steps": steps, "dropout": spectral.dropout, "seed": spectral.seed }),
        Method::Em { states, steps, seed } => {
            json!({ "learner": "em", "states": states, "steps": steps, "seed": seed })
        }
    }
}
