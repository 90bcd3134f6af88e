//! Describes the latent states of a grammar.

use grammars::grammar::SymbolKind;
use grammars::lpcfg::{Inspection, Lpcfg};

/// The states of the symbols called `label`, as a phrase and as a preterminal, in one member of a model; lists have at
/// most `top` entries. Empty if there is no such symbol or member.
pub fn of_states<'m>(model: &'m Lpcfg, member: usize, label: &str, top: usize) -> Vec<Inspection<'m>> {
    let kinds = [SymbolKind::Phrase, SymbolKind::Preterminal];
    kinds.into_iter().filter_map(|kind| model.inspect(member, kind, label, top)).collect()
}
