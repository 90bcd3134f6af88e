//! `eval`: score, compare, report.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use eigentree::Error;
use eigentree::clustering::WordClusters;
use eigentree::corpus::cooccurrence::CountConfig;
use eigentree::eval::brackets::BracketConfig;
use eigentree::eval::report::{Report, Table};
use eigentree::files::{Input, Output};
use eigentree::learn::Observer;
use eigentree::reading::{Format, Source};
use eigentree::scoring::{Diagnosed, Scored, compare, diagnose, score};

use crate::args::{ErrorTables, ErrorsJob, EvalArgs, EvalJob, ReportStyle};
use crate::failure::UsageError;
use crate::printable::printable;
use crate::session::Session;
use serde_json::{Value, json};

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

    let mut tables = report.tables();
    let mut fields = report.to_json_value();
    if let Some(errors) = &job.errors {
        session.progress.stage("analyse", None);
        let found = diagnose_file(&job, errors, &report)?;
        session.progress.end_stage();
        let found = found.report(errors.worst);
        if errors.tables == ErrorTables::Show {
            tables.extend(found.tables());
        }
        fields["errors"] = found.to_json_value();
    }
    let text = text_of(job.report, &tables, &fields);
    output.write_all(text.as_bytes()).map_err(|error| output.error(error))?;
    output.finish()?;
    session.fields(fields);
    Ok(())
}

/// The report. Labels of the files cannot reach the terminal.
fn text_of(style: ReportStyle, tables: &[Table], fields: &Value) -> String {
    let joined = |render: fn(&Table) -> String| {
        printable(&tables.iter().map(render).collect::<Vec<_>>().join("\n")).into_owned()
    };
    match style {
        ReportStyle::Text => joined(Table::to_text),
        ReportStyle::Markdown => joined(Table::to_markdown),
        ReportStyle::Json => format!("{fields:#}\n"),
    }
}

/// Analyses the errors, and writes the page and the scores of sentences.
fn diagnose_file(job: &EvalJob, errors: &ErrorsJob, report: &Report) -> anyhow::Result<Diagnosed> {
    let gold = Source::open(&job.gold, job.format)?;
    let predicted = Source::open(&job.predicted, job.format)?;
    let found = diagnose(gold, predicted, errors.train.as_deref(), &job.scoring)?;
    let write = |path: &Path, text: &str| -> anyhow::Result<()> {
        let mut output = Output::create(path)?;
        output.write_all(text.as_bytes()).map_err(|error| output.error(error))?;
        Ok(output.finish()?)
    };
    if let Some(path) = &errors.html {
        let mut introduction = vec![format!("{} against {}", job.predicted.display(), job.gold.display())];
        introduction.extend(errors.train.iter().map(|path| format!("Known words from {}", path.display())));
        write(path, &found.page("Errors", introduction, report, errors.worst))?;
    }
    if let Some(path) = &errors.sentences {
        write(path, &found.diagnosis.to_tsv())?;
    }
    Ok(found)
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
    let text = text_of(job.report, &tables, &fields);
    output.write_all(text.as_bytes()).map_err(|error| output.error(error))?;
    output.finish()?;
    session.fields(fields);
    Ok(())
}
