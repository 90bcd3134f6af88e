//! `train`: read, learn, save, score.

use eigentree::Model;
use eigentree::corpus::tree::Tree;
use eigentree::eval::brackets::BracketConfig;
use eigentree::eval::report::{BracketReport, Report};
use eigentree::files::Output;
use eigentree::learn::{LearnReport, Learner, Observer};
use eigentree::models::pcfg::{Parser, ParserConfig, Pcfg, PcfgLearner};
use eigentree::parsing::{parse_trees, score_parses};
use eigentree::reading::read_trees;
use eigentree::training::prepare;
use serde_json::{Map, Value};

use crate::args::{TrainArgs, TrainFamily, TrainPcfgArgs, TrainPcfgJob};
use crate::session::{self, Session};

pub(super) fn run(args: TrainArgs, session: &mut Session) -> anyhow::Result<()> {
    match args.family {
        TrainFamily::Pcfg(args) => train_pcfg(args, session),
    }
}

fn train_pcfg(args: TrainPcfgArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build()?;
    // Both are opened before the work, so that what cannot succeed fails at once.
    let output = Output::create(&job.output)?;
    let treebank = read_trees(&job.trees, job.bad_items, &mut session.progress)?;
    session.skipped(&treebank.skipped);
    let dev = read_dev(&job, session)?;

    let trees = prepare(treebank.trees, job.annotation);
    let learner = PcfgLearner { config: job.config.clone() };
    let learned = learner.learn(&trees, &mut session.progress).map_err(eigentree::Error::from)?;
    let model = Model::Pcfg(Box::new(learned.model));
    session.progress.stage("save", None);
    let (horizontal, vertical) = job.orders;
    let metadata = model
        .metadata()
        .with_note("trees", trees.len())
        .with_note("horizontal", horizontal)
        .with_note("vertical", vertical);
    let bytes = model.save(output, &metadata)?;
    tell_figures(&learned.report, bytes, &job, session);

    let Model::Pcfg(model) = &model;
    if let Some(dev) = dev {
        score_dev(model, &dev, &job, session)?;
    }
    Ok(())
}

fn read_dev(job: &TrainPcfgJob, session: &mut Session) -> anyhow::Result<Option<Vec<Tree>>> {
    let Some(path) = &job.dev else { return Ok(None) };
    let treebank = read_trees(&[path], job.bad_items, &mut session.progress)?;
    session.skipped(&treebank.skipped);
    Ok(Some(prepare(treebank.trees, job.annotation)))
}

fn tell_figures(report: &LearnReport, bytes: u64, job: &TrainPcfgJob, session: &mut Session) {
    session.progress.end_stage();
    let figures: Map<String, Value> = report
        .stages
        .iter()
        .flat_map(|stage| &stage.figures)
        .map(|figure| (figure.name.replace(' ', "_"), session::figure(figure.value)))
        .collect();
    let shown: Vec<String> = report
        .stages
        .iter()
        .flat_map(|stage| &stage.figures)
        .map(|figure| format!("{} {}", figure.value, figure.name))
        .collect();
    session.tell(format_args!("{}: {}, {bytes} bytes", job.output.display(), shown.join(", ")));
    session.field("figures", figures);
    session.field("model_bytes", bytes);
}

fn score_dev(model: &Pcfg, dev: &[Tree], job: &TrainPcfgJob, session: &mut Session) -> anyhow::Result<()> {
    session.progress.stage("parse dev", Some(dev.len() as u64));
    let parser = Parser::new(model, ParserConfig::default());
    let parses = parse_trees(&parser, dev, job.tags, &mut session.progress)?;
    let scores = score_parses(dev, &parses, &BracketConfig::collins())?;
    session.progress.end_stage();
    let summary = scores.summary();
    session.tell(format_args!(
        "dev: F1 {:.2} (precision {:.2}, recall {:.2}), exact {:.2}, tags {:.2}, {} of {} sentences not derived",
        100.0 * summary.brackets.f1(),
        100.0 * summary.brackets.precision(),
        100.0 * summary.brackets.recall(),
        100.0 * summary.exact,
        100.0 * summary.tags,
        summary.failures,
        summary.sentences,
    ));
    let report = Report { brackets: Some(BracketReport::from(&scores)), ..Report::default() };
    session.field("dev", report.to_json_value());
    Ok(())
}
