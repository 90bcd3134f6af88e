//! Contents of head automata: singular values, and graphs of deterministic approximations.

use std::fmt::Write as _;
use std::io::Write as _;

use eigentree::automata::{counts_of, graph_of};
use eigentree::corpus::dependency::Direction;
use eigentree::files::{Output, create_folder};
use eigentree::models::head_automata::{HeadAutomata, SymbolId};
use eigentree::reading::read_sentences;
use serde_json::{Value, json};

use crate::args::InspectJob;
use crate::failure::UsageError;
use crate::session::{Session, count};

/// Shows the automata of the symbols that were asked for, or of those with the most sequences; draws their graphs if there is a folder for them.
pub(super) fn put(
    text: &mut String,
    model: &HeadAutomata,
    job: &InspectJob,
    session: &mut Session,
) -> anyhow::Result<()> {
    let symbols = model.symbols();
    let _ = writeln!(
        text,
        "head automata over {} ({}), {}",
        symbols.alphabet().name(),
        count(symbols.len(), "symbol"),
        count(model.states(), "hidden state")
    );
    if let Some((lexical, weight)) = model.lexical() {
        let (contexts, events) = lexical.size();
        let _ = writeln!(text, "words with weight {weight}: {contexts} contexts, {events} events");
    }
    let mut chosen: Vec<SymbolId> = Vec::new();
    for name in &job.symbols {
        let symbol = symbols.get(name).ok_or_else(|| {
            anyhow::anyhow!(
                "unknown symbol `{name}` in {}; `inspect` without --symbol lists some",
                job.file.display()
            )
        })?;
        chosen.push(symbol);
    }
    if chosen.is_empty() {
        chosen = symbols.iter().map(|(symbol, _)| symbol).take(job.top).collect();
    }
    let mut shown = Vec::new();
    for &symbol in &chosen {
        for direction in Direction::BOTH {
            let Some(automaton) = model.latent(symbol, direction) else { continue };
            let values: Vec<String> = automaton.spectrum.iter().map(|value| format!("{value:.4}")).collect();
            let _ = writeln!(
                text,
                "  {} {}: {}, {}; singular values {}",
                symbols.name(symbol),
                name_of(direction),
                count(automaton.initial.len(), "state"),
                count(automaton.symbols.len(), "modifier"),
                if values.is_empty() { "unknown".to_owned() } else { values.join(" ") }
            );
            shown.push(json!({
                "symbol": symbols.name(symbol),
                "direction": name_of(direction),
                "states": automaton.initial.len(),
                "modifiers": automaton.symbols.len(),
                "singular_values": automaton.spectrum,
            }));
        }
    }
    session.field("automata", Value::from(shown));
    draw(text, model, &chosen, job, session)
}

fn name_of(direction: Direction) -> &'static str {
    match direction {
        Direction::Left => "left",
        Direction::Right => "right",
    }
}

/// Writes the graphs as DOT and SVG.
fn draw(
    text: &mut String,
    model: &HeadAutomata,
    chosen: &[SymbolId],
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
    let counts = counts_of(model, &sentences.sentences)?;
    for &symbol in chosen {
        for direction in Direction::BOTH {
            let Some(graph) = graph_of(model, symbol, direction, &counts) else { continue };
            let stem = format!("{}-{}", model.symbols().name(symbol), name_of(direction));
            let stem: String =
                stem.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
            for (extension, content) in [("dot", &graph.dot), ("svg", &graph.svg)] {
                let path = folder.join(format!("{stem}.{extension}"));
                let mut output = Output::create(&path)?;
                output.write_all(content.as_bytes()).map_err(|error| output.error(error))?;
                output.finish()?;
                let _ = writeln!(text, "{}", path.display());
            }
        }
    }
    Ok(())
}
