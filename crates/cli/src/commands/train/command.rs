//! Steps of training shared by all families: open, save, score.

use std::path::Path;

use eigentree::Model;
use eigentree::corpus::tree::Tree;
use eigentree::corpus::tree::binarize::{Direction, Horizontal};
use eigentree::corpus::tree::normal_form::NormalForm;
use eigentree::eval::brackets::BracketConfig;
use eigentree::eval::report::{BracketReport, Report};
use eigentree::files::Output;
use eigentree::learn::{LearnReport, Observer};
use eigentree::models::persist::Metadata;
use eigentree::parsing::{TagUse, TreeParser, parse_trees, score_parses};
use eigentree::reading::read_trees;
use eigentree::training::prepare;
use serde_json::{Map, Value};

use super::{deptree, lpcfg, mst, ner, pcfg, pipeline, reranker, sequence, shag, tagger};
use crate::args::{SequenceKind, TrainArgs, TrainData, TrainFamily};
use crate::session::{self, Session};

pub(in crate::commands) fn run(args: TrainArgs, session: &mut Session) -> anyhow::Result<()> {
    match args.family {
        TrainFamily::Lpcfg(args) => lpcfg::run(*args, session),
        TrainFamily::Mst(args) => mst::run(*args, session),
        TrainFamily::Deptree(args) => deptree::run(*args, session),
        TrainFamily::Reranker(args) => reranker::run(*args, session),
        TrainFamily::Pcfg(args) => pcfg::run(*args, session),
        TrainFamily::Tagger(args) => tagger::run(*args, session),
        TrainFamily::Ner(args) => ner::run(*args, session),
        TrainFamily::Pipeline(args) => pipeline::run(*args, session),
        TrainFamily::Shag(args) => shag::run(*args, session),
        TrainFamily::Automaton(args) => sequence::run(*args, SequenceKind::Automaton, session),
        TrainFamily::Hmm(args) => sequence::run(*args, SequenceKind::Hmm, session),
    }
}

/// Files opened before the work, so that a bad path fails at once.
pub(super) struct Material {
    pub(super) output: Output,
    pub(super) trees: Vec<Tree>,
    pub(super) dev: Option<Vec<Tree>>,
}

impl Material {
    pub(super) fn open(data: &TrainData, session: &mut Session) -> anyhow::Result<Self> {
        let output = Output::create(&data.output)?;
        let treebank = read_trees(&data.trees, data.bad_items, &mut session.progress)?;
        session.skipped(&treebank.skipped);
        let dev = match &data.dev {
            None => None,
            Some(path) => {
                let treebank = read_trees(&[path], data.bad_items, &mut session.progress)?;
                session.skipped(&treebank.skipped);
                Some(prepare(treebank.trees, data.annotation))
            }
        };
        session.progress.stage("prepare", None);
        Ok(Self { output, trees: prepare(treebank.trees, data.annotation), dev })
    }
}

/// Adds notes on the normal form to the metadata.
pub(super) fn with_form(metadata: Metadata, form: &NormalForm) -> Metadata {
    let horizontal = match form.horizontal {
        Horizontal::Order(order) => Value::from(order),
        Horizontal::Unlimited => Value::from("unlimited"),
    };
    let direction = match form.direction {
        Direction::Left => "left",
        Direction::Right => "right",
        Direction::HeadOutward(_) => "head",
    };
    metadata
        .with_note("horizontal", horizontal)
        .with_note("vertical", form.vertical)
        .with_note("binarize", direction)
}

/// Saves the model and reports its size.
pub(super) fn save(
    model: &Model,
    metadata: &Metadata,
    output: Output,
    report: &LearnReport,
    name: &Path,
    session: &mut Session,
) -> anyhow::Result<()> {
    session.progress.stage("save", None);
    let bytes = model.save(output, metadata)?;
    session.progress.end_stage();
    // A stage that ran for several members has its figures several times; show the last ones.
    let mut figures: Vec<(&str, f64)> = Vec::new();
    for figure in report.stages.iter().flat_map(|stage| &stage.figures) {
        match figures.iter_mut().find(|(name, _)| *name == figure.name) {
            Some((_, value)) => *value = figure.value,
            None => figures.push((&figure.name, figure.value)),
        }
    }
    let shown: Vec<String> = figures.iter().map(|(name, value)| format!("{value} {name}")).collect();
    session.tell(format_args!("{}: {}, {bytes} bytes", name.display(), shown.join(", ")));
    let figures: Map<String, Value> = figures
        .iter()
        .map(|&(name, value)| (name.replace([' ', '-'], "_"), session::figure(value)))
        .collect();
    session.field("figures", figures);
    session.field("model_bytes", bytes);
    Ok(())
}

/// Parses the development trees and adds the scores to the summary as `field`.
pub(super) fn score_dev<P: TreeParser>(
    parser: &P,
    dev: &[Tree],
    tags: TagUse,
    field: &str,
    session: &mut Session,
) -> anyhow::Result<()> {
    let how = match tags {
        TagUse::Given => "with its tags",
        TagUse::Predicted => "from words",
    };
    session.progress.stage(&format!("parse dev {how}"), Some(dev.len() as u64));
    let parses = parse_trees(parser, dev, tags, &mut session.progress)?;
    session.progress.end_stage();
    let scores = score_parses(dev, &parses, &BracketConfig::collins())?;
    let summary = scores.summary();
    session.tell(format_args!(
        "dev {how}: F1 {:.2} (precision {:.2}, recall {:.2}), exact {:.2}, tags {:.2}, {} of {} sentences not derived",
        100.0 * summary.brackets.f1(),
        100.0 * summary.brackets.precision(),
        100.0 * summary.brackets.recall(),
        100.0 * summary.exact,
        100.0 * summary.tags,
        summary.failures,
        summary.sentences,
    ));
    let report = Report { brackets: Some(BracketReport::from(&scores)), ..Report::default() };
    session.field(field, report.to_json_value());
    Ok(())
}
