//! `tag`: load, stream, write.

use std::time::Instant;

use eigentree::Model;
use eigentree::conversion::{Target, items};
use eigentree::corpus::format::plain_text::BlankLines;
use eigentree::files::{Input, Output};
use eigentree::learn::Observer;
use eigentree::models::pipeline::Pipeline;
use eigentree::models::tagger::{ColumnKind, Tagger};
use eigentree::parsing::Confidences;
use eigentree::reading::{Format, Source};
use eigentree::streaming::{Report, StageTimes};
use eigentree::tagging::{AnnotationConfig, TagConfig, annotate_items, annotate_stream, tag_stream};
use serde_json::{Map, json};

use crate::args::{TagArgs, TagJob};
use crate::failure::UsageError;
use crate::session::Session;

pub(super) fn run(args: TagArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build()?;
    session.progress.stage("load", None);
    match (Model::open(&job.model)?, job.input) {
        (Model::Tagger(_), Some(Format::Text)) => Err(UsageError(
            "--input text applies only to pipelines; train one with `train pipeline`".to_owned(),
        )
        .into()),
        (Model::Tagger(tagger), _) => tag(&tagger, &job, session),
        (Model::Pipeline(pipeline), _) => annotate(&pipeline, &job, session),
        _ => anyhow::bail!(
            "{} cannot tag; use a model trained with `train tagger`, `train ner` or `train pipeline`",
            job.model.display()
        ),
    }
}

/// Annotates raw text or sentences with a pipeline.
pub(super) fn annotate(pipeline: &Pipeline, job: &TagJob, session: &mut Session) -> anyhow::Result<()> {
    if job.nbest > 1 || job.confidences == Confidences::Compute {
        return Err(UsageError(
            "--nbest and --confidence apply only to taggers; a pipeline writes one analysis per sentence"
                .to_owned(),
        )
        .into());
    }
    let words_are_given = match job.input {
        Some(Format::Text) => false,
        Some(_) => true,
        None => Format::of_path(&job.file).is_some(),
    };
    let start = Instant::now();
    let clock = || start.elapsed();
    let config = AnnotationConfig { bad_items: job.bad_items, clock: &clock };
    let report = if words_are_given {
        let source = Source::open(&job.file, job.input)?;
        let mut output = Output::create(&job.output)?;
        session.progress.stage("annotate", None);
        let items = items(source, BlankLines::Skip);
        let report = annotate_items(pipeline, items, &config, &mut session.progress, &mut output)?;
        output.finish()?;
        report
    } else {
        let input = Input::open(&job.file)?;
        let name = input.name().to_owned();
        let mut output = Output::create(&job.output)?;
        session.progress.stage("annotate", None);
        let report = annotate_stream(pipeline, input, &name, &config, &mut session.progress, &mut output)?;
        output.finish()?;
        report
    };
    tell(&report, session);
    tell_times(&report.counts.times, session);
    Ok(())
}

/// Reports the times of the pipeline stages.
fn tell_times(times: &StageTimes, session: &mut Session) {
    let mut fields = Map::new();
    let mut told = Vec::new();
    for (stage, time) in times.iter() {
        told.push(format!("{} {:.1} s", stage.name(), time.as_secs_f64()));
        fields.insert(stage.name().to_owned(), json!(time.as_secs_f64()));
    }
    if !told.is_empty() {
        session.tell(format_args!("time per stage, summed over threads: {}", told.join(", ")));
    }
    session.field("pipeline_seconds", fields);
}

fn tag(tagger: &Tagger, job: &TagJob, session: &mut Session) -> anyhow::Result<()> {
    let source = Source::open(&job.file, job.input)?;
    let spans = tagger.columns().iter().any(|column| column.kind() == ColumnKind::Spans);
    let keeps_columns = matches!(source.format(), Format::Conllu | Format::Conllx);
    let config = TagConfig {
        format: if spans && !keeps_columns { Target::Bio } else { Target::Conllu },
        nbest: job.nbest,
        confidences: job.confidences,
        bad_items: job.bad_items,
    };
    if spans && (job.nbest > 1 || job.confidences == Confidences::Compute) {
        return Err(
            UsageError("--nbest and --confidence apply only to tags, not to entities".to_owned()).into()
        );
    }
    let mut output = Output::create(&job.output)?;
    session.progress.stage("tag", None);
    let report =
        tag_stream(tagger, items(source, BlankLines::Skip), &config, &mut session.progress, &mut output)?;
    output.finish()?;
    tell(&report, session);
    Ok(())
}

fn tell(report: &Report, session: &mut Session) {
    session.progress.end_stage();
    session.skipped(&report.skipped);
    let counts = &report.counts;
    if counts.sentences == 0 {
        session.tell(format_args!("the input has no sentences"));
    }
    session.fields(json!({ "sentences": counts.sentences, "words": counts.words }));
}
