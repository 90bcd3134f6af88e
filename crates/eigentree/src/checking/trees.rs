//! Checks of constituency trees.

use std::collections::BTreeMap;

use corpus::tree::Tree;

use super::finding::Severity;
use super::item::{Checked, CheckedItem};

/// Layers: tags of words, labels of phrases.
pub(super) const LAYERS: [&str; 2] = ["tag", "label"];

/// Checks the trees of one file.
pub(super) fn trees(checked: &mut Checked, file: usize, trees: &[Tree]) {
    let mut roots: BTreeMap<&str, usize> = BTreeMap::new();
    let mut loops = 0usize;
    for (number, tree) in (1..).zip(trees) {
        let item = item(file, number, tree);
        if tree.word_count() == 0 {
            checked.report(Severity::Error, "empty-sentence", &item, "the tree has no words".to_owned());
        }
        *roots.entry(tree.root().label()).or_default() += 1;
        for node in tree.nodes().filter(|node| !node.is_word()) {
            if node.only_child().is_some_and(|child| !child.is_word() && child.label() == node.label()) {
                loops += 1;
            }
            if node.label().is_empty() && node.index() > 0 {
                let message = format!(
                    "a phrase over words {} to {} has no label",
                    node.span().start + 1,
                    node.span().end
                );
                checked.report(Severity::Warning, "empty-label", &item, message);
            }
            let bare = node.children().filter(|child| child.is_word()).count();
            if bare > 0 && !node.is_preterminal() {
                let message = format!("{bare} words below {} have no tag", node.label());
                checked.report(Severity::Warning, "untagged-word", &item, message);
            }
        }
        checked.items.push(item);
    }
    if loops > 0 {
        let message = format!("{loops} phrases have a single part with the same label");
        checked.report_file(Severity::Note, "unary-loop", file, message);
    }
    if roots.len() > 1 {
        let roots: Vec<String> = roots.iter().map(|(label, count)| format!("`{label}` {count}×")).collect();
        let message = format!("several labels at the top: {}", roots.join(", "));
        checked.report_file(Severity::Note, "several-root-labels", file, message);
    }
}

fn item(file: usize, number: usize, tree: &Tree) -> CheckedItem {
    let mut tags = vec![String::new(); tree.word_count()];
    for node in tree.preterminals() {
        node.label().clone_into(&mut tags[node.span().start]);
    }
    let phrases = tree.nodes().filter(|node| !node.is_word() && !node.is_preterminal());
    CheckedItem {
        file,
        // Trees have no lines of their own; the number leads to them where there is one tree per line.
        line: number as u64,
        name: number.to_string(),
        words: tree.words().map(str::to_owned).collect(),
        layers: vec![tags],
        phrases: phrases.map(|node| node.label().to_owned()).collect(),
        annotation: tree.to_string(),
    }
}
