//! `eval`: score, compare, report.

use std::io::Write;

use anyhow::Context;
use eigentree::Error;
use eigentree::eval::brackets::BracketConfig;
use eigentree::files::{Input, Output};
use eigentree::learn::Observer;
use eigentree::reading::Source;
use eigentree::scoring::{Scored, compare, score};

use crate::args::{EvalArgs, EvalJob, ReportStyle};
use crate::session::Session;

pub(super) fn run(args: EvalArgs, session: &mut Session) -> anyhow::Result<()> {
    let mut job = args.build(session.seed)?;
    if let Some(path) = &job.params {
        let text = std::io::read_to_string(Input::open(path)?)
            .with_context(|| format!("cannot read parameters from {}", path.display()))?;
        let parameters = BracketConfig::from_parameters(&text);
        job.scoring.brackets = parameters.with_context(|| path.display().to_string())?;
    }
    let mut output = Output::create(&job.output)?;

    session.progress.stage("score", None);
    let first = score_file(&job, &job.predicted)?;
    let mut report = first.report();
    let mut skipped = first.skipped.clone();
    if let Some(path) = &job.compare {
        let second = score_file(&job, path)?;
        session.progress.stage("compare", None);
        report.comparisons = compare(&first.scores, &second.scores, &job.scoring.bootstrap)?;
        // What is wrong with the gold file was met before.
        skipped.extend(second.skipped.into_iter().filter(|place| !first.skipped.contains(place)));
    }
    session.progress.end_stage();
    session.skipped(&skipped);

    let text = match job.report {
        ReportStyle::Text => report.to_text(),
        ReportStyle::Markdown => report.to_markdown(),
        ReportStyle::Json => report.to_json() + "\n",
    };
    output.write_all(text.as_bytes()).map_err(|error| output.error(error))?;
    output.finish()?;
    session.fields(report.to_json_value());
    Ok(())
}

fn score_file(job: &EvalJob, predicted: &std::path::Path) -> Result<Scored, Error> {
    let gold = Source::open(&job.gold, job.format)?;
    let predicted = Source::open(predicted, job.format)?;
    score(gold, predicted, &job.scoring)
}
