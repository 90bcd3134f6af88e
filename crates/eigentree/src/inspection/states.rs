//! Latent states of a grammar, and their JSON.

use grammars::grammar::SymbolKind;
use grammars::lpcfg::{
    Direction, Event, Inspection, Latent, LatentState, Loading, Lpcfg, Poles, Spectrum, SymbolOverview,
    Typical,
};
use serde_json::{Value, json};

use super::figure;
use super::grammar::ExpansionKind;

/// The states of the symbols called `label`, as a phrase and as a preterminal, in one member of a model; lists have at
/// most `top` entries. Empty if there is no such symbol or member.
pub(super) fn of_symbol<'m>(model: &'m Lpcfg, member: usize, label: &str, top: usize) -> Vec<Inspection<'m>> {
    let kinds = [SymbolKind::Phrase, SymbolKind::Preterminal];
    kinds.into_iter().filter_map(|kind| model.inspect(member, kind, label, top)).collect()
}

/// One row of the overview.
pub(super) fn overview_to_json(symbol: &SymbolOverview<'_>) -> Value {
    json!({
        "symbol": symbol.label,
        "kind": symbol.kind.name(),
        "nodes": figure(symbol.nodes),
        "states": symbol.states,
        "spectrum": symbol.spectrum.map(spectrum_to_json),
    })
}

fn spectrum_to_json(spectrum: &Spectrum) -> Value {
    json!({
        "singular_values": spectrum.singular_values,
        "rank": spectrum.rank,
        "ratio": spectrum.ratio(),
        "gap": spectrum.gap(),
        "noise": spectrum.noise,
        "supported_rank": spectrum.supported_rank(),
        "support": spectrum.support(),
    })
}

/// One symbol.
pub(super) fn to_json(inspection: &Inspection<'_>) -> Value {
    let mut value = overview_to_json(&inspection.symbol);
    let name = ExpansionKind::from(inspection.symbol.kind).name();
    let event = |event: &Event<'_>| event.to_string();
    match &inspection.latent {
        Latent::States(states) => {
            let typical = |events: &[Typical<'_>]| -> Value {
                let entry =
                    |x: &Typical<'_>| json!([event(&x.event), x.probability, x.lift, figure(x.count)]);
                events.iter().map(entry).collect()
            };
            let state = |state: &LatentState<'_>| {
                json!({ "state": state.number + 1, "share": state.share,
                    name: typical(&state.expansions), "contexts": typical(&state.contexts) })
            };
            value["latent_states"] = states.iter().map(state).collect();
        }
        Latent::Directions(directions) => {
            let loadings = |loadings: &[Loading<'_>]| -> Value {
                let entry = |x: &Loading<'_>| json!([event(&x.event), x.loading, figure(x.count)]);
                loadings.iter().map(entry).collect()
            };
            let poles = |poles: &Poles<'_>| json!({ "positive": loadings(&poles.positive), "negative": loadings(&poles.negative) });
            let direction = |direction: &Direction<'_>| {
                json!({ "direction": direction.number + 1, "singular_value": direction.singular_value,
                    name: poles(&direction.expansions), "contexts": poles(&direction.contexts) })
            };
            value["directions"] = directions.iter().map(direction).collect();
        }
    }
    value
}
