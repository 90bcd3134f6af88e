//! Trees as outlines, for trees that are too wide to be drawn top-down.

use super::layout::{leaf_texts, units};
use crate::tree::Tree;

/// The tree with one node per line, children indented below their parent.
///
/// ```
/// use eigentree_corpus::{drawing::draw_indented, tree::Tree};
/// let tree: Tree = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))".parse()?;
/// assert_eq!(draw_indented(&tree), "\
/// S
/// ├─ NP
/// │  ├─ DT the
/// │  └─ NN dog
/// └─ VP
///    └─ VBZ barks
/// ");
/// # Ok::<(), eigentree_corpus::error::ReadError>(())
/// ```
pub fn draw_indented(tree: &Tree) -> String {
    let mut out = String::new();
    // The open phrases: where each ends, and the prefix of further lines below it.
    let mut open: Vec<(usize, &str)> = Vec::new();
    for node in units(tree) {
        while open.last().is_some_and(|&(end, _)| end <= node.index()) {
            open.pop();
        }
        // Nothing continues below the last child.
        let below = match open.last() {
            None => "",
            Some(&(end, _)) => {
                out.extend(open.iter().map(|&(_, rail)| rail));
                let last = end == node.subtree_end();
                out.push_str(if last { "└─ " } else { "├─ " });
                if last { "   " } else { "│  " }
            }
        };
        if node.is_preterminal() || node.is_word() {
            let (tag, word) = leaf_texts(node);
            out.push_str(tag);
            out.push_str(if tag.is_empty() { "" } else { " " });
            out.push_str(word);
        } else {
            out.push_str(node.text());
            open.push((node.subtree_end(), below));
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_words_and_deep_trees_are_drawn() {
        let word: Tree = "(NN time)".parse().unwrap();
        assert_eq!(draw_indented(&word), "NN time\n");
        let deep = format!("{}(NN a){}", "(X ".repeat(3000), ")".repeat(3000));
        let lines = draw_indented(&deep.parse().unwrap());
        assert_eq!(lines.lines().count(), 3001);
        assert_eq!(lines.lines().last().unwrap().trim_start(), "└─ NN a");
    }
}
