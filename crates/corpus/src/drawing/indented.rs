//! Trees as outlines, for trees that are too wide to be drawn top-down.

use unicode_width::UnicodeWidthStr;

use super::layout::{is_leaf, leaf_texts, units};
use crate::tree::{NodeRef, Tree};

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

/// The same with each phrase on one line that has only words as parts, if the line fits into `width` columns.
///
/// ```
/// use eigentree_corpus::{drawing::draw_outline, tree::Tree};
/// let tree: Tree = "(S (NP (DT the) (NN dog)) (VP (VBZ is) (ADJP (JJ loud))))".parse()?;
/// assert_eq!(draw_outline(&tree, 80), "\
/// S
/// ├─ NP  DT the  NN dog
/// └─ VP
///    ├─ VBZ is
///    └─ ADJP  JJ loud
/// ");
/// # Ok::<(), eigentree_corpus::error::ReadError>(())
/// ```
pub fn draw_outline(tree: &Tree, width: usize) -> String {
    let mut out = String::new();
    let full = draw_indented(tree);
    let mut lines = full.lines();
    let mut nodes = units(tree).peekable();
    while let (Some(node), Some(line)) = (nodes.next(), lines.next()) {
        let flat = !is_leaf(node) && node.children().all(is_leaf);
        let parts: String = if flat { node.children().map(part).collect() } else { String::new() };
        out.push_str(line);
        if flat && line.width() + parts.width() <= width {
            out.push_str(&parts);
            for _ in node.children() {
                nodes.next();
                lines.next();
            }
        }
        out.push('\n');
    }
    out
}

/// Tag and word on the line of their phrase.
fn part(leaf: NodeRef<'_>) -> String {
    let (tag, word) = leaf_texts(leaf);
    if tag.is_empty() { format!("  {word}") } else { format!("  {tag} {word}") }
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
