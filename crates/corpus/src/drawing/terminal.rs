//! Trees drawn top-down with box characters, with all words in one row.

use unicode_width::UnicodeWidthStr;

use super::indented::draw_outline;
use super::layout::{Layout, is_leaf, leaf_texts, units};
use crate::tree::{NodeRef, Tree};

/// Columns between neighbours.
const GAP: usize = 1;

/// Rows per level: the label and the lines below it.
const ROWS: usize = 2;

/// Draws the tree top-down if it fits into `width` columns, else as an outline. Every line ends in a line feed.
///
/// Widths are those of Unicode, so ideographs and combining marks keep the columns aligned.
pub fn draw(tree: &Tree, width: usize) -> String {
    draw_top_down(tree, width).unwrap_or_else(|| draw_outline(tree, width))
}

/// Texts with the columns they start in.
#[derive(Default, Clone)]
struct Row {
    pieces: Vec<(usize, String)>,
}

impl Row {
    fn put(&mut self, column: usize, text: impl Into<String>) {
        self.pieces.push((column, text.into()));
    }

    fn render(mut self, out: &mut String) {
        self.pieces.sort_by_key(|&(column, _)| column);
        let mut at = 0;
        for (column, text) in self.pieces.iter().filter(|(_, text)| !text.is_empty()) {
            out.extend(std::iter::repeat_n(' ', column.saturating_sub(at)));
            out.push_str(text);
            at = (*column).max(at) + text.width();
        }
        out.push('\n');
    }
}

/// Draws the tree top-down, or returns `None` if it needs more than `width` columns.
pub fn draw_top_down(tree: &Tree, width: usize) -> Option<String> {
    let layout = Layout::new(tree, UnicodeWidthStr::width, GAP);
    if layout.total_width() > width {
        return None;
    }
    let tag_row = ROWS * layout.tag_depth;
    let mut rows = vec![Row::default(); tag_row + 2];
    for node in units(tree) {
        if is_leaf(node) {
            let (tag, word) = leaf_texts(node);
            rows[tag_row].put(layout.text_start(node, tag.width()), tag);
            rows[tag_row + 1].put(layout.text_start(node, word.width()), word);
            continue;
        }
        let row = ROWS * layout.level(node);
        rows[row].put(layout.text_start(node, node.text().width()), node.text());
        rows[row + 1].put(first_center(&layout, node), branches(&layout, node));
        for child in node.children() {
            for below in &mut rows[row + ROWS..ROWS * layout.level(child)] {
                below.put(layout.center(child), "│");
            }
        }
    }
    let mut out = String::new();
    rows.into_iter().for_each(|row| row.render(&mut out));
    Some(out)
}

fn first_center(layout: &Layout, node: NodeRef<'_>) -> usize {
    node.children().next().map_or(0, |child| layout.center(child))
}

/// The line below a phrase, from the centre of its first child to that of its last.
fn branches(layout: &Layout, node: NodeRef<'_>) -> String {
    let centers: Vec<usize> = node.children().map(|child| layout.center(child)).collect();
    let (Some(&first), Some(&last)) = (centers.first(), centers.last()) else { return String::new() };
    let parent = layout.center(node);
    if first == last {
        return "│".to_owned();
    }
    let mut child = centers.iter().peekable();
    let piece = |column: usize| {
        let below = child.next_if(|&&center| center == column).is_some();
        match (column == first, column == last, column == parent, below) {
            (true, _, true, _) => '├',
            (true, _, false, _) => '┌',
            (_, true, true, _) => '┤',
            (_, true, false, _) => '┐',
            (_, _, true, true) => '┼',
            (_, _, true, false) => '┴',
            (_, _, false, true) => '┬',
            (_, _, false, false) => '─',
        }
    };
    (first..=last).map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(tree: &str, width: usize) -> String {
        let drawing = draw(&tree.parse().unwrap(), width);
        format!("\n{drawing}")
    }

    #[test]
    fn phrases_stand_over_the_middle_and_tags_in_one_row() {
        assert_eq!(
            drawn("(ROOT (S (NP (PRP She)) (VP (VBD saw) (NP (DT the) (JJ old) (NN man))) (. .)))", 80),
            "
         ROOT
          │
          S
 ┌───────┬┴─────────┐
 NP      VP         │
 │   ┌───┴───┐      │
 │   │       NP     │
 │   │   ┌───┼───┐  │
PRP VBD  DT  JJ  NN .
She saw the old man .
"
        );
    }

    #[test]
    fn ideographs_take_two_columns_and_combining_marks_none() {
        assert_eq!(
            drawn("(S (NP (N 東京) (P は)) (VP (V könig)))", 80),
            "
      S
   ┌──┴───┐
   NP     VP
 ┌─┴─┐    │
 N   P    V
東京 は könig
"
        );
    }

    #[test]
    fn a_long_label_makes_room_and_a_narrow_terminal_gets_an_outline() {
        let tree = "(S (NP-SBJ-LONG (N a)) (V b))";
        assert_eq!(
            drawn(tree, 13),
            "
        S
     ┌──┴───┐
NP-SBJ-LONG │
     │      │
     N      V
     a      b
"
        );
        assert_eq!(drawn(tree, 12), "\nS\n├─ NP-SBJ-LONG\n│  └─ N a\n└─ V b\n");
    }
}
