//! Statistics of a grammar.

use corpus::ids::Id;
use grammars::grammar::{SymbolId, SymbolKind};
use grammars::lpcfg::Lpcfg;
use grammars::pcfg::Pcfg;

use crate::Model;

/// Sizes of a grammar.
#[derive(Clone, PartialEq, Debug)]
pub struct GrammarStatistics {
    /// Named values, in display order.
    pub figures: Vec<(&'static str, f64)>,
    /// Root symbols with their probabilities, the most probable first.
    pub roots: Vec<(String, f64)>,
}

/// The expansions of a symbol.
#[derive(Clone, PartialEq, Debug)]
pub enum SymbolStatistics {
    /// Rules with probability and count, the most probable first.
    Phrase(Vec<(String, f64, f64)>),
    /// Words with their share of the preterminal and their count, the most frequent first.
    Preterminal(Vec<(String, f64, f64)>),
}

/// The sizes of a model, if it is a grammar. Roots and rules of an L-PCFG are those of its grammar without latent
/// states.
pub fn of_model(model: &Model) -> Option<GrammarStatistics> {
    match model {
        Model::Pcfg(model) => Some(of_pcfg(model)),
        Model::Lpcfg(model) => Some(of_lpcfg(model)),
        _ => None,
    }
}

/// The sizes of a grammar with latent states.
pub(crate) fn of_lpcfg(model: &Lpcfg) -> GrammarStatistics {
    let mut statistics = of_pcfg(model.grammar());
    statistics.figures.extend([
        ("normal forms", model.normal_forms() as f64),
        ("members", model.members() as f64),
        ("most states", model.states() as f64),
        ("numbers of rules", model.tensor_size() as f64),
    ]);
    statistics
}

/// The sizes of a grammar without latent states.
pub(crate) fn of_pcfg(model: &Pcfg) -> GrammarStatistics {
    let symbols = model.symbols();
    let figures = vec![
        ("phrases", symbols.phrases() as f64),
        ("coarse phrases", model.coarse_phrases() as f64),
        ("preterminals", (symbols.len() - symbols.phrases()) as f64),
        ("binary rules", model.rules().len() as f64),
        ("word types", model.lexicon().words().len() as f64),
        ("tags", model.lexicon().tags().len() as f64),
    ];
    let weights = &model.weights().roots;
    let mut roots: Vec<(String, f64)> = symbols
        .iter()
        .zip(weights)
        .filter(|&(_, &weight)| weight > 0.0)
        .map(|(symbol, &weight)| (symbols.label(symbol).to_owned(), f64::from(weight)))
        .collect();
    roots.sort_by(|one, other| other.1.total_cmp(&one.1));
    GrammarStatistics { figures, roots }
}

/// The expansions of the symbols called `label`: as a phrase, and as a preterminal. Empty if there is no such symbol.
pub fn of_symbol(model: &Pcfg, label: &str) -> Vec<SymbolStatistics> {
    let symbols = model.symbols();
    let mut found = Vec::new();
    if let Some(phrase) = symbols.get(SymbolKind::Phrase, label) {
        found.push(SymbolStatistics::Phrase(rules_of(model, phrase)));
    }
    if let Some(preterminal) = symbols.get(SymbolKind::Preterminal, label) {
        found.push(SymbolStatistics::Preterminal(words_of(model, preterminal)));
    }
    found
}

fn rules_of(model: &Pcfg, parent: SymbolId) -> Vec<(String, f64, f64)> {
    let symbols = model.symbols();
    let weighted = model.rules().rules().iter().zip(&model.weights().rules).zip(model.rule_counts());
    let mut rules: Vec<(String, f64, f64)> = weighted
        .filter(|((rule, _), _)| rule.parent == parent)
        .map(|((rule, &weight), &count)| {
            let shown = format!("{} {}", symbols.label(rule.left), symbols.label(rule.right));
            (shown, f64::from(weight), count)
        })
        .collect();
    rules.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    rules
}

fn words_of(model: &Pcfg, preterminal: SymbolId) -> Vec<(String, f64, f64)> {
    // The lexicon numbers preterminals from 0.
    let Some(tag) = SymbolId::new(preterminal.index() - model.symbols().phrases()) else { return Vec::new() };
    let lexicon = model.lexicon();
    let total = lexicon.preterminal_count(tag).max(1.0);
    let mut words: Vec<(String, f64, f64)> = Vec::new();
    for (word, text) in lexicon.words().iter() {
        for (_, count) in lexicon.seen(word).filter(|&(seen, _)| seen == tag) {
            words.push((text.to_owned(), count / total, count));
        }
    }
    words.sort_by(|one, other| other.2.total_cmp(&one.2).then_with(|| one.0.cmp(&other.0)));
    words
}
