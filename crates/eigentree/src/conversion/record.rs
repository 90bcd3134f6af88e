//! Sentences as JSON objects, flat, so that no JSON reader fails on deep nesting.

use corpus::tree::Tree;
use serde_json::{Value, json};

use super::item::Item;

/// A tree: its words and tags, its brackets, and all phrases as `[label, start, end]`, with words counted from 0.
pub fn tree_record(tree: &Tree) -> Value {
    let phrases: Vec<Value> = tree
        .nodes()
        .filter(|node| !node.is_word() && !node.is_preterminal())
        .map(|node| json!([node.label(), node.span().start, node.span().end]))
        .collect();
    json!({
        "words": tree.words().collect::<Vec<_>>(),
        "tags": tree.tags().collect::<Vec<_>>(),
        "tree": tree.to_string(),
        "phrases": phrases,
    })
}

/// A sentence of any format.
pub(super) fn record(item: &Item) -> Value {
    match item {
        Item::Tree(tree) => tree_record(tree),
        Item::Dependencies(sentence) => {
            let mut words = Vec::with_capacity(sentence.len());
            for word in sentence.words() {
                words.push(json!({
                    "form": word.form(),
                    "lemma": word.lemma(),
                    "upos": word.upos(),
                    "xpos": word.xpos(),
                    "feats": word.feats(),
                    "head": word.head().map(|head| head.number()),
                    "deprel": word.deprel(),
                }));
            }
            json!({ "sent_id": sentence.sent_id(), "text": sentence.text_comment(), "words": words })
        }
        Item::Entities(sentence) => json!({
            "words": sentence.tokens().collect::<Vec<_>>(),
            "tags": sentence.tags().collect::<Vec<_>>(),
        }),
        Item::Plain(sentence) => json!({
            "words": sentence.words().collect::<Vec<_>>(),
            "tags": sentence.tags().collect::<Vec<_>>(),
        }),
    }
}
