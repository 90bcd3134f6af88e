//! Visualises head automata: deterministic approximations as graphs (Luque et al. 2012, section 5.3).

use corpus::dependency::projectivize::projectivize;
use corpus::dependency::{DependencyTree, Direction, RootRule};
use corpus::format::conllu::Sentence;
use dependency::arcs::Word;
use dependency::head_automata::{Dfa, DfaConfig, HeadAutomata, ModifierCounts, SymbolId};
use plots::{Graph, GraphArrow, GraphNode};

use crate::Error;

/// Number of symbols that an arrow shows before "and … more".
const NAMED: usize = 3;

/// One automaton, drawn in two formats.
#[derive(Clone, PartialEq, Debug)]
pub struct AutomatonGraph {
    /// Graphviz source, with all symbols.
    pub dot: String,
    /// An SVG drawing, with the most frequent symbols of each arrow.
    pub svg: String,
}

/// The modifier sequences of sentences in the symbols of a model. Trees are made projective; sentences without a tree
/// are left out.
pub fn counts_of(model: &HeadAutomata, sentences: &[Sentence]) -> Result<ModifierCounts, Error> {
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
pub fn graph_of(
    model: &HeadAutomata,
    head: SymbolId,
    direction: Direction,
    counts: &ModifierCounts,
) -> Option<AutomatonGraph> {
    let dfa = Dfa::of_automaton(model, head, direction, counts, DfaConfig::default())?;
    let side = match direction {
        Direction::Left => "left",
        Direction::Right => "right",
    };
    let title = format!("{}, {side} modifiers", model.symbols().name(head));
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
    Some(AutomatonGraph { dot: dfa.to_dot(model, &title), svg: graph.to_svg() })
}
