//! Contents of a sequence model.

use std::fmt::Write as _;

use eigentree::models::sequence::SequenceModel;
use serde_json::json;

use crate::session::Session;

/// Shows the components of the mixture and the singular values.
pub(super) fn put(text: &mut String, model: &SequenceModel, session: &mut Session) {
    let _ = writeln!(text, "mixture over {} symbols", model.symbols());
    let _ = writeln!(text, "  {:.4}  {}-grams", model.weights()[0], model.ngram().order());
    let mut parts =
        vec![json!({ "name": "ngram", "order": model.ngram().order(), "weight": model.weights()[0] })];
    for (component, weight) in model.components().iter().zip(&model.weights()[1..]) {
        let states = component.automaton().states();
        let _ = writeln!(text, "  {weight:.4}  {}, {states} states", component.name());
        parts.push(json!({ "name": component.name(), "states": states, "weight": weight }));
    }
    if let Some(first) = model.spectrum().first() {
        let _ = writeln!(text, "singular values, relative to the first ({first:.4})");
        for (rank, value) in model.spectrum().iter().enumerate() {
            let share = value / first;
            let bar = "#".repeat((50.0 * share).round() as usize);
            let _ = writeln!(text, "  {:>3}  {share:.5}  {bar}", rank + 1);
        }
    }
    session.field("mixture", parts);
    session.field("spectrum", model.spectrum().to_vec());
}
