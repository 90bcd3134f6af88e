//! The command: reads a file and prints its description.

use std::fmt::Write as _;
use std::io::Write;

use eigentree::Model;
use eigentree::files::{Output, can_be_read_again, is_model, open_model};
use eigentree::inspection::{Contents, FileDescription, InspectionError, Theory, Topic, Verification};
use eigentree::models::persist::Container;
use eigentree::reading::Source;
use eigentree::statistics::{of_corpus, vocabulary};
use serde_json::json;

use super::{automata, clusters, figures, grammar, sequence};
use crate::args::{InspectArgs, InspectJob, Layout, ShowTheory, Verify};
use crate::failure::UsageError;
use crate::printable::printable;
use crate::session::{Session, count};

pub(in crate::commands) fn run(args: InspectArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build();
    // What a pipe has cannot be looked at first. Options that only models have tell, too.
    let asked = job.verify == Verify::Verify || !job.request.topics().is_empty();
    let is_model = is_model(&job.file)? || (asked && !can_be_read_again(&job.file));
    let text = if job.format.is_none() && is_model {
        inspect_model(&job, session)?
    } else {
        inspect_corpus(&job, session)?
    };
    session.progress.end_stage();
    let mut output = Output::stdout();
    output.write_all(printable(&text).as_bytes()).map_err(|error| output.error(error))?;
    Ok(output.finish()?)
}

fn inspect_corpus(job: &InspectJob, session: &mut Session) -> anyhow::Result<String> {
    if job.verify == Verify::Verify {
        let file = job.file.display();
        return Err(UsageError(format!("--verify applies only to models, but {file} is not one")).into());
    }
    if let Some(&topic) = job.request.topics().first() {
        let (options, file) = (options(topic), job.file.display());
        return Err(UsageError(format!("{options} applies only to models, but {file} is not one")).into());
    }
    let known = match &job.train {
        Some(path) => Some(vocabulary(Source::open(path, job.format)?, job.bad_items)?),
        None => None,
    };
    let source = Source::open(&job.file, job.format)?;
    let statistics = of_corpus(source, job.bad_items, known.as_ref(), &mut session.progress)?;
    session.skipped(&statistics.skipped);
    let mut text = format!("{}: {}\n", job.file.display(), statistics.format);
    figures::put(&mut text, &statistics.figures);
    let top = job.request.top;
    for (title, ranked) in statistics.tables.iter().filter(|(_, ranked)| !ranked.is_empty()) {
        let shown: Vec<String> =
            ranked.iter().take(top).map(|(name, count)| format!("{name} {count}")).collect();
        let more = if ranked.len() > top { ", …" } else { "" };
        let _ = writeln!(text, "{title}: {}{more}", shown.join(", "));
    }
    session.fields(statistics.to_json(top));
    Ok(text)
}

fn inspect_model(job: &InspectJob, session: &mut Session) -> anyhow::Result<String> {
    let container = open_model(&job.file)?;
    let file = FileDescription::of(&container);
    session.fields(file.to_json());
    let mut text = inspect_contents(job, &container, &file, session)?;
    if job.verify == Verify::Verify {
        let verified = Verification::of(&container, &job.file.display().to_string())?;
        let _ = writeln!(text, "verified: {}", verified.explanation());
        session.fields(json!({ "verified": verified.to_json() }));
    }
    match job.layout {
        Layout::Show => put_layout(&mut text, &file),
        Layout::Leave => {}
    }
    Ok(text)
}

/// What the file says of itself and what the model holds.
fn inspect_contents(
    job: &InspectJob,
    container: &Container,
    file: &FileDescription,
    session: &mut Session,
) -> anyhow::Result<String> {
    let mut text = describe(job, file);
    if !file.has_model() {
        return match job.request.topics().first() {
            Some(&topic) => Err(refusal(job, InspectionError::NotApplicable(topic))),
            None => Ok(text),
        };
    }
    let model = Model::load(container, &job.file.display().to_string())?;
    let contents = model.inspect(&job.request).map_err(|error| refusal(job, error))?;
    match &contents {
        Contents::Grammar(shown) => grammar::put(&mut text, shown),
        Contents::Clusters(shown) => clusters::put(&mut text, shown),
        Contents::Sequence(shown) => sequence::put(&mut text, shown),
        Contents::HeadAutomata(shown) => automata::put(&mut text, shown),
        _ => {}
    }
    session.fields(contents.to_json());
    if job.theory == ShowTheory::Show {
        match Theory::of(&model) {
            None => {
                let _ = writeln!(text, "theory: {}", without_theory(&model));
            }
            Some(theory) => {
                for line in theory.explanation(job.request.top) {
                    let _ = writeln!(text, "theory: {line}");
                }
                session.fields(json!({ "theory": theory.to_json() }));
            }
        }
    }
    match &model {
        Model::HeadAutomata(model) => automata::draw(&mut text, model, job, session)?,
        _ if job.graphs.is_some() || job.sequences.is_some() => {
            return Err(not_applicable(job, "--graphs or --sequences", "head automata").into());
        }
        _ => {}
    }
    Ok(text)
}

/// Why there is nothing to say of a model.
fn without_theory(model: &Model) -> &'static str {
    match model {
        Model::Lpcfg(_) | Model::HeadAutomata(_) | Model::Deptree(_) => {
            "no symbol of this model has states from a decomposition, which is what the theorems are about"
        }
        Model::Clusters(_) => "the text has no pairs of words",
        _ => "the papers have no theorem about models of this family",
    }
}

/// The options that ask for a topic.
fn options(topic: Topic) -> &'static str {
    match topic {
        Topic::Symbols => "--symbol",
        Topic::Members => "--member",
        Topic::Clusters => "--word, --cluster or --prefix",
    }
}

fn not_applicable(job: &InspectJob, options: &str, models: &str) -> UsageError {
    UsageError(format!("{options} applies only to {models}, but {} has none", job.file.display()))
}

/// The error in terms of options and files.
fn refusal(job: &InspectJob, error: InspectionError) -> anyhow::Error {
    let file = job.file.display();
    match error {
        InspectionError::NotApplicable(topic) => not_applicable(job, options(topic), topic.models()).into(),
        InspectionError::NoMember { asked, members } => {
            let members = count(members, "member");
            UsageError(format!("there is no member {asked}; {file} has {members}")).into()
        }
        error => anyhow::anyhow!("{file}: {error}"),
    }
}

fn describe(job: &InspectJob, file: &FileDescription) -> String {
    let metadata = &file.metadata;
    let mut text = format!(
        "{}: a model of the family {} (format {}), {} bytes\n  written by {}\n",
        job.file.display(),
        metadata.family,
        metadata.family_format,
        file.bytes,
        metadata.creator
    );
    for (key, value) in &metadata.notes {
        let _ = writeln!(text, "  {key}: {value}");
    }
    if job.layout == Layout::Leave {
        let _ = writeln!(text, "  {} (--layout lists them)", count(file.sections.len(), "section"));
    }
    text
}

/// The sections of the file, with their sizes.
fn put_layout(text: &mut String, file: &FileDescription) {
    text.push_str("sections\n");
    let width = file.sections.iter().map(|section| section.name.len()).max().unwrap_or(0);
    for section in &file.sections {
        let shape: Vec<String> = section.shape.iter().map(ToString::to_string).collect();
        let shape = shape.join("×");
        let _ = writeln!(
            text,
            "  {:width$} {:5} {shape:>12} {:>12} bytes",
            section.name, section.kind, section.bytes
        );
    }
}
