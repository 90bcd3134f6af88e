//! One word per line, arcs at the left, so that sentences of any length and script can be read.

use std::fmt::Write;

use super::grid::{DOWN, Grid, RIGHT, UP, columns};
use super::layout::levels;
use super::sentence::{ArcSentence, ArcWord};

/// Beyond this number of nested arcs, or of cells, there are only numbers of heads.
const MAX_LEVELS: usize = 60;
const MAX_CELLS: usize = 4_000_000;

/// The drawing. Behind each word stand its tag, its relation and the number of its head, which tells the arcs of a word
/// apart.
pub(super) fn draw(sentence: &ArcSentence) -> String {
    let words = sentence.words();
    let arcs = arcs(sentence);
    let number_width = words.len().to_string().len();
    // A terminal that reorders right-to-left text must not move the arcs, so the word comes last there.
    let word_last = sentence.is_right_to_left();
    let form_width = sentence.widest(|word| &word.form);
    let tag_width = sentence.widest(|word| &word.tag);
    let relation = |word: &ArcWord| match word.head {
        Some(head) => format!("{} ←{head}", word.label()),
        None => String::new(),
    };
    let relation_width = words.iter().map(|word| columns(&relation(word))).max().unwrap_or(0);
    let mut out = String::new();
    for ((at, word), line) in words.iter().enumerate().zip(arcs) {
        let start = out.len();
        let relation = relation(word);
        let _ = write!(out, "{line}{:>number_width$}  ", at + 1);
        if word_last {
            pad(&mut out, &word.tag, tag_width);
            pad(&mut out, &relation, relation_width);
            out.push_str(&word.form);
        } else {
            pad(&mut out, &word.form, form_width);
            pad(&mut out, &word.tag, tag_width);
            out.push_str(&relation);
        }
        out.truncate(start + out[start..].trim_end_matches(' ').len());
        out.push('\n');
    }
    out
}

fn pad(out: &mut String, text: &str, width: usize) {
    if width > 0 {
        out.push_str(text);
        out.extend(std::iter::repeat_n(' ', width.saturating_sub(columns(text)) + 2));
    }
}

/// The part of each line left of the number.
fn arcs(sentence: &ArcSentence) -> Vec<String> {
    let words = sentence.words();
    let none = || vec![String::new(); words.len()];
    if words.len() > MAX_CELLS / (2 * MAX_LEVELS) {
        return none();
    }
    let ends: Vec<(usize, usize)> =
        words.iter().enumerate().filter_map(|(at, word)| Some((at, word.head_index()?))).collect();
    let spans: Vec<(usize, usize)> = ends.iter().map(|&(m, h)| (m.min(h), m.max(h))).collect();
    let levels = levels(&spans);
    let highest = levels.iter().copied().max().unwrap_or(0);
    if highest > MAX_LEVELS {
        return none();
    }
    // Two columns per level, one for the arrowhead, and a space.
    let edge = 2 * highest + 1;
    let mut grid = Grid::new(words.len(), edge + 2);
    for ((&(modifier, head), &(first, last)), &level) in ends.iter().zip(&spans).zip(&levels) {
        let column = 2 * (highest - level);
        grid.joint(first, column, DOWN | RIGHT);
        grid.joint(last, column, UP | RIGHT);
        grid.vertical(first + 1..last, column);
        grid.horizontal(modifier, column + 1..edge);
        grid.horizontal(head, column + 1..edge + 1);
        grid.text(modifier, edge, "►");
    }
    for (at, word) in words.iter().enumerate() {
        if word.head.is_some_and(|head| head.is_root()) {
            grid.text(at, edge, "●");
        }
    }
    let drawn = grid.sorted().render();
    drawn
        .lines()
        .map(|line| format!("{line}{}", " ".repeat((edge + 2).saturating_sub(columns(line)))))
        .collect()
}
