//! A tree from left to right, one word per line, for sentences that are too wide otherwise.

use std::fmt::Write;

use super::document::{BELOW, FONT_SIZE, Frame, MARGIN, NodeLook, class_of};
use super::text::{UNIT, text_width};
use crate::drawing::layout::{is_leaf, leaf_texts, units};
use crate::tree::Tree;

/// Distance between words.
const LINE: f64 = 22.0;
/// Room for the lines between a phrase and its parts.
const BETWEEN: f64 = 26.0;
/// Distance of a line from the texts at its ends.
const CLEAR: f64 = 5.0;

/// Draws a tree and returns where it ends at the right and at the bottom.
pub(super) fn push(frame: &mut Frame<'_>, tree: &Tree, looks: &[NodeLook]) -> (f64, f64) {
    let length = |text: &str| text_width(text, FONT_SIZE) as f64 / UNIT;
    let count = tree.node_count();
    let (mut depth, mut row) = (vec![0usize; count], vec![0.0f64; count]);
    // Phrases of one depth begin at the same place, right of the longest label of the depth before.
    let mut widths: Vec<f64> = Vec::new();
    let (mut widest_tag, mut widest_word, mut lines) = (0.0f64, 0.0f64, 0usize);
    for node in units(tree) {
        let at = node.index();
        if is_leaf(node) {
            let (tag, word) = leaf_texts(node);
            row[at] = lines as f64;
            lines += 1;
            (widest_tag, widest_word) = (widest_tag.max(length(tag)), widest_word.max(length(word)));
            continue;
        }
        if widths.len() <= depth[at] {
            widths.resize(depth[at] + 1, 0.0);
        }
        widths[depth[at]] = widths[depth[at]].max(length(node.text()));
        for child in node.children() {
            depth[child.index()] = depth[at] + 1;
        }
    }
    for node in tree.nodes().rev().filter(|&node| !is_leaf(node)) {
        if let (Some(first), Some(last)) = (node.children().next(), node.children().last()) {
            row[node.index()] = f64::midpoint(row[first.index()], row[last.index()]);
        }
    }
    let mut starts = vec![MARGIN];
    for width in &widths {
        starts.push(starts.last().copied().unwrap_or(MARGIN) + width + BETWEEN);
    }
    let tags = starts.last().copied().unwrap_or(MARGIN);
    let words = tags + widest_tag + 12.0;
    let base = {
        let top = frame.top;
        move |row: f64| top + FONT_SIZE + LINE * row
    };
    for node in units(tree) {
        let y = base(row[node.index()]);
        if is_leaf(node) {
            let (tag, word) = leaf_texts(node);
            let class = class_of(looks, node.index()).unwrap_or("");
            frame.text(&format!("left tag {class}"), tags, y, tag);
            frame.text("left word", words, y, word);
            continue;
        }
        let start = starts[depth[node.index()]];
        let class = class_of(looks, node.index()).unwrap_or("phrase");
        frame.text(&format!("left {class}"), start, y, node.text());
        let from = (start + length(node.text()) + CLEAR, y - BELOW);
        let bend = starts[depth[node.index()] + 1] - BETWEEN / 2.0;
        for child in node.children() {
            let to = if is_leaf(child) { tags } else { starts[depth[child.index()]] } - CLEAR;
            let to_y = base(row[child.index()]) - BELOW;
            let class = class_of(looks, child.index()).unwrap_or("");
            let _ = writeln!(
                frame.body,
                "<path class=\"{class}\" d=\"M{:.1} {:.1}H{bend:.1}V{to_y:.1}H{to:.1}\"/>",
                from.0, from.1
            );
        }
    }
    (words + widest_word, base(lines.saturating_sub(1) as f64) + BELOW)
}
