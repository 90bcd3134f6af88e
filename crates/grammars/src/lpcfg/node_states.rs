//! Which states are active at the nodes of a tree.
//!
//! Given a tree, the states of its nodes have a posterior distribution, which two passes compute: b upwards as in
//! [`tree_probability`](super::tree_probability), o downwards.
//!
//! ```text
//! o_root       = c¹(a_root)
//! o_left(j)    = Σ_ik o(i) C_ijk b_right(k)          likewise for the right child
//! P(h | tree)  = o(h) b(h) / Σ_h' o(h') b(h')
//! ```
//!
//! The denominator is p(tree) at every node. Members whose dimensions are directions have the same products, which sum to one but
//! may be negative: the share of each direction in p(tree), not a probability.

use std::ops::Range;

use corpus::ids::Id;
use corpus::tree::Tree;

use super::model::Lpcfg;
use super::parameters::{Parameters, row_length};
use super::states::Basis;
use crate::grammar::{BinaryRule, SymbolId, SymbolKind};
use crate::lexicon::{Observation, SentenceEmissions};

/// What the dimensions of a member are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dimensions {
    /// States; weights are probabilities.
    States,
    /// Directions; weights may be negative.
    Directions,
}

/// One node of a tree in normal form, with the weights of its dimensions, which sum to one.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeStates {
    /// The label in the normal form.
    pub label: String,
    /// The words below it.
    pub span: Range<usize>,
    /// One weight per state or direction.
    pub weights: Vec<f64>,
}

/// A node while the passes run.
struct Passed {
    symbol: SymbolId,
    inside: Vec<f64>,
    /// Rule and children, as indices of nodes.
    below: Option<(usize, usize, usize)>,
}

impl Lpcfg {
    /// What the dimensions of a member are; `None` if there is no such member.
    pub fn dimensions(&self, member: usize) -> Option<Dimensions> {
        self.members_in_order().nth(member).map(|(_, parameters)| match parameters.summary.basis() {
            Basis::States => Dimensions::States,
            Basis::Directions => Dimensions::Directions,
        })
    }

    /// The weights of states at the nodes of a tree, from the top down and from left to right. The tree must be in the normal form
    /// of the first grammar, as [`Parser::parse_normal_form`](super::Parser::parse_normal_form) returns it. `None` if the member
    /// is not one of that grammar, or gives the tree probability 0.
    pub fn node_states(
        &self,
        member: usize,
        tree: &Tree,
        sentence: &[Observation<'_>],
    ) -> Option<Vec<NodeStates>> {
        let refined = self.grammars.first()?;
        let member = refined.members.get(member)?;
        let mut emissions = SentenceEmissions::default();
        refined.grammar.lexicon().emissions_of_sentence(sentence, &mut emissions);
        let (symbols, rules) = (refined.grammar.symbols(), refined.grammar.rules());
        let nodes: Vec<_> = tree.nodes().filter(|node| !node.is_word()).collect();
        let place = |index: usize| nodes.binary_search_by_key(&index, |node| node.index()).ok();
        let mut passed: Vec<Option<Passed>> = nodes.iter().map(|_| None).collect();
        // In reverse pre-order children come before parents.
        for (at, node) in nodes.iter().enumerate().rev() {
            let kind = if node.is_preterminal() { SymbolKind::Preterminal } else { SymbolKind::Phrase };
            let symbol = symbols.get(kind, node.label())?;
            passed[at] = Some(if kind == SymbolKind::Preterminal {
                let tag = symbol.index() - symbols.phrases();
                let inside = refined.emission(member, sentence, &emissions, tag, node.span().start)?;
                Passed { symbol, inside: scaled(inside), below: None }
            } else {
                let mut children = node.children().map(|child| place(child.index()));
                let (left, right) = (children.next()??, children.next()??);
                let (one, other) = (passed[left].as_ref()?, passed[right].as_ref()?);
                let rule =
                    rules.find(BinaryRule { parent: symbol, left: one.symbol, right: other.symbol })?;
                let inside = member.apply(rule.index(), &one.inside, &other.inside);
                Passed { symbol, inside: scaled(inside), below: Some((rule.index(), left, right)) }
            });
        }
        let passed: Vec<Passed> = passed.into_iter().collect::<Option<_>>()?;
        let root = member.root(passed.first()?.symbol.index());
        let mut outside: Vec<Vec<f64>> = vec![Vec::new(); passed.len()];
        outside[0] = root.iter().map(|&value| f64::from(value)).collect();
        let mut states = Vec::with_capacity(nodes.len());
        for (at, (node, own)) in nodes.iter().zip(&passed).enumerate() {
            if let Some((rule, left, right)) = own.below {
                let (one, other) = (&passed[left].inside, &passed[right].inside);
                let (of_left, of_right) = spread(member, rule, &outside[at], one, other);
                (outside[left], outside[right]) = (scaled(of_left), scaled(of_right));
            }
            let products: Vec<f64> = outside[at].iter().zip(&own.inside).map(|(o, b)| o * b).collect();
            let sum: f64 = products.iter().sum();
            if sum == 0.0 || !sum.is_finite() {
                return None;
            }
            let weights = products.iter().map(|product| product / sum).collect();
            states.push(NodeStates { label: node.label().to_owned(), span: node.span(), weights });
        }
        Some(states)
    }
}

/// The vectors outside of the children of a node.
fn spread(
    member: &Parameters<f32>,
    rule: usize,
    outside: &[f64],
    left: &[f64],
    right: &[f64],
) -> (Vec<f64>, Vec<f64>) {
    let (mut of_left, mut of_right) = (vec![0.0; left.len()], vec![0.0; right.len()]);
    let rows = member.tensor(rule).chunks_exact(row_length(left.len(), right.len()));
    for (weight, row) in outside.iter().zip(rows) {
        for (j, row) in row.chunks_exact(right.len()).take(left.len()).enumerate() {
            for (k, &value) in row.iter().enumerate() {
                let value = weight * f64::from(value);
                of_left[j] += value * right[k];
                of_right[k] += value * left[j];
            }
        }
    }
    (of_left, of_right)
}

/// The vector divided by its largest absolute value, so that deep trees neither vanish nor overflow.
fn scaled(mut vector: Vec<f64>) -> Vec<f64> {
    let largest = vector.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    if largest > 0.0 && largest.is_finite() {
        vector.iter_mut().for_each(|value| *value /= largest);
    }
    vector
}

#[cfg(test)]
mod tests {
    use corpus::synthetic::{english, sample_treebank};
    use models::learn::{Learner, Silent};

    use super::*;
    use crate::lpcfg::{LpcfgConfig, LpcfgLearner, Method, Parser, ParserConfig, Scratch, SpectralConfig};

    fn learnt(method: Method) -> Lpcfg {
        let trees = sample_treebank(english(), 300, 1).unwrap();
        let config = LpcfgConfig { members: vec![method], ..LpcfgConfig::default() };
        LpcfgLearner { config }.learn(&trees, &mut Silent).unwrap().model
    }

    #[test]
    fn weights_are_posteriors_that_sum_to_one_and_agree_with_the_probability_of_the_tree() {
        let spectral = SpectralConfig { states: 3, ..SpectralConfig::default() };
        let model = learnt(Method::Cluster { spectral, steps: 2 });
        assert_eq!(model.dimensions(0), Some(Dimensions::States));
        let parser = Parser::new(&model, ParserConfig::default());
        let words = ["the", "dog", "saw", "a", "cat", "."].map(Observation::Word);
        let tree = parser.parse_normal_form(&words, &mut Scratch::default()).unwrap();
        let states = model.node_states(0, &tree, &words).unwrap();
        assert_eq!(states.len(), tree.nodes().filter(|node| !node.is_word()).count());
        for node in &states {
            assert!((node.weights.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{node:?}");
            assert!(node.weights.iter().all(|&weight| (-1e-9..=1.0 + 1e-9).contains(&weight)), "{node:?}");
        }
        // The root: its posterior is the share of each of its states in p(tree), which the root vector alone decides.
        let whole = model.tree_probabilities(&tree, &words)[0].value();
        for state in 0..states[0].weights.len() {
            let mut forced = model.clone();
            let member = &mut forced.grammars[0].members[0];
            let root = member.root_offsets[root_symbol(&model, &tree)] as usize;
            for other in (0..states[0].weights.len()).filter(|&other| other != state) {
                member.roots[root + other] = 0.0;
            }
            let share = forced.tree_probabilities(&tree, &words)[0].value() / whole;
            assert!((share - states[0].weights[state]).abs() < 1e-5, "state {state}: {share}");
        }
    }

    fn root_symbol(model: &Lpcfg, tree: &Tree) -> usize {
        let label = tree.nodes().next().unwrap().label().to_owned();
        model.grammar().symbols().get(SymbolKind::Phrase, &label).unwrap().index()
    }

    #[test]
    fn directions_have_shares_too() {
        let model = learnt(Method::Spectral(SpectralConfig { states: 3, ..SpectralConfig::default() }));
        assert_eq!(model.dimensions(0), Some(Dimensions::Directions));
        assert_eq!(model.dimensions(1), None);
        let parser = Parser::new(&model, ParserConfig::default());
        let words = ["the", "dog", "barks", "."].map(Observation::Word);
        let tree = parser.parse_normal_form(&words, &mut Scratch::default()).unwrap();
        for node in model.node_states(0, &tree, &words).unwrap() {
            assert!((node.weights.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{node:?}");
        }
    }
}
