//! Writes a tree into a sentence.

use corpus::format::conllu::{Sentence, SentenceError};
use dependency::arcs::DependencyParse;

use super::parser::DependencyParser;

/// The MISC key for the confidence in a head and its label.
pub const CONFIDENCE_KEY: &str = "Confidence";

/// Sets HEAD and DEPREL of every word, and `Confidence` in MISC if the parse has confidences. Nothing else changes.
pub fn annotate<P: DependencyParser>(
    sentence: &mut Sentence,
    parse: &DependencyParse,
    parser: &P,
) -> Result<(), SentenceError> {
    for (index, (&head, &label)) in parse.heads.iter().zip(&parse.labels).enumerate() {
        sentence.set_head(index, Some(head))?;
        sentence.set_deprel(index, parser.label(label))?;
    }
    for (index, confidence) in parse.confidences.iter().enumerate() {
        let misc = sentence.word(index).map_or("_", |word| word.misc());
        let others =
            misc.split('|').filter(|part| *part != "_" && part.split('=').next() != Some(CONFIDENCE_KEY));
        let own = format!("{CONFIDENCE_KEY}={confidence:.4}");
        let misc: Vec<&str> = others.chain([own.as_str()]).collect();
        let misc = misc.join("|");
        sentence.set_misc(index, &misc)?;
    }
    Ok(())
}
