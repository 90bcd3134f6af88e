//! Dependency trees for the sentences of a pipeline, whatever their length.

use corpus::format::conllu::{Sentence, SentenceError};

use dependency::arcs::Word;
use dependency::mst::{Mst, Parser, Scratch};

/// Writes HEAD and DEPREL of all words, by their forms and tags.
pub fn annotate_heads(
    model: &Mst,
    sentence: &mut Sentence,
    scratch: &mut Scratch,
) -> Result<(), SentenceError> {
    let Some(parse) = Parser::new(model).parse(&Word::of_sentence(sentence), scratch) else { return Ok(()) };
    for (index, (&head, &label)) in parse.heads.iter().zip(&parse.labels).enumerate() {
        sentence.set_head(index, Some(head))?;
        sentence.set_deprel(index, model.labels().text(label))?;
    }
    Ok(())
}
