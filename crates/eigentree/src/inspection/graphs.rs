//! Graphs of head automata: deterministic approximations that show what hidden states remember (Luque et al. 2012,
//! section 5.3).

use corpus::dependency::projectivize::projectivize;
use corpus::dependency::{DependencyTree, Direction, RootRule};
use corpus::format::conllu::Sentence;
use corpus::ids::Id;
use dependency::arcs::Word;
use dependency::head_automata::{Dfa, DfaConfig, HeadAutomata, ModifierCounts, SymbolId};
use plots::{Graph, GraphArrow, GraphNode};
use sequences::automaton::SequenceCounts;
use serde_json::{Value, json};

use super::automata::chosen;
use super::request::Request;
use crate::Error;

/// Number of symbols that an arrow shows before "and … more".
const NAMED: usize = 3;

/// One automaton, drawn in two formats.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct AutomatonGraph {
    /// The head.
    pub symbol: String,
    /// The side of its modifiers.
    pub direction: Direction,
    /// Graphviz source, with all symbols.
    pub dot: String,
    /// An SVG drawing, with the most frequent symbols of each arrow.
    pub svg: String,
    /// What is drawn.
    pub graph: Graph,
    /// The share of prefixes, each counted with its sequences, that the graph leads to the state of their own cluster.
    pub agreement: f64,
}

impl AutomatonGraph {
    /// A name for its files, without an extension.
    pub fn file_stem(&self) -> String {
        let name = format!("{}-{}", self.symbol, self.direction.name());
        name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect()
    }

    /// The graph as a JSON object.
    pub fn to_json(&self) -> Value {
        let nodes = self.graph.nodes.iter().map(|node| json!({ "name": node.name, "note": node.note }));
        let arrows = self.graph.arrows.iter();
        let arrows =
            arrows.map(|arrow| json!({ "from": arrow.from, "to": arrow.to, "symbols": arrow.lines }));
        let graph = json!({ "nodes": nodes.collect::<Value>(), "arrows": arrows.collect::<Value>() });
        json!({ "symbol": self.symbol, "direction": self.direction.name(), "dot": self.dot, "svg": self.svg, "graph": graph, "agreement": self.agreement })
    }
}

/// The graphs of the requested symbols on the modifier sequences of `sentences`. Automata without sequences are left out.
pub fn automaton_graphs(
    model: &HeadAutomata,
    request: &Request,
    sentences: &[Sentence],
) -> Result<Vec<AutomatonGraph>, Error> {
    let chosen = chosen(model, request)?;
    let counts = counts_of(model, sentences)?;
    let automata = chosen.into_iter().flat_map(|symbol| Direction::BOTH.map(|direction| (symbol, direction)));
    Ok(automata
        .filter_map(|(symbol, direction)| graph_of(model, (symbol, direction), &counts, request.graphs))
        .collect())
}

/// The graphs of the requested symbols without a treebank: on the sequences that the model itself finds most probable.
pub fn probable_graphs(model: &HeadAutomata, request: &Request) -> Result<Vec<AutomatonGraph>, Error> {
    let mut graphs = Vec::new();
    for symbol in chosen(model, request)? {
        for direction in Direction::BOTH {
            let counts = probable_counts(model, symbol, direction)?;
            graphs.extend(graph_of(model, (symbol, direction), &counts, request.graphs));
        }
    }
    Ok(graphs)
}

/// Sequences that a drawing is made from if there is no treebank.
const SEQUENCES: usize = 400;
/// Prefixes that are continued at each length.
const BEAM: usize = 64;
/// Longest of these sequences.
const LONGEST: usize = 5;

/// The most probable modifier sequences of one automaton by the model itself, with their probabilities as counts.
fn probable_counts(
    model: &HeadAutomata,
    head: SymbolId,
    direction: Direction,
) -> Result<ModifierCounts, Error> {
    let value = |sequence: &[SymbolId]| model.value(head, direction, sequence).max(0.0);
    let mut found: Vec<(Vec<SymbolId>, f64)> = vec![(Vec::new(), value(&[]))];
    let mut beam: Vec<Vec<SymbolId>> = vec![Vec::new()];
    for _ in 0..LONGEST {
        let mut longer: Vec<(Vec<SymbolId>, f64)> = Vec::new();
        for prefix in &beam {
            for (symbol, _) in model.symbols().iter() {
                let sequence: Vec<SymbolId> = prefix.iter().copied().chain([symbol]).collect();
                let probability = value(&sequence);
                if probability > 0.0 {
                    longer.push((sequence, probability));
                }
            }
        }
        longer.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        longer.truncate(BEAM);
        beam = longer.iter().map(|(sequence, _)| sequence.clone()).collect();
        found.append(&mut longer);
    }
    found.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    found.truncate(SEQUENCES);
    let symbols = model.symbols().len();
    let numbers =
        |sequence: &[SymbolId]| -> Vec<u32> { sequence.iter().map(|symbol| symbol.index() as u32).collect() };
    let own = found.iter().map(|(sequence, probability)| (numbers(sequence), *probability));
    let own = SequenceCounts::new(symbols, own)?;
    let mut automata = vec![SequenceCounts::new(symbols, Vec::<(Vec<u32>, f64)>::new())?; 2 * symbols];
    automata[2 * head.index() + direction as usize] = own;
    Ok(ModifierCounts::new(automata, vec![0.0; symbols])?)
}

/// The modifier sequences of sentences in the symbols of a model. Trees are made projective; sentences without a tree
/// are left out.
fn counts_of(model: &HeadAutomata, sentences: &[Sentence]) -> Result<ModifierCounts, Error> {
    let mut trees = Vec::with_capacity(sentences.len());
    for sentence in sentences {
        if let Ok(tree) = DependencyTree::from_sentence(sentence, RootRule::Single) {
            let mut symbols = Vec::new();
            model.symbols().encode(&Word::of_sentence(sentence), &mut symbols);
            trees.push((symbols, projectivize(&tree).tree));
        }
    }
    let trees = trees.iter().map(|(symbols, tree)| (&symbols[..], tree));
    Ok(ModifierCounts::of_trees(model.symbols().len(), trees)?.0)
}

/// The graph of an automaton on these sequences; `None` if there are none.
fn graph_of(
    model: &HeadAutomata,
    (head, direction): (SymbolId, Direction),
    counts: &ModifierCounts,
    config: DfaConfig,
) -> Option<AutomatonGraph> {
    let dfa = Dfa::of_automaton(model, head, direction, counts, config)?;
    let symbol = model.symbols().name(head).to_owned();
    let title = format!("{symbol}, {} modifiers", direction.name());
    let nodes = dfa.states.iter().enumerate().map(|(number, state)| GraphNode {
        name: if number == 0 { "I".to_owned() } else { number.to_string() },
        note: format!("STOP {:.2}", state.stops / state.count.max(f64::MIN_POSITIVE)),
    });
    let arrows = dfa.arrows().into_iter().map(|((from, to), symbols)| {
        let mut lines: Vec<String> =
            symbols.iter().take(NAMED).map(|(symbol, _)| model.symbols().name(*symbol).to_owned()).collect();
        if symbols.len() > NAMED {
            lines.push(format!("and {} more", symbols.len() - NAMED));
        }
        GraphArrow { from, to, lines }
    });
    let graph = Graph { title: title.clone(), nodes: nodes.collect(), arrows: arrows.collect() };
    let (dot, svg, agreement) = (dfa.to_dot(model, &title), graph.to_svg(), dfa.agreement);
    Some(AutomatonGraph { symbol, direction, dot, svg, graph, agreement })
}
