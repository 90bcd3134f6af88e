//! Sentences of any format as annotated sentences.

use corpus::format::bio::{Scheme, lenient_entities};
use corpus::format::conllu::{Column, Columns, Sentence, SentenceError};
use corpus::tree::Tree;

use super::sentence::{AnnotatedSentence, PhraseTree};
use crate::conversion::Item;
use crate::pipeline::ENTITY_KEY;

/// The sentence as CoNLL-U has it: words, with the tags of tagged text as XPOS.
pub(crate) fn sentence_of(item: &Item) -> Result<Sentence, SentenceError> {
    let mut sentence = Sentence::new();
    let mut push = |form: &str, tag: Option<&str>| {
        sentence.push_word(Columns { form, xpos: tag.unwrap_or("_"), ..Columns::default() })
    };
    match item {
        Item::Dependencies(sentence) => return Ok(sentence.clone()),
        Item::Tree(tree) => tree.words().try_for_each(|word| push(word, None))?,
        Item::Entities(entities) => entities.tokens().try_for_each(|word| push(word, None))?,
        Item::Plain(plain) => plain.words().zip(plain.tags()).try_for_each(|(word, tag)| push(word, tag))?,
    }
    Ok(sentence)
}

/// A sentence with all that its format says of it: the tree of phrases and its tags, or entities.
pub(crate) fn annotated_item(item: &Item) -> Result<AnnotatedSentence, SentenceError> {
    let mut sentence = sentence_of(item)?;
    let mut phrases = None;
    match item {
        Item::Tree(tree) => {
            write_tags(&mut sentence, tree)?;
            phrases = Some(PhraseTree::new(tree.clone(), None, Vec::new()));
        }
        Item::Entities(entities) => {
            let spans = lenient_entities(entities.tags());
            let tags = Scheme::Iob2.tags(&spans, sentence.len()).unwrap_or_default();
            for (index, tag) in tags.iter().enumerate().filter(|(_, tag)| *tag != "O") {
                sentence.set_misc_value(index, ENTITY_KEY, tag)?;
            }
        }
        Item::Dependencies(_) | Item::Plain(_) => {}
    }
    Ok(AnnotatedSentence::new(sentence).with_phrases(phrases))
}

/// The tags of a tree as XPOS.
pub(crate) fn write_tags(sentence: &mut Sentence, tree: &Tree) -> Result<(), SentenceError> {
    let tagged = tree.preterminals().filter(|node| !node.label().is_empty());
    for node in tagged {
        sentence.set_column(node.span().start, Column::Xpos, node.label())?;
    }
    Ok(())
}
