//! Which states are active at the nodes of the tree of a sentence.

use grammars::lexicon::Observation;
use grammars::lpcfg::{Dimensions, Lpcfg, Parser, ParserConfig, Scratch};
use serde_json::{Value, json};

use crate::{Error, Model};

/// The tree of a sentence in the normal form of the grammar, and the weights of states at its nodes, from the top down and from
/// left to right. `member` counts from 1; without one, the first member whose dimensions are states speaks, else the first.
pub fn active_states<S: AsRef<str>>(
    model: &Model,
    words: &[S],
    member: Option<usize>,
) -> Result<Value, Error> {
    let model = model.latent_grammar()?;
    let member = chosen(model, member)?;
    let kind = match model.dimensions(member) {
        Some(Dimensions::States) => "states",
        _ => "directions",
    };
    let observed: Vec<Observation<'_>> = words.iter().map(|word| Observation::Word(word.as_ref())).collect();
    let parser = Parser::new(model, ParserConfig::default());
    let tree = parser.parse_normal_form(&observed, &mut Scratch::default());
    let states = tree.as_ref().and_then(|tree| model.node_states(member, tree, &observed));
    let nodes: Vec<Value> = states
        .unwrap_or_default()
        .iter()
        .map(|node| {
            let mut weights: Vec<(usize, f64)> = (1..).zip(node.weights.iter().copied()).collect();
            weights.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()).then(one.0.cmp(&other.0)));
            let shown = weights
                .iter()
                .map(|(state, weight)| json!({ "state": state, "probability": rounded(*weight) }));
            json!({ "label": node.label, "first": node.span.start + 1, "last": node.span.end,
                "states": shown.collect::<Value>() })
        })
        .collect();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    Ok(json!({
        "words": words,
        "member": member + 1,
        "kind": kind,
        "tree": tree.map(|tree| tree.to_string()),
        "nodes": nodes,
    }))
}

fn chosen(model: &Lpcfg, member: Option<usize>) -> Result<usize, Error> {
    let Some(asked) = member else {
        let states = |member: &usize| model.dimensions(*member) == Some(Dimensions::States);
        return Ok((0..model.members()).find(states).unwrap_or(0));
    };
    let found = asked.checked_sub(1).filter(|member| model.dimensions(*member).is_some());
    found.ok_or_else(|| Error::Data(format!("the model has no member {asked}")))
}

fn rounded(weight: f64) -> f64 {
    (weight * 1e6).round() / 1e6
}

impl Model {
    /// The grammar with latent states, if the model is one or has one.
    pub fn latent_grammar(&self) -> Result<&Lpcfg, Error> {
        match self {
            Model::Lpcfg(model) => Some(model.as_ref()),
            Model::Pipeline(pipeline) => pipeline.grammar.as_deref(),
            _ => None,
        }
        .ok_or_else(|| Error::WrongModel {
            found: self.description(),
            wanted: "grammar with latent states",
            advice: "`train lpcfg` makes such models",
        })
    }
}
