//! Checks of two-column files.

use corpus::format::bio::BioSentence;

use super::finding::Severity;
use super::item::{Checked, CheckedItem};

/// The layer of words.
pub(super) const LAYERS: [&str; 1] = ["tag"];

/// Checks the sentences of one file.
pub(super) fn entities(checked: &mut Checked, file: usize, sentences: &[BioSentence]) {
    // Where entities begin with B, an I after something else is a mistake. In IOB1 it is the rule.
    let begins = |tag: &str| tag.starts_with("B-");
    let mut after_outside = (0usize, 0usize);
    for sentence in sentences {
        let tags: Vec<&str> = sentence.tags().collect();
        for (at, tag) in tags.iter().enumerate() {
            let outside = at == 0 || tags[at - 1] == "O";
            if outside && begins(tag) {
                after_outside.0 += 1;
            } else if outside && tag.starts_with("I-") {
                after_outside.1 += 1;
            }
        }
    }
    let strict = after_outside.0 > after_outside.1;
    for (number, sentence) in (1..).zip(sentences) {
        let item = item(file, number, sentence);
        let mut previous = "O";
        for (index, tag) in (1..).zip(sentence.tags()) {
            let class = |tag: &str| tag.split_once('-').map_or(String::new(), |(_, class)| class.to_owned());
            let continues = tag.starts_with("I-") || tag.starts_with("E-");
            if strict && continues && (previous == "O" || class(previous) != class(tag)) {
                let message = format!("word {index} has the tag {tag} after {previous}: no entity begins");
                checked.report(Severity::Warning, "invalid-transition", &item, message);
            }
            if tag != "O" && !tag.contains('-') {
                let message =
                    format!("word {index} has the tag `{tag}`, which is neither O nor position-class");
                checked.report(Severity::Error, "invalid-tag", &item, message);
            }
            previous = tag;
        }
        checked.items.push(item);
    }
}

fn item(file: usize, number: usize, sentence: &BioSentence) -> CheckedItem {
    let tags: Vec<String> = sentence.tags().map(str::to_owned).collect();
    CheckedItem {
        file,
        line: 0,
        name: number.to_string(),
        words: sentence.tokens().map(str::to_owned).collect(),
        annotation: tags.join(" "),
        layers: vec![tags],
        phrases: Vec::new(),
    }
}
