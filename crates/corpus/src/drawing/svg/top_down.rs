//! A tree from top to bottom, with all words in one row.

use std::fmt::Write;

use super::document::{BELOW, FONT_SIZE, Frame, MARGIN, NodeLook, class_of};
use super::text::{UNIT, text_width};
use crate::drawing::layout::{Layout, is_leaf, leaf_texts, units};
use crate::tree::Tree;

/// Distance from the label of a phrase to those below it.
const LEVEL: f64 = 46.0;
/// Distance from a tag to its word.
const WORD_DROP: f64 = 19.0;
/// Distance between neighbours.
const GAP: usize = 140;
/// Height of a text above its base line.
const ABOVE: f64 = 14.0;

/// Draws a tree and returns where it ends at the right and at the bottom, unless it would be wider than `widest`.
pub(super) fn push(
    frame: &mut Frame<'_>,
    tree: &Tree,
    looks: &[NodeLook],
    widest: f64,
) -> Option<(f64, f64)> {
    let measure = |text: &str| text_width(text, FONT_SIZE);
    let layout = Layout::new(tree, measure, GAP);
    let x = |units: usize| MARGIN + units as f64 / UNIT;
    let right = x(layout.total_width());
    if right > widest {
        return None;
    }
    let base = {
        let top = frame.top;
        move |level: usize| top + FONT_SIZE + LEVEL * level as f64
    };
    for node in units(tree) {
        let (middle, y) = (x(layout.center(node)), base(layout.level(node)));
        if is_leaf(node) {
            let (tag, word) = leaf_texts(node);
            let class = class_of(looks, node.index()).unwrap_or("");
            frame.text(&format!("tag {class}"), middle, y, tag);
            frame.text("word", middle, y + WORD_DROP, word);
            continue;
        }
        // A long label over a narrow phrase is moved aside rather than cut.
        let length = measure(node.text());
        let label = x(layout.text_start(node, length)) + length as f64 / UNIT / 2.0;
        frame.text(class_of(looks, node.index()).unwrap_or("phrase"), label, y, node.text());
        for child in node.children() {
            // Slanted to the next level, then straight down: nothing else is in the column of a child.
            let (to_x, bend) = (x(layout.center(child)), base(layout.level(node) + 1) - ABOVE);
            let (from_y, to_y) = (y + BELOW, base(layout.level(child)) - ABOVE);
            let class = class_of(looks, child.index()).unwrap_or("");
            let _ = write!(
                frame.body,
                "<path class=\"{class}\" d=\"M{middle:.1} {from_y:.1}L{to_x:.1} {bend:.1}"
            );
            if to_y > bend {
                let _ = write!(frame.body, "V{to_y:.1}");
            }
            frame.body.push_str("\"/>\n");
        }
    }
    Some((right, base(layout.tag_depth) + WORD_DROP + BELOW))
}
