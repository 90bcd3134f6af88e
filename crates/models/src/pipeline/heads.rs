//! Trees for the sentences of a pipeline, however long these are.
//!
//! The memory and time of a search grow with the square of the length and more. A sentence is what the tokeniser found, and running text without
//! an end, a list or a table, may be a single one of ten thousand words. What is longer than [`LONGEST`] is parsed in parts; the root of each later part then
//! depends on the root of the first, by the relation [`JOINT`].

use corpus::dependency::Head;
use corpus::format::conllu::{Sentence, SentenceError};

use crate::dependency::Word;
use crate::mst::{Mst, Parser, Scratch};

/// The most words that are parsed at once. Treebanks have hardly a sentence of more than 200.
const LONGEST: usize = 256;

/// The relation between the parts of a long sentence: the one that Universal Dependencies has for what is not known.
const JOINT: &str = "dep";

/// Writes HEAD and DEPREL of all words, by their forms and tags.
pub fn annotate_heads(
    model: &Mst,
    sentence: &mut Sentence,
    scratch: &mut Scratch,
) -> Result<(), SentenceError> {
    let parser = Parser::new(model);
    let mut arcs: Vec<(Option<Head>, &str)> = Vec::with_capacity(sentence.len());
    let mut first_root = None;
    for part in Word::of_sentence(sentence).chunks(LONGEST) {
        let before = arcs.len();
        let Some(parse) = parser.parse(part, scratch) else { continue };
        for (index, (head, &label)) in parse.heads.iter().zip(&parse.labels).enumerate() {
            let label = model.labels().text(label);
            arcs.push(match (head.number(), first_root) {
                (0, None) => {
                    first_root = Some(before + index + 1);
                    (Some(*head), label)
                }
                (0, Some(root)) => (Head::from_number(root), JOINT),
                (number, _) => (Head::from_number(before + number), label),
            });
        }
    }
    for (index, (head, label)) in arcs.into_iter().enumerate() {
        sentence.set_head(index, head)?;
        sentence.set_deprel(index, label)?;
    }
    Ok(())
}
