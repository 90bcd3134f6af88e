//! Words in one row, arcs above them.

use super::grid::{DOWN, Grid, LEFT, RIGHT, columns};
use super::layout::{ArcLayout, ArrowEnd, Metrics};
use super::sentence::ArcSentence;

/// Columns between words.
const GAP: usize = 2;

/// A larger drawing would be a page of lines.
const MAX_LEVELS: usize = 40;

/// The drawing, unless it needs more than `width` columns or a terminal would reorder the words.
pub(super) fn draw(sentence: &ArcSentence, width: usize) -> Option<String> {
    let words = sentence.words();
    // Every word takes at least three columns and the gap.
    if sentence.is_right_to_left() || words.len().saturating_mul(3 + GAP) > width.saturating_add(GAP) {
        return None;
    }
    let metrics = Metrics { text: &columns, label: &columns, gap: GAP, offset: 1 };
    let layout = ArcLayout::new(sentence, &metrics);
    if layout.total > width || layout.levels > MAX_LEVELS {
        return None;
    }
    let rooted: Vec<usize> =
        (0..words.len()).filter(|&at| words[at].head.is_some_and(|head| head.is_root())).collect();
    let top = usize::from(!rooted.is_empty());
    let arrows = top + layout.levels;
    // A root at the edge may have a label wider than its word.
    let overhang =
        rooted.iter().map(|&at| layout.center[at] + columns(&words[at].label())).max().unwrap_or(0);
    let mut grid = Grid::new(arrows + 3, layout.total.max(overhang));
    for &at in &rooted {
        let label = words[at].label();
        grid.vertical(top..arrows, layout.center[at]);
        grid.text(arrows, layout.center[at], "▼");
        grid.text(0, layout.center[at].saturating_sub(columns(&label) / 2), &label);
    }
    for arc in &layout.arcs {
        let row = arrows - arc.level;
        grid.joint(row, arc.from, DOWN | RIGHT);
        grid.joint(row, arc.to, DOWN | LEFT);
        grid.horizontal(row, arc.from + 1..arc.to);
        let (tip, start) = match arc.end {
            ArrowEnd::Left => (arc.from, arc.to),
            ArrowEnd::Right => (arc.to, arc.from),
        };
        grid.vertical(row + 1..arrows, tip);
        grid.vertical(row + 1..arrows + 1, start);
        grid.text(arrows, tip, "▼");
    }
    // Labels last, where nothing crosses the bar if there is such a place.
    for arc in &layout.arcs {
        let (row, label) = (arrows - arc.level, words[arc.modifier].label());
        let (length, room) = (columns(&label), arc.to - arc.from - 1);
        let middle = arc.from + 1 + room.saturating_sub(length) / 2;
        let starts = arc.from + 1..=arc.from + 1 + room.saturating_sub(length);
        let free = starts.filter(|&start| grid.is_free(row, start..start + length));
        let start = free.min_by_key(|start| start.abs_diff(middle)).unwrap_or(middle);
        grid.text(row, start, &label);
    }
    for (at, word) in words.iter().enumerate() {
        grid.text(arrows + 1, layout.text_start(at, columns(&word.form)), &word.form);
        grid.text(arrows + 2, layout.text_start(at, columns(&word.tag)), &word.tag);
    }
    Some(grid.sorted().render())
}
