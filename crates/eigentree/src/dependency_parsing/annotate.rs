//! Writes a tree into a sentence.

use corpus::dependency::Head;
use corpus::format::conllu::{Sentence, SentenceError};
use corpus::ids::LabelId;
use dependency::arcs::DependencyParse;

use super::parser::DependencyParser;

/// The MISC key for the confidence in a head and its label.
pub const CONFIDENCE_KEY: &str = "Confidence";

/// The relation of the root, and of it alone, in Universal Dependencies; and that of which nothing more is known.
const ROOT: &str = "root";
const UNKNOWN: &str = "dep";

/// The relation as it is written. Labels are chosen word by word, and now and then `root` falls on another word than the root; in
/// a treebank that has this relation it marks the root and nothing else.
fn relation<P: DependencyParser>(parser: &P, head: Head, label: LabelId) -> &str {
    let deprel = parser.label(label);
    match (head.is_root(), deprel == ROOT) {
        (true, false) if parser.labels().get(ROOT).is_some() => ROOT,
        (false, true) => UNKNOWN,
        _ => deprel,
    }
}

/// Sets HEAD and DEPREL of every word, and `Confidence` in MISC if the parse has confidences; if not, that of another tree is removed. If that changes the tree, an
/// enhanced graph in DEPS would contradict it and is removed. Nothing else changes.
pub fn annotate<P: DependencyParser>(
    sentence: &mut Sentence,
    parse: &DependencyParse,
    parser: &P,
) -> Result<(), SentenceError> {
    let mut changed = false;
    for (index, (&head, &label)) in parse.heads.iter().zip(&parse.labels).enumerate() {
        let deprel = relation(parser, head, label);
        changed |=
            sentence.word(index).is_none_or(|word| word.head() != Some(head) || word.deprel() != deprel);
        sentence.set_head(index, Some(head))?;
        sentence.set_deprel(index, deprel)?;
    }
    if changed {
        sentence.remove_enhanced()?;
    }
    for index in parse.confidences.len()..parse.heads.len() {
        sentence.remove_misc_value(index, CONFIDENCE_KEY)?;
    }
    for (index, confidence) in parse.confidences.iter().enumerate() {
        sentence.set_misc_value(index, CONFIDENCE_KEY, &format!("{confidence:.4}"))?;
    }
    Ok(())
}
