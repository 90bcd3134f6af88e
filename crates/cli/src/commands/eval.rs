//! `eval`: score, compare, report.

use std::io::Write;

use anyhow::Context;
use eigentree::Error;
use eigentree::clustering::WordClusters;
use eigentree::corpus::cooccurrence::CountConfig;
use eigentree::eval::brackets::BracketConfig;
use eigentree::eval::report::{Report, Table};
use eigentree::files::{Input, Output};
use eigentree::learn::Observer;
use eigentree::reading::{Format, Source};
use eigentree::scoring::{Scored, compare, score};

use crate::args::{EvalArgs, EvalJob, ReportStyle};
use crate::failure::UsageError;
use crate::session::Session;
use serde_json::json;

pub(super) fn run(args: EvalArgs, session: &mut Session) -> anyhow::Result<()> {
    let mut job = args.build(session.seed)?;
    if let Some(path) = &job.params {
        let text = std::io::read_to_string(Input::open(path)?)
            .with_context(|| format!("cannot read parameters from {}", path.display()))?;
        let parameters = BracketConfig::from_parameters(&text);
        job.scoring.brackets = parameters.with_context(|| path.display().to_string())?;
    }
    let mut output = Output::create(&job.output)?;
    if let Some(clusters) = WordClusters::open(&job.predicted)? {
        return score_clusters(clusters, &job, output, session);
    }

    session.progress.stage("score", None);
    let first = score_file(&job, &job.predicted)?;
    let mut report = first.report();
    let mut skipped = first.skipped.clone();
    if let Some(path) = &job.compare {
        let second = score_file(&job, path)?;
        session.progress.stage("compare", None);
        report.comparisons = compare(&first.scores, &second.scores, &job.scoring.bootstrap)?;
        // Errors of the gold file were already collected in the first pass.
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

/// Scores word clusters against tags, or on a text.
fn score_clusters(
    mut clusters: WordClusters,
    job: &EvalJob,
    mut output: Output,
    session: &mut Session,
) -> anyhow::Result<()> {
    if job.compare.is_some() {
        return Err(UsageError(
            "--compare does not apply to clusters; score each file separately".to_owned(),
        )
        .into());
    }
    if let Some(bits) = job.clusters.prefix {
        clusters.cut(bits);
    }
    let gold = Source::open(&job.gold, job.format)?;
    let (tables, fields) = if gold.format() == Format::Words {
        drop(gold);
        let config = CountConfig { boundaries: job.clusters.boundaries, ..CountConfig::default() };
        let found = clusters.on_texts(&[&job.gold], &config, &mut session.progress)?;
        let rows = [
            ("mutual information, nats", format!("{:.4}", found.mutual_information)),
            ("clusters", found.clusters.to_string()),
            ("tokens", found.tokens.to_string()),
            ("without a cluster", found.unknown.to_string()),
        ];
        let rows = rows.map(|(name, value)| vec![name.to_owned(), value]).to_vec();
        let table = Table { header: vec!["clusters".to_owned(), String::new()], rows };
        let fields = json!({ "mi": found.mutual_information, "tokens": found.tokens, "unknown": found.unknown,
            "clusters": { "clusters": found.clusters } });
        (vec![table], fields)
    } else {
        session.progress.stage("score", None);
        let found = clusters.against_tags(gold, job.clusters.column, job.scoring.bad_items)?;
        session.skipped(&found.skipped);
        let report = Report { clusters: Some((&found.table).into()), ..Report::default() };
        let mut fields = report.to_json_value();
        fields["unknown"] = json!(found.unknown);
        (report.tables(), fields)
    };
    session.progress.end_stage();
    let text = match job.report {
        ReportStyle::Text => tables.iter().map(Table::to_text).collect::<Vec<_>>().join("\n"),
        ReportStyle::Markdown => tables.iter().map(Table::to_markdown).collect::<Vec<_>>().join("\n"),
        ReportStyle::Json => format!("{fields:#}\n"),
    };
    output.write_all(text.as_bytes()).map_err(|error| output.error(error))?;
    output.finish()?;
    session.fields(fields);
    Ok(())
}
