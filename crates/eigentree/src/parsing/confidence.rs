//! Confidences of the nodes of trees, for JSON and for drawings.

use corpus::drawing::NodeLook;
use corpus::tree::{Tree, TreeBuilder, Visit};
use grammars::marginals::Marginals;
use serde_json::{Value, json};

/// Less probable alternatives are not reported.
const WORTH_TELLING: f32 = 0.05;

/// All nodes of a tree except words, top-down and from left to right, as `{label, start, end, confidence}`.
pub(super) fn spans(tree: &Tree, marginals: &Marginals) -> Value {
    let confidences = marginals.of_tree(tree);
    let told = tree.nodes().filter_map(|node| {
        let span = node.span();
        let confidence = confidences[node.index()]?;
        Some(json!({ "label": node.label(), "start": span.start, "end": span.end, "confidence": rounded(confidence) }))
    });
    Value::Array(told.collect())
}

/// Labels over spans that are not in the tree but not improbable; in the same form, by start and end.
pub(super) fn alternatives(tree: &Tree, marginals: &Marginals) -> Value {
    let in_tree = |label: &str, start: usize, end: usize| {
        tree.nodes().any(|node| !node.is_word() && node.span() == (start..end) && node.label() == label)
    };
    let told = marginals.above(WORTH_TELLING).filter(|span| !in_tree(&span.label, span.start, span.end));
    let told = told.map(|span| {
        json!({ "label": span.label, "start": span.start, "end": span.end, "confidence": rounded(span.confidence) })
    });
    Value::Array(told.collect())
}

/// The tree with the confidence after each label, for drawings.
pub(super) fn annotated(tree: &Tree, marginals: &Marginals) -> Tree {
    let confidences = marginals.of_tree(tree);
    let mut builder = TreeBuilder::like(tree);
    for visit in tree.walk() {
        match visit {
            Visit::Open(node) => {
                builder.open(node.label());
                if let Some(confidence) = confidences[node.index()] {
                    builder.extend_label(&format!(" {confidence:.2}"));
                }
            }
            Visit::Word(node) => builder.word(node.text()),
            Visit::Close(_) => builder.close(),
        }
    }
    builder.finish().unwrap_or_else(|| tree.clone())
}

/// Colours of all nodes by their confidence.
pub(super) fn looks(tree: &Tree, marginals: &Marginals) -> Vec<NodeLook> {
    let look = |confidence: Option<f32>| confidence.map_or(NodeLook::Plain, NodeLook::Confident);
    marginals.of_tree(tree).into_iter().map(look).collect()
}

/// Four decimals; more would be noise.
pub(super) fn rounded(confidence: f32) -> f64 {
    (f64::from(confidence) * 1e4).round() / 1e4
}
