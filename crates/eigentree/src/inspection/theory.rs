//! What the theorems behind a model say of it: singular values, condition numbers, sample sizes.

use corpus::dependency::Direction;
use corpus::ids::Id;
use dependency::deptree::{Conditioning, Deptree};
use dependency::head_automata::{HeadAutomata, SymbolId};
use grammars::lpcfg::Lpcfg;
use serde_json::{Value, json};
use spectral::{Support, TreeBound, Verdict};
use words::clusters::{BrownModel, Separation};

use super::figure;
use crate::Model;

/// ε, δ and the number of nodes of the tree for which sample sizes are told.
const EPSILON: f64 = 0.1;
const DELTA: f64 = 0.05;
const NODES: usize = 49;

/// The words and levels of the dependency tree.
const WORDS: usize = 25;
const LEVELS: usize = 6;

/// One decomposition.
#[derive(Clone, PartialEq, Debug)]
pub struct Decomposed {
    /// The symbol, or the head and the side of its modifiers.
    pub name: String,
    /// Sites it was learnt from, where that is known.
    pub samples: Option<f64>,
    /// States.
    pub states: usize,
    /// The last singular value kept.
    pub last: f64,
    /// The first one divided by it.
    pub condition: f64,
    /// How it compares with the sampling error, where that was estimated.
    pub verdict: Option<Verdict>,
}

/// What the theorems say of a model.
#[derive(Clone, PartialEq, Debug)]
pub enum Theory {
    /// Of a grammar with latent states, by its first member: theorem 3 of Cohen et al. (2012).
    Grammar {
        /// Symbols with several states, the most frequent first.
        symbols: Vec<Decomposed>,
        /// What the bound depends on.
        bound: TreeBound,
        /// The nodes that every symbol needs.
        needed: f64,
        /// The nodes of the rarest symbol with several states.
        at_hand: f64,
    },
    /// Of head automata: automata with several states.
    HeadAutomata(Vec<Decomposed>),
    /// Of latent trees: the matrices that are inverted (theorem 3.1 of Dhillon et al. 2012).
    LatentTrees {
        /// Their condition numbers and least singular value.
        conditioning: Conditioning,
        /// k.
        states: usize,
        /// Λ.
        least_parameter: f64,
        /// The triples that the theorem asks for, where the file tells what that depends on.
        needed: Option<f64>,
    },
    /// Of word clusters: Theorem 5.2 and appendix C of Stratos et al. (2014).
    Clusters(Separation),
}

impl Theory {
    /// The theory of a model; `None` for families and learners without a decomposition.
    pub fn of(model: &Model) -> Option<Self> {
        match model {
            Model::Lpcfg(model) => Self::of_grammar(model),
            Model::HeadAutomata(model) => Self::of_automata(model),
            Model::Deptree(model) => Self::of_trees(model),
            Model::Clusters(model) => Self::of_clusters(model),
            _ => None,
        }
    }

    /// The theory of a grammar.
    pub fn of_grammar(model: &Lpcfg) -> Option<Self> {
        let overview = model.overview(0);
        let mut symbols = Vec::new();
        for symbol in overview.iter().filter(|symbol| symbol.states > 1) {
            let Some(spectrum) = symbol.spectrum else { continue };
            symbols.push(Decomposed {
                name: symbol.label.to_owned(),
                samples: Some(symbol.nodes),
                states: symbol.states,
                last: spectrum.last(),
                condition: spectrum.first() / spectrum.last(),
                verdict: Some(spectrum.verdict(symbol.nodes)),
            });
        }
        let least = |of: fn(&Decomposed) -> f64| symbols.iter().map(of).fold(f64::INFINITY, f64::min);
        let bound = TreeBound {
            states: model.states(),
            rules: model.grammar().rules().len() + model.grammar().lexicon().words().len(),
            least_parameter: model.least_parameter(0)?,
            least_singular_value: least(|symbol| symbol.last),
        };
        let at_hand = least(|symbol| symbol.samples.unwrap_or(0.0));
        let needed = bound.samples(NODES, EPSILON, DELTA);
        (!symbols.is_empty()).then_some(Self::Grammar { symbols, bound, needed, at_hand })
    }

    /// The theory of head automata.
    pub fn of_automata(model: &HeadAutomata) -> Option<Self> {
        let mut automata = Vec::new();
        for symbol in (0..model.symbols().len()).filter_map(SymbolId::new) {
            for direction in Direction::BOTH {
                let Some(automaton) = model.latent(symbol, direction) else { continue };
                let states = automaton.initial.len();
                let kept = automaton.spectrum.get(states.wrapping_sub(1));
                let (Some(&first), Some(&last)) = (automaton.spectrum.first(), kept) else { continue };
                let side = if direction == Direction::Left { "left" } else { "right" };
                automata.push(Decomposed {
                    name: format!("{} {side}", model.symbols().name(symbol)),
                    samples: None,
                    states,
                    last,
                    condition: first / last,
                    verdict: None,
                });
            }
        }
        automata.sort_by(|a, b| b.condition.total_cmp(&a.condition));
        (!automata.is_empty()).then_some(Self::HeadAutomata(automata))
    }

    /// The theory of latent trees.
    pub fn of_trees(model: &Deptree) -> Option<Self> {
        let conditioning = model.conditioning();
        (conditioning.triples > 0.0).then(|| Self::LatentTrees {
            conditioning,
            states: model.dimension(),
            least_parameter: model.least_parameter(),
            needed: model.samples(WORDS, LEVELS, EPSILON, DELTA),
        })
    }

    /// The theory of word clusters, whatever algorithm found them.
    pub fn of_clusters(model: &BrownModel) -> Option<Self> {
        model.separation().ok().flatten().map(Self::Clusters)
    }

    /// What it means, in sentences. Lists have at most `top` entries.
    pub fn explanation(&self, top: usize) -> Vec<String> {
        match self {
            Self::Grammar { symbols, bound, needed, at_hand } => {
                let supported = symbols.iter().filter(|symbol| {
                    symbol.verdict.as_ref().is_some_and(|verdict| verdict.support != Support::None)
                });
                let mut lines = vec![
                    format!(
                        "Theorem 3 of Cohen et al. (2012): σ = {:.3e}, Λ = {:.3e}, m = {}, {} rules. For trees of {NODES} nodes \
                         within a factor 1 ± {EPSILON} with probability {}, every symbol needs {needed:.1e} nodes; the rarest \
                         symbol with several states has {at_hand:.0}.",
                        bound.least_singular_value,
                        bound.least_parameter,
                        bound.states,
                        bound.rules,
                        1.0 - DELTA,
                    ),
                    format!(
                        "By the estimated sampling error, {} of {} symbols have no more states than the treebank supports.",
                        supported.count(),
                        symbols.len()
                    ),
                ];
                lines.extend(symbols.iter().take(top).map(|symbol| {
                    let verdict = symbol.verdict.as_ref().map_or_else(String::new, Verdict::explanation);
                    format!("{}: σ_m = {:.4}. {verdict}", symbol.name, symbol.last)
                }));
                lines
            }
            Self::HeadAutomata(automata) => {
                let worst = automata.iter().take(top).map(|one| {
                    format!(
                        "{}: {} states, σ_n = {:.3e}, condition {:.1}.",
                        one.name, one.states, one.last, one.condition
                    )
                });
                std::iter::once(format!(
                    "{} automata were learnt by decomposition. The error of an operator grows with 1/σ_n; the worst conditioned:",
                    automata.len()
                ))
                .chain(worst)
                .collect()
            }
            Self::LatentTrees { conditioning: found, states, least_parameter, needed } => {
                let asked = match needed {
                    Some(needed) => format!(
                        "k = {states}, σ_k = {:.3e}, Λ = {least_parameter:.3e}. For trees of {WORDS} words in {LEVELS} levels within a \
                         factor 1 ± {EPSILON} with probability {} it asks for {needed:.1e} triples; {:.0} heads with children on \
                         both sides were seen.",
                        found.least,
                        1.0 - DELTA,
                        found.triples
                    ),
                    None => format!(
                        "k = {states}, Λ = {least_parameter:.3e}. {:.0} heads with children on both sides were seen; how many it asks \
                         for depends on the least singular value, which this file does not tell.",
                        found.triples
                    ),
                };
                vec![
                    format!("Theorem 3.1 of Dhillon et al. (2012): {asked}"),
                    format!(
                        "Condition numbers: Σ_L {:.1}, Σ_R {:.1}, E_L {:.1}, E_R {:.1}. An error of the moments grows up to that many \
                         times when the matrices are inverted.",
                        found.sigma_left, found.sigma_right, found.step_left, found.step_right
                    ),
                ]
            }
            Self::Clusters(found) => vec![
                format!(
                    "Theorem 5.2 of Stratos et al. (2014), for the model with these {} clusters of {} words: σ_m = {:.3e}, κ_m = \
                     {:.1}, n₁ = {:.3e}, n₂ = {:.3e}, u_min = {:.1e}, v_min = {:.1e}, least o(x | c) = {:.1e}.",
                    found.clusters,
                    found.words,
                    found.least_singular_value,
                    found.condition,
                    found.n1,
                    found.n2,
                    found.u_min,
                    found.v_min,
                    found.least_emission
                ),
                format!(
                    "Every word vector is closest to its own cluster if ‖Ω̂ − Ω‖ / σ_m ≤ 0.07 √min o = {:.2e}. By appendix C that \
                     takes {:.1e} words with probability {}, up to a constant factor; this text has {:.0} pairs of words.",
                    found.tolerance(),
                    found.samples(found.tolerance(), DELTA),
                    1.0 - DELTA,
                    found.pairs
                ),
            ],
        }
    }

    /// The theory as a JSON object.
    pub fn to_json(&self) -> Value {
        let one = |one: &Decomposed| {
            json!({
                "name": one.name,
                "samples": one.samples.map(figure),
                "states": one.states,
                "sigma_m": one.last,
                "condition": one.condition,
                "support": one.verdict.as_ref().map(|verdict| verdict.support),
                "relative_error": one.verdict.as_ref().map(|verdict| verdict.relative_error),
                "samples_for_tenth": one.verdict.as_ref().map(|verdict| verdict.samples_for_tenth),
            })
        };
        match self {
            Self::Grammar { symbols, bound, needed, at_hand } => json!({
                "sigma": bound.least_singular_value,
                "lambda": bound.least_parameter,
                "states": bound.states,
                "rules": bound.rules,
                "epsilon": EPSILON,
                "delta": DELTA,
                "nodes": NODES,
                "needed": needed,
                "at_hand": figure(*at_hand),
                "symbols": symbols.iter().map(one).collect::<Vec<_>>(),
            }),
            Self::HeadAutomata(automata) => {
                json!({ "automata": automata.iter().map(one).collect::<Vec<_>>() })
            }
            Self::LatentTrees { conditioning: found, states, least_parameter, needed } => json!({
                "states": states,
                "sigma_k": found.least,
                "lambda": least_parameter,
                "epsilon": EPSILON,
                "delta": DELTA,
                "words": WORDS,
                "levels": LEVELS,
                "needed": needed,
                "triples": figure(found.triples),
                "sigma_left": found.sigma_left,
                "sigma_right": found.sigma_right,
                "step_left": found.step_left,
                "step_right": found.step_right,
            }),
            Self::Clusters(found) => json!({
                "clusters": found.clusters,
                "words": found.words,
                "pairs": figure(found.pairs),
                "sigma_m": found.least_singular_value,
                "kappa_m": found.condition,
                "n1": found.n1,
                "n2": found.n2,
                "u_min": found.u_min,
                "v_min": found.v_min,
                "least_emission": found.least_emission,
                "epsilon": found.tolerance(),
                "delta": DELTA,
                "needed": found.samples(found.tolerance(), DELTA),
            }),
        }
    }
}
