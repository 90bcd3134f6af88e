//! `tag`: load, stream, write. `parse` does the same with models that annotate words.

use std::time::Instant;

use eigentree::Model;
use eigentree::annotation::{StreamConfig, annotate_files};
use eigentree::conversion::Target;
use eigentree::files::Output;
use eigentree::learn::Observer;
use eigentree::parsing::Confidences;
use eigentree::reading::Format;
use eigentree::streaming::{Report, StageTimes};
use serde_json::{Map, json};

use crate::args::{TagArgs, TagJob};
use crate::failure::UsageError;
use crate::session::{Session, count};

pub(super) fn run(args: TagArgs, session: &mut Session) -> anyhow::Result<()> {
    let mut job = args.build()?;
    session.progress.stage("load", None);
    let model = Model::open(&job.model)?;
    match (&model, job.input) {
        (Model::Tagger(_), Some(Format::Text)) => {
            return Err(UsageError(
                "--input text applies only to pipelines; train one with `train pipeline`".to_owned(),
            )
            .into());
        }
        (Model::Tagger(_), _) => {}
        (Model::Pipeline(_), _) => job.stage = "annotate",
        _ => anyhow::bail!(
            "{} cannot tag; use a model trained with `train tagger`, `train ner` or `train pipeline`",
            job.model.display()
        ),
    }
    annotate(&model, &job, session)?;
    Ok(())
}

/// Annotates files with a model, and tells what became of them.
pub(super) fn annotate(model: &Model, job: &TagJob, session: &mut Session) -> anyhow::Result<Report> {
    let annotator = model.annotator()?;
    let annotator = annotator.with_confidences(job.confidences).with_nbest(job.nbest);
    let annotator = annotator.with_objective(job.objective);
    let format = check_entities(annotator.finds_only_entities(), job)?;
    let documents = job.inputs.documents(format.unwrap_or(Target::Conllu))?;
    if documents.done > 0 {
        session.progress.end_stage();
        session.tell(format_args!("{} annotated already; left out", count(documents.done, "file")));
    }
    let start = Instant::now();
    let clock = || start.elapsed();
    let config =
        StreamConfig { stage: job.stage, format, input: job.input, bad_items: job.bad_items, clock: &clock };
    let mut output = None;
    if job.inputs.is_one_output() {
        session.data_to(&job.inputs.output);
        output = Some(Output::create(&job.inputs.output)?);
    }
    let report =
        annotate_files(&annotator, &documents.files, output.as_mut(), &config, &mut session.progress)?;
    if let Some(output) = output {
        output.finish()?;
    }
    session.progress.end_stage();
    session.skipped(&report.skipped);
    let counts = &report.counts;
    if counts.sentences == 0 && !documents.files.is_empty() {
        session.tell(format_args!("the input has no sentences"));
    }
    if counts.untagged > 0 {
        session.tell(format_args!(
            "{} of {} without tags; the parser relies on tags, so expect poor trees there",
            counts.untagged,
            count(counts.words as usize, "word"),
        ));
    }
    session.fields(json!({ "sentences": counts.sentences, "words": counts.words }));
    if !job.inputs.is_one_output() {
        session.fields(json!({ "files": documents.files.len(), "left_out": documents.done }));
    }
    if matches!(model, Model::Mst(_) | Model::HeadAutomata(_)) {
        session.field("untagged", counts.untagged);
    }
    if let Model::Pipeline(_) = model {
        tell_times(&counts.times, session);
    }
    Ok(report)
}

/// Refuses what entities cannot have; returns the format to write, if it does not depend on the input.
fn check_entities(entities: bool, job: &TagJob) -> Result<Option<Target>, UsageError> {
    let confidences = job.confidences == Confidences::Compute;
    if entities && job.nbest > 1 {
        return Err(UsageError("--nbest applies only to tags and trees, not to entities".to_owned()));
    }
    if job.format == Some(Target::Bio) && confidences {
        return Err(UsageError("two columns cannot hold --confidence; choose another --format".to_owned()));
    }
    let format = match (entities, job.format) {
        (true, None) if confidences => Some(Target::Conllu),
        // The folder needs one ending for all.
        (true, None) if !job.inputs.is_one_output() => {
            let columns = matches!(job.inputs.format_by_name()?, Some(Format::Conllu | Format::Conllx));
            Some(if columns { Target::Conllu } else { Target::Bio })
        }
        (true, None) => None,
        (false, format) => Some(format.unwrap_or(Target::Conllu)),
        (true, format) => format,
    };
    Ok(format)
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
