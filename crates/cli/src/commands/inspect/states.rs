//! Latent states as text.

use std::fmt::Write as _;

use eigentree::inspection::ExpansionKind;
use eigentree::models::grammar::SymbolKind;
use eigentree::models::lpcfg::{
    Direction, Inspection, Latent, LatentState, Loading, Poles, Spectrum, SymbolOverview, Typical,
};
use eigentree::spectral::Support;

use crate::session::count;

/// Writes the table of the symbols of a member.
pub(super) fn put_overview(text: &mut String, shown: &[SymbolOverview<'_>], all: usize) {
    let width = shown.iter().map(|symbol| symbol.label.chars().count()).max().unwrap_or(0).max(6);
    let _ = writeln!(text, "latent states (the most frequent of {all} symbols)");
    let _ = writeln!(text, "  {:width$}      nodes  states     σ_1  σ_m/σ_1", "symbol");
    for symbol in shown {
        let _ = write!(text, "  {:width$} {:>10} {:>7}", symbol.label, symbol.nodes, symbol.states);
        let _ = match symbol.spectrum {
            Some(spectrum) => writeln!(text, " {:>7.4} {:>8.4}", spectrum.first(), spectrum.ratio()),
            None => writeln!(text, "       –        –"),
        };
    }
}

/// One symbol.
pub(super) fn put(text: &mut String, inspection: &Inspection<'_>) {
    let symbol = &inspection.symbol;
    let kind = symbol.kind.name();
    let what = match inspection.latent {
        Latent::States(_) => "latent state",
        Latent::Directions(_) => "direction",
    };
    let (states, nodes) = (count(symbol.states, what), symbol.nodes);
    let _ = writeln!(text, "{states} of the {kind} {} ({nodes} nodes)", symbol.label);
    if let Some(spectrum) = symbol.spectrum {
        put_spectrum(text, spectrum);
    }
    match &inspection.latent {
        Latent::States(states) => states.iter().for_each(|state| put_state(text, state, symbol.kind)),
        Latent::Directions(all) => all.iter().for_each(|one| put_direction(text, one, symbol.kind)),
    }
}

fn put_spectrum(text: &mut String, spectrum: &Spectrum) {
    let shown =
        |values: &[f32]| values.iter().map(|value| format!("{value:.4}")).collect::<Vec<_>>().join(" ");
    let (kept, rest) = spectrum.singular_values.split_at(spectrum.rank as usize);
    let _ = write!(text, "  singular values: {}", shown(kept));
    let _ = if rest.is_empty() { writeln!(text) } else { writeln!(text, " | {}", shown(rest)) };
    let _ = write!(text, "  σ_m/σ_1 {:.4}", spectrum.ratio());
    if let Some(gap) = spectrum.gap() {
        let _ = write!(text, ", gap below σ_m {:.1} %", 100.0 * gap);
    }
    let _ = writeln!(text, ", sampling error about {:.4}: {}", spectrum.noise, verdict(spectrum));
}

/// Verdict on the number of dimensions.
fn verdict(spectrum: &Spectrum) -> String {
    let rank = count(spectrum.rank as usize, "dimension");
    match spectrum.support() {
        Support::Ample => format!("the treebank supports {rank} well"),
        Support::Fair => format!("the treebank supports {rank}"),
        Support::Weak => format!("{rank} are at the edge of what the treebank supports"),
        Support::None => {
            let most = spectrum.supported_rank();
            format!("{rank} are more than the {most} that exceed the noise")
        }
    }
}

/// Writes two lists side by side.
fn put_columns(text: &mut String, heads: [&str; 2], columns: [Vec<String>; 2]) {
    let [left, right] = columns;
    let length = |cell: &str| cell.chars().count();
    let width = left.iter().map(|cell| length(cell)).max().unwrap_or(0).max(length(heads[0]));
    let mut line = |left: &str, right: &str| {
        let _ = writeln!(text, "{}", format!("    {left:width$}    {right}").trim_end());
    };
    line(heads[0], heads[1]);
    for at in 0..left.len().max(right.len()) {
        let cell = |column: &[String]| column.get(at).cloned().unwrap_or_default();
        line(&cell(&left), &cell(&right));
    }
}

fn put_state(text: &mut String, state: &LatentState<'_>, kind: SymbolKind) {
    let _ = writeln!(text, "  state {}: {:.1} % of the nodes", state.number + 1, 100.0 * state.share);
    let cells = |events: &[Typical<'_>]| -> Vec<String> {
        let cell = |event: &Typical<'_>| {
            format!("{:>5.1} %  ×{:<5.1} {}", 100.0 * event.probability, event.lift, event.event)
        };
        // Events that are rarer in this state than elsewhere are not listed.
        events.iter().filter(|event| event.lift > 0.999).map(cell).collect()
    };
    put_columns(
        text,
        [ExpansionKind::from(kind).name(), "contexts"],
        [cells(&state.expansions), cells(&state.contexts)],
    );
}

fn put_direction(text: &mut String, direction: &Direction<'_>, kind: SymbolKind) {
    let _ = write!(text, "  direction {}", direction.number + 1);
    let _ = match direction.singular_value {
        Some(value) => writeln!(text, ": σ = {value:.4}"),
        None => writeln!(text),
    };
    let cells = |positive: &[Loading<'_>], negative: &[Loading<'_>]| -> Vec<String> {
        let cell = |loading: &Loading<'_>| format!("{:>+6.2}  {}", loading.loading, loading.event);
        positive.iter().chain(negative.iter().rev()).map(cell).collect()
    };
    let of = |poles: &Poles<'_>| cells(&poles.positive, &poles.negative);
    put_columns(
        text,
        [ExpansionKind::from(kind).name(), "contexts"],
        [of(&direction.expansions), of(&direction.contexts)],
    );
}
