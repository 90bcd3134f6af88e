//! The command: reads a file and prints its description.

use std::fmt::Write as _;
use std::io::Write;

use eigentree::Model;
use eigentree::files::{Output, is_model, open_model};
use eigentree::models::clusters::{COUNTS_FAMILY, EMBEDDING_FAMILY};
use eigentree::models::lpcfg::Lpcfg;
use eigentree::models::pcfg::Pcfg;
use eigentree::models::persist::Container;
use eigentree::reading::Source;
use eigentree::statistics::{SymbolStatistics, of_corpus, of_model, of_states, of_symbol, vocabulary};
use serde_json::{Map, Value, json};

use super::{automata, clusters, sequence, states};
use crate::args::{InspectArgs, InspectJob};
use crate::failure::UsageError;
use crate::session::{Session, count, figure};

pub(in crate::commands) fn run(args: InspectArgs, session: &mut Session) -> anyhow::Result<()> {
    let job = args.build();
    let text = if job.format.is_none() && is_model(&job.file)? {
        inspect_model(&job, session)?
    } else if job.symbols.is_empty() && job.clusters.asked().is_empty() {
        inspect_corpus(&job, session)?
    } else {
        let asked = if job.symbols.is_empty() { "such an option" } else { "--symbol" };
        return Err(UsageError(format!(
            "{asked} applies only to models, but {} is not one",
            job.file.display()
        ))
        .into());
    };
    session.progress.end_stage();
    let mut output = Output::stdout();
    output.write_all(text.as_bytes()).map_err(|error| output.error(error))?;
    Ok(output.finish()?)
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.2}") }
}

fn put_figures(text: &mut String, figures: &[(&'static str, f64)]) {
    let width = figures.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, value) in figures {
        let _ = writeln!(text, "  {name:width$}  {}", number(*value));
    }
}

fn inspect_corpus(job: &InspectJob, session: &mut Session) -> anyhow::Result<String> {
    let known = match &job.train {
        Some(path) => Some(vocabulary(Source::open(path, job.format)?, job.bad_items)?),
        None => None,
    };
    let source = Source::open(&job.file, job.format)?;
    let statistics = of_corpus(source, job.bad_items, known.as_ref(), &mut session.progress)?;
    session.skipped(&statistics.skipped);
    let mut text = format!("{}: {}\n", job.file.display(), statistics.format);
    put_figures(&mut text, &statistics.figures);
    for (title, ranked) in statistics.tables.iter().filter(|(_, ranked)| !ranked.is_empty()) {
        let shown: Vec<String> =
            ranked.iter().take(job.top).map(|(name, count)| format!("{name} {count}")).collect();
        let more = if ranked.len() > job.top { ", …" } else { "" };
        let _ = writeln!(text, "{title}: {}{more}", shown.join(", "));
    }
    let figures: Map<String, Value> =
        statistics.figures.iter().map(|&(name, value)| (name.to_owned(), figure(value))).collect();
    let tables: Map<String, Value> = statistics
        .tables
        .iter()
        .map(|(title, ranked)| ((*title).to_owned(), json!(&ranked[..ranked.len().min(job.top)])))
        .collect();
    session.fields(json!({ "format": statistics.format.name(), "figures": figures, "tables": tables }));
    Ok(text)
}

fn inspect_model(job: &InspectJob, session: &mut Session) -> anyhow::Result<String> {
    let container = open_model(&job.file)?;
    let mut text = describe_container(job, &container, session);
    // Counts and vectors have nothing but their sizes to show.
    if [COUNTS_FAMILY, EMBEDDING_FAMILY].contains(&container.metadata().family.as_str()) {
        refuse(job, &job.symbols, "--symbol", "grammars")?;
        refuse(job, &job.clusters.asked(), "--word, --cluster or --prefix", "clusters of words")?;
        return Ok(text);
    }
    let model = Model::load(&container, &job.file.display().to_string())?;
    if let Model::Clusters(model) = &model {
        refuse(job, &job.symbols, "--symbol", "grammars")?;
        clusters::put(&mut text, model, job, session)?;
        return Ok(text);
    }
    if let Model::Sequence(model) = &model {
        refuse(job, &job.symbols, "--symbol", "grammars")?;
        refuse(job, &job.clusters.asked(), "--word, --cluster or --prefix", "clusters of words")?;
        sequence::put(&mut text, model, session);
        return Ok(text);
    }
    let asked: Vec<&String> = job.clusters.asked();
    if let Model::HeadAutomata(model) = &model {
        refuse(job, &asked, "--word, --cluster or --prefix", "clusters of words")?;
        automata::put(&mut text, model, job, session)?;
        return Ok(text);
    }
    let graphs: Vec<String> =
        job.graphs.iter().chain(&job.sequences).map(|path| path.display().to_string()).collect();
    refuse(job, &graphs.iter().collect::<Vec<_>>(), "--graphs or --sequences", "head automata")?;
    refuse(job, &asked, "--word, --cluster or --prefix", "clusters of words")?;
    let (Some(statistics), Some(plain)) = (of_model(&model), model.grammar()) else { return Ok(text) };
    let member = chosen_member(job, &model)?;
    text.push_str("grammar\n");
    put_figures(&mut text, &statistics.figures);
    let roots: Vec<String> =
        statistics.roots.iter().take(job.top).map(|(label, share)| format!("{label} {share:.4}")).collect();
    let _ = writeln!(text, "roots: {}", roots.join(", "));
    // The members of an ensemble may have grammars in different normal forms.
    let grammar = member.and_then(|(model, member)| model.grammar_of(member)).unwrap_or(plain);
    let mut symbols = Map::new();
    for label in &job.symbols {
        let found = of_symbol(grammar, label);
        if found.is_empty() {
            let advice = match refined_labels(grammar, label, job.top) {
                refined if refined.is_empty() => "labels are case-sensitive".to_owned(),
                refined => format!("its labels are annotated with their parents; try {}", refined.join(", ")),
            };
            anyhow::bail!("unknown symbol `{label}` in {}; {advice}", job.file.display());
        }
        for symbol in found {
            let (title, list) = match symbol {
                SymbolStatistics::Phrase(rules) => ("rules", rules),
                SymbolStatistics::Preterminal(words) => ("words", words),
            };
            let _ = writeln!(text, "{title} of {label} ({} in total)", list.len());
            let shown: Vec<Value> = list
                .iter()
                .take(job.top)
                .map(|(expansion, share, times)| json!([expansion, share, figure(*times)]))
                .collect();
            let entry = symbols.entry(label.clone()).or_insert_with(|| json!({}));
            entry[title] = json!({ "count": list.len(), "top": shown });
            for (expansion, share, times) in list.iter().take(job.top) {
                let _ = writeln!(text, "  {share:.6}  {times:>7}  {label} → {expansion}");
            }
        }
        if let Some((model, member)) = member {
            let inspected = of_states(model, member, label, job.top_of_states);
            symbols[label]["latent"] = inspected.iter().map(states::json).collect();
            inspected.iter().for_each(|symbol| states::put(&mut text, symbol));
        }
    }
    if let Some((model, member)) = member {
        session.field("member", member + 1);
        if job.symbols.is_empty() {
            let overview = model.overview(member);
            let shown = &overview[..overview.len().min(job.top)];
            states::put_overview(&mut text, shown, overview.len());
            session.field("latent", shown.iter().map(states::overview_json).collect::<Value>());
        }
    }
    let figures: Map<String, Value> =
        statistics.figures.iter().map(|&(name, value)| (name.to_owned(), figure(value))).collect();
    let roots: Vec<_> = statistics.roots.iter().take(job.top).collect();
    session.fields(json!({ "figures": figures, "roots": roots, "symbols": symbols }));
    Ok(text)
}

/// Rejects options that apply only to other kinds of models.
fn refuse<T>(job: &InspectJob, given: &[T], options: &str, kind: &str) -> Result<(), UsageError> {
    match given {
        [] => Ok(()),
        _ => {
            Err(UsageError(format!("{options} applies only to {kind}, but {} has none", job.file.display())))
        }
    }
}

/// The model and the number of the member whose states to show; `None` if the model has no states.
fn chosen_member<'m>(job: &InspectJob, model: &'m Model) -> anyhow::Result<Option<(&'m Lpcfg, usize)>> {
    let chosen = job.member.map_or(0, |number| number.get() - 1);
    match model {
        Model::Pcfg(_) if job.member.is_some() => {
            let file = job.file.display();
            Err(UsageError(format!(
                "--member applies only to grammars with latent states, but {file} has none"
            ))
            .into())
        }
        Model::Lpcfg(model) if chosen < model.members() => Ok(Some((model, chosen))),
        Model::Lpcfg(model) => {
            let members = count(model.members(), "member");
            let asked = chosen + 1;
            Err(UsageError(format!("there is no member {asked}; {} has {members}", job.file.display()))
                .into())
        }
        _ => Ok(None),
    }
}

/// The labels of a Markovised grammar that annotate `label` with its parents.
fn refined_labels<'m>(model: &'m Pcfg, label: &str, most: usize) -> Vec<&'m str> {
    let symbols = model.symbols();
    let refined = |symbol: &&str| symbol.strip_prefix(label).is_some_and(|rest| rest.starts_with('^'));
    let mut found: Vec<&str> =
        symbols.iter().map(|symbol| symbols.label(symbol)).filter(refined).take(most).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn describe_container(job: &InspectJob, container: &Container, session: &mut Session) -> String {
    let metadata = container.metadata();
    let mut text = format!(
        "{}: a model of the family {} (format {}), {} bytes\n  written by {}\n",
        job.file.display(),
        metadata.family,
        metadata.family_format,
        container.byte_len(),
        metadata.creator
    );
    for (key, value) in &metadata.notes {
        let _ = writeln!(text, "  {key}: {value}");
    }
    let mut table = "sections\n".to_owned();
    let mut sections = Vec::new();
    let width = container.sections().map(|section| section.name().len()).max().unwrap_or(0);
    for section in container.sections() {
        let shape: Vec<String> = section.shape().iter().map(ToString::to_string).collect();
        let shape = shape.join("×");
        let _ = writeln!(
            table,
            "  {:width$} {:5} {:>12} {:>12} bytes",
            section.name(),
            section.kind().to_string(),
            shape,
            section.byte_len()
        );
        sections.push(json!({ "name": section.name(), "kind": section.kind().to_string(),
            "shape": section.shape(), "bytes": section.byte_len() }));
    }
    session.fields(json!({ "family": metadata.family, "creator": metadata.creator, "notes": metadata.notes,
        "bytes": container.byte_len(), "sections": sections }));
    // Nobody who asks for a symbol wants to scroll through sections.
    if job.symbols.is_empty() && job.clusters.asked().is_empty() {
        text.push_str(&table);
    }
    text
}
