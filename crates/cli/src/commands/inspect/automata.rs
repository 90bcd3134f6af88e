//! Head automata as text: singular values, and files of graphs.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use eigentree::files::{Output, create_folder};
use eigentree::inspection::{AutomataContents, AutomatonGraph, automaton_graphs};
use eigentree::models::head_automata::HeadAutomata;
use eigentree::reading::read_sentences;

use crate::args::InspectJob;
use crate::failure::UsageError;
use crate::session::{Session, count};

/// Shows sizes and singular values.
pub(super) fn put(text: &mut String, shown: &AutomataContents) {
    let (symbols, states) = (count(shown.symbols, "symbol"), count(shown.states, "hidden state"));
    let _ = writeln!(text, "head automata over {} ({symbols}), {states}", shown.alphabet);
    if let Some(lexical) = shown.lexical {
        let (weight, contexts, events) = (lexical.weight, lexical.contexts, lexical.events);
        let _ = writeln!(text, "words with weight {weight}: {contexts} contexts, {events} events");
    }
    for automaton in &shown.automata {
        let values: Vec<String> =
            automaton.singular_values.iter().map(|value| format!("{value:.4}")).collect();
        let _ = writeln!(
            text,
            "  {} {}: {}, {}; singular values {}",
            automaton.symbol,
            automaton.direction.name(),
            count(automaton.states, "state"),
            count(automaton.modifiers, "modifier"),
            if values.is_empty() { "unknown".to_owned() } else { values.join(" ") }
        );
    }
}

/// Writes the graphs as DOT and SVG if they were requested, and lists the files.
pub(super) fn draw(
    text: &mut String,
    model: &HeadAutomata,
    job: &InspectJob,
    session: &mut Session,
) -> anyhow::Result<()> {
    let (folder, treebank) = match (&job.graphs, &job.sequences) {
        (None, None) => return Ok(()),
        (Some(folder), Some(treebank)) => (folder, treebank),
        _ => {
            return Err(UsageError(
                "graphs need a folder and a treebank; give both --graphs and --sequences".to_owned(),
            )
            .into());
        }
    };
    create_folder(folder)?;
    let sentences = read_sentences(&[treebank], job.bad_items, &mut session.progress)?;
    session.skipped(&sentences.skipped);
    for graph in automaton_graphs(model, &job.request, &sentences.sentences)? {
        write(text, &graph, folder)?;
    }
    Ok(())
}

fn write(text: &mut String, graph: &AutomatonGraph, folder: &Path) -> anyhow::Result<()> {
    let _ = writeln!(
        text,
        "{} {}: {}; {:.1} % of the prefixes in the state of their cluster",
        graph.symbol,
        graph.direction.name(),
        count(graph.graph.nodes.len(), "state"),
        100.0 * graph.agreement
    );
    for (extension, content) in [("dot", &graph.dot), ("svg", &graph.svg)] {
        let path = folder.join(format!("{}.{extension}", graph.file_stem()));
        let mut output = Output::create(&path)?;
        output.write_all(content.as_bytes()).map_err(|error| output.error(error))?;
        output.finish()?;
        let _ = writeln!(text, "{}", path.display());
    }
    Ok(())
}
