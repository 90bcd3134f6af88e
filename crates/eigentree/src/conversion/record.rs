//! Sentences as JSON objects, flat, so that no JSON reader fails on deep nesting.

use corpus::format::conllu::Sentence;
use corpus::tree::Tree;
use serde_json::{Value, json};

use super::item::Item;
use crate::annotation::AnnotatedSentence;

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
        Item::Dependencies(sentence) => sentence_record(sentence),
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

/// A sentence of CoNLL-U with all that it has: the record of annotated documents, with columns as the file has them, and
/// features by name beside them.
fn sentence_record(sentence: &Sentence) -> Value {
    let mut record = AnnotatedSentence::new(sentence.clone()).to_json();
    record["sent_id"] = json!(sentence.sent_id());
    record["text"] = json!(sentence.text_comment());
    let words = record["words"].as_array_mut().into_iter().flatten();
    for (record, word) in words.zip(sentence.words()) {
        record["features"] = record["feats"].take();
        for (name, column) in [
            ("lemma", word.lemma()),
            ("upos", word.upos()),
            ("xpos", word.xpos()),
            ("feats", word.feats()),
            ("deprel", word.deprel()),
        ] {
            record[name] = json!(column);
        }
    }
    record
}
