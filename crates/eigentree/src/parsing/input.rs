//! The parser's view of a sentence.

use grammars::lexicon::Observation;

use crate::conversion::{Item, TagColumn};
use crate::reading::Format;

/// Whose tags are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagUse {
    /// Those of the input; a word without one gets the parser's.
    Given,
    /// The parser's own.
    Predicted,
}

/// The words of a sentence as the parser should see them.
pub fn observations(item: &Item, input: Format, tags: TagUse, column: TagColumn) -> Vec<Observation<'_>> {
    let observe = |word, tag| observe(word, tag, tags);
    match item {
        Item::Tree(tree) => {
            let mut given = vec![None; tree.word_count()];
            tree.preterminals().for_each(|node| given[node.span().start] = Some(node.label()));
            tree.words().zip(given).map(|(word, tag)| observe(word, tag)).collect()
        }
        Item::Dependencies(sentence) => match column {
            TagColumn::Upos => sentence.words().map(|word| observe(word.form(), Some(word.upos()))).collect(),
            TagColumn::Xpos => sentence.words().map(|word| observe(word.form(), Some(word.xpos()))).collect(),
        },
        Item::Entities(sentence) => sentence.tokens().map(Observation::Word).collect(),
        Item::Plain(sentence) if input == Format::Tags => sentence.words().map(Observation::Tag).collect(),
        Item::Plain(sentence) => {
            sentence.words().zip(sentence.tags()).map(|(word, tag)| observe(word, tag)).collect()
        }
    }
}

fn observe<'s>(word: &'s str, tag: Option<&'s str>, tags: TagUse) -> Observation<'s> {
    match (tags, tag) {
        (TagUse::Given, Some(tag)) if !tag.is_empty() && tag != "_" => Observation::Tagged(word, tag),
        _ => Observation::Word(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_seen_only_where_they_are_given_and_wanted() {
        let tree = Item::Tree("(S (NN time) (VBZ flies))".parse().unwrap());
        let column = TagColumn::default();
        assert_eq!(
            observations(&tree, Format::Ptb, TagUse::Given, column),
            [Observation::Tagged("time", "NN"), Observation::Tagged("flies", "VBZ")]
        );
        assert_eq!(
            observations(&tree, Format::Ptb, TagUse::Predicted, column),
            [Observation::Word("time"), Observation::Word("flies")]
        );
    }
}
