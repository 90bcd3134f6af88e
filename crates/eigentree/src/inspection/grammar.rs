//! Contents of a grammar.

use grammars::grammar::SymbolKind;
use grammars::lpcfg::{Inspection, Lpcfg, SymbolOverview};
use grammars::pcfg::Pcfg;
use serde_json::{Map, Value, json};

use super::error::InspectionError;
use super::request::Request;
use super::{figure, figures, states};
use crate::statistics::{GrammarStatistics, SymbolStatistics, of_lpcfg, of_pcfg, of_symbol};

/// What a symbol expands to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpansionKind {
    /// The rules of a phrase.
    Rules,
    /// The words of a preterminal.
    Words,
}

impl ExpansionKind {
    /// `rules` or `words`.
    pub fn name(self) -> &'static str {
        match self {
            ExpansionKind::Rules => "rules",
            ExpansionKind::Words => "words",
        }
    }
}

impl From<SymbolKind> for ExpansionKind {
    fn from(kind: SymbolKind) -> Self {
        match kind {
            SymbolKind::Phrase => ExpansionKind::Rules,
            SymbolKind::Preterminal => ExpansionKind::Words,
        }
    }
}

/// One rule or word of a symbol.
#[derive(Clone, PartialEq, Debug)]
pub struct Expansion {
    /// The children, or the word.
    pub text: String,
    /// The probability of the rule, or the share of the word.
    pub share: f64,
    /// Its count in the treebank.
    pub count: f64,
}

/// The rules or words of a symbol.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Expansions {
    /// Rules or words.
    pub kind: ExpansionKind,
    /// How many there are.
    pub count: usize,
    /// The most probable of them.
    pub top: Vec<Expansion>,
}

/// One symbol.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SymbolContents<'m> {
    /// Its label.
    pub label: String,
    /// Its rules if it is a phrase, its words if it is a preterminal; a label may be both.
    pub expansions: Vec<Expansions>,
    /// Its latent states, as a phrase and as a preterminal; empty for a grammar without states.
    pub latent: Vec<Inspection<'m>>,
}

/// A grammar, and the requested symbols.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct GrammarContents<'m> {
    /// Sizes and root symbols. Those of an L-PCFG are of its grammar without latent states.
    pub statistics: GrammarStatistics,
    /// The number of the member whose states are shown, counted from 1; `None` for a grammar without states.
    pub member: Option<usize>,
    /// The number of symbols of the member.
    pub latent_symbols: usize,
    /// The most frequent symbols of the member with their spectra, if no symbol was requested.
    pub latent: Vec<SymbolOverview<'m>>,
    /// The requested symbols.
    pub symbols: Vec<SymbolContents<'m>>,
}

impl<'m> GrammarContents<'m> {
    pub(super) fn of_pcfg(model: &'m Pcfg, request: &Request) -> Result<Self, InspectionError> {
        let symbols =
            request.symbols.iter().map(|label| symbol_of(model, label, request)).collect::<Result<_, _>>()?;
        Ok(Self {
            statistics: shortened(of_pcfg(model), request.top),
            member: None,
            latent_symbols: 0,
            latent: Vec::new(),
            symbols,
        })
    }

    pub(super) fn of_lpcfg(model: &'m Lpcfg, request: &Request) -> Result<Self, InspectionError> {
        let asked = request.member.map_or(1, usize::from);
        let member = asked - 1;
        // The members of an ensemble may have grammars in different normal forms.
        let grammar = model
            .grammar_of(member)
            .ok_or_else(|| InspectionError::NoMember { asked, members: model.members() })?;
        let symbol = |label: &String| {
            let mut symbol = symbol_of(grammar, label, request)?;
            symbol.latent = states::of_symbol(model, member, label, request.top_of_states);
            Ok(symbol)
        };
        let mut overview = model.overview(member);
        let latent_symbols = overview.len();
        overview.truncate(if request.symbols.is_empty() { request.top } else { 0 });
        Ok(Self {
            statistics: shortened(of_lpcfg(model), request.top),
            member: Some(asked),
            latent_symbols,
            latent: overview,
            symbols: request.symbols.iter().map(symbol).collect::<Result<_, InspectionError>>()?,
        })
    }

    /// The contents as a JSON object.
    pub fn to_json(&self) -> Value {
        let mut symbols = Map::new();
        for symbol in &self.symbols {
            let entry = symbols.entry(symbol.label.clone()).or_insert_with(|| json!({}));
            for list in &symbol.expansions {
                let top = |one: &Expansion| json!([one.text, one.share, figure(one.count)]);
                let top: Value = list.top.iter().map(top).collect();
                entry[list.kind.name()] = json!({ "count": list.count, "top": top });
            }
            if self.member.is_some() {
                entry["latent"] = symbol.latent.iter().map(states::to_json).collect();
            }
        }
        let mut object = json!({
            "figures": figures(&self.statistics.figures),
            "roots": self.statistics.roots,
            "symbols": symbols,
        });
        if let Some(member) = self.member {
            object["member"] = json!(member);
            if self.symbols.is_empty() {
                object["latent"] = self.latent.iter().map(states::overview_to_json).collect();
            }
        }
        object
    }
}

fn shortened(mut statistics: GrammarStatistics, top: usize) -> GrammarStatistics {
    statistics.roots.truncate(top);
    statistics
}

/// The symbol without its states.
fn symbol_of<'m>(
    grammar: &Pcfg,
    label: &str,
    request: &Request,
) -> Result<SymbolContents<'m>, InspectionError> {
    let expansions: Vec<Expansions> =
        of_symbol(grammar, label).into_iter().map(|symbol| shown(symbol, request.top)).collect();
    if expansions.is_empty() {
        let advice = match refined_labels(grammar, label, request.top) {
            refined if refined.is_empty() => "labels are case-sensitive".to_owned(),
            refined => format!("its labels are annotated with their parents; try {}", refined.join(", ")),
        };
        return Err(InspectionError::UnknownSymbol { label: label.to_owned(), advice });
    }
    Ok(SymbolContents { label: label.to_owned(), expansions, latent: Vec::new() })
}

fn shown(symbol: SymbolStatistics, top: usize) -> Expansions {
    let (kind, list) = match symbol {
        SymbolStatistics::Phrase(rules) => (ExpansionKind::Rules, rules),
        SymbolStatistics::Preterminal(words) => (ExpansionKind::Words, words),
    };
    let count = list.len();
    let expansion = |(text, share, count)| Expansion { text, share, count };
    Expansions { kind, count, top: list.into_iter().take(top).map(expansion).collect() }
}

/// The labels of a Markovised grammar that annotate `label` with its parents.
fn refined_labels<'m>(grammar: &'m Pcfg, label: &str, most: usize) -> Vec<&'m str> {
    let symbols = grammar.symbols();
    let refined = |symbol: &&str| symbol.strip_prefix(label).is_some_and(|rest| rest.starts_with('^'));
    let mut found: Vec<&str> =
        symbols.iter().map(|symbol| symbols.label(symbol)).filter(refined).take(most).collect();
    found.sort_unstable();
    found.dedup();
    found
}
