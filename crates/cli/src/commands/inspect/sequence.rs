//! A sequence model as text.

use std::fmt::Write as _;

use eigentree::inspection::{MixtureComponent, SequenceContents};

/// Shows the components of the mixture and the singular values.
pub(super) fn put(text: &mut String, shown: &SequenceContents) {
    let _ = writeln!(text, "mixture over {} symbols", shown.symbols);
    for component in &shown.mixture {
        let _ = match component {
            MixtureComponent::Ngrams { order, weight } => writeln!(text, "  {weight:.4}  {order}-grams"),
            MixtureComponent::Automaton { name, states, weight } => {
                writeln!(text, "  {weight:.4}  {name}, {states} states")
            }
            _ => Ok(()),
        };
    }
    if let Some(first) = shown.spectrum.first() {
        let _ = writeln!(text, "singular values, relative to the first ({first:.4})");
        for (rank, value) in shown.spectrum.iter().enumerate() {
            let share = value / first;
            let bar = "#".repeat((50.0 * share).round() as usize);
            let _ = writeln!(text, "  {:>3}  {share:.5}  {bar}", rank + 1);
        }
    }
}
