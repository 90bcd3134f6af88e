//! Figure 3 of Luque et al. (2012): what the hidden states of one automaton remember, as a graph.

use corpus::dependency::Direction;
use corpus::format::conllu::Sentence;
use dependency::head_automata::{DfaConfig, HeadAutomata};
use eigentree::Error;
use eigentree::inspection::{Request, automaton_graphs};
use eval::report::Table;
use plots::Graph;
use serde::Serialize;

use crate::document::{Plot, Section};
use crate::published::luque_2012::{GRAPH_HEAD, GRAPH_MERGES, GRAPH_STATES};

/// The graph of the left modifiers of one head, by two rules of merging states.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HeadGraph {
    /// The head: NN as in the paper, else the most frequent symbol.
    pub head: String,
    /// The hidden states of the spectral model.
    pub states: usize,
    /// With everything merged that disagrees, as in the paper, and with votes.
    pub drawn: Vec<DrawnGraph>,
}

/// A graph by one rule of merging.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DrawnGraph {
    /// The share of the votes above which targets are merged; 0 as in the paper.
    pub merge: f64,
    /// Its states.
    pub states: usize,
    /// Prefixes, each with the number of its sequences, that end in the state of their own cluster, in per cent.
    pub agreement: f64,
    /// The drawing.
    #[serde(skip)]
    pub graph: Graph,
}

impl HeadGraph {
    /// The graph of the modifier sequences of these sentences by a model with this many hidden states; `None` if no word of
    /// theirs has the head's symbol.
    pub(super) fn of(
        model: &HeadAutomata,
        states: usize,
        sentences: &[Sentence],
    ) -> Result<Option<Self>, Error> {
        let symbols = model.symbols();
        let first = || symbols.iter().next().map(|(symbol, _)| symbol);
        let Some(symbol) = symbols.get(GRAPH_HEAD).or_else(first) else { return Ok(None) };
        let head = symbols.name(symbol).to_owned();
        let usual = DfaConfig::default();
        let mut drawn = Vec::new();
        for merge in [0.0, usual.merge] {
            let mut request = Request::default().symbol(head.clone());
            request.graphs = DfaConfig { merge, ..usual };
            let graphs = automaton_graphs(model, &request, sentences)?;
            let left = graphs.into_iter().find(|graph| graph.direction == Direction::Left);
            drawn.extend(left.map(|left| DrawnGraph {
                merge,
                states: left.graph.nodes.len(),
                agreement: 100.0 * left.agreement,
                graph: left.graph,
            }));
        }
        Ok((!drawn.is_empty()).then_some(Self { head, states, drawn }))
    }

    /// The graph with votes as a table.
    pub(super) fn section(&self) -> Section {
        let header = ["state", "STOP", "leads to"].map(str::to_owned).to_vec();
        let rows = self.drawn.last().map_or_else(Vec::new, |drawn| {
            let graph = &drawn.graph;
            let row = |(number, node): (usize, &plots::GraphNode)| {
                let leaves = graph.arrows.iter().filter(|arrow| arrow.from == number);
                let arrows =
                    leaves.map(|arrow| format!("{}: {}", graph.nodes[arrow.to].name, arrow.lines.join(" ")));
                let stop = node.note.trim_start_matches("STOP ").to_owned();
                vec![node.name.clone(), stop, arrows.collect::<Vec<_>>().join("; ")]
            };
            graph.nodes.iter().enumerate().map(row).collect()
        });
        let each = self.drawn.iter().map(|drawn| {
            let rule = match drawn.merge {
                0.0 => "merging whatever disagrees, as in the paper,".to_owned(),
                _ => "letting most sequences win".to_owned(),
            };
            format!(
                "{rule} leaves {} states, with {:.1} % of the prefixes in the state of their own cluster",
                drawn.states, drawn.agreement
            )
        });
        Section {
            title: format!("Figure 3: left modifiers of {}, spectral, n = {}", self.head, self.states),
            table: Table { header, rows },
            remarks: vec![format!(
                "The paper has {GRAPH_STATES} states for NN, after {GRAPH_MERGES} merges of ten clusters. Here {}. The table and figure-3.svg \
                 show the last.",
                each.collect::<Vec<_>>().join("; ")
            )],
        }
    }

    /// The drawings.
    pub(super) fn plots(&self) -> Vec<Plot> {
        let name = |drawn: &DrawnGraph| match drawn.merge {
            0.0 => "figure-3-merged.svg".to_owned(),
            _ => "figure-3.svg".to_owned(),
        };
        self.drawn.iter().map(|drawn| Plot { file: name(drawn), svg: drawn.graph.to_svg() }).collect()
    }
}
