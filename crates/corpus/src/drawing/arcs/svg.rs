//! Arcs as curves over words, coloured by confidence or by what differs from another analysis.

use std::fmt::Write;

use super::layout::{ArcLayout, ArrowEnd, Metrics};
use super::sentence::{ArcSentence, ArcWord, Mark};
use crate::drawing::confidence::Certainty;
use crate::drawing::svg::{BELOW, FONT_SIZE, Frame, MARGIN, UNIT, text_width};

/// Font size of relations.
const LABEL_SIZE: f64 = 12.0;
/// Distance between levels of arcs.
const LEVEL: f64 = 24.0;
/// Distance from the lowest level to the words.
const LEGS: f64 = 26.0;
/// Distance from a word to its tag.
const TAG_DROP: f64 = 18.0;
/// Radius of the corners.
const RADIUS: f64 = 8.0;
/// Distance from the end of an arc to the word.
const CLEAR: f64 = 17.0;

/// Draws a sentence and returns where it ends at the right and at the bottom. Right-to-left scripts begin at the right.
pub(in crate::drawing) fn push_arcs(frame: &mut Frame<'_>, sentence: &ArcSentence) -> (f64, f64) {
    let text = |text: &str| text_width(text, FONT_SIZE);
    let label = |text: &str| text_width(text, LABEL_SIZE) + 240;
    let metrics = Metrics { text: &text, label: &label, gap: 160, offset: 50 };
    let layout = ArcLayout::new(sentence, &metrics);
    let words = sentence.words();
    // Relations of roots may be longer than their words.
    let rooted = |word: &ArcWord| word.head.is_some_and(|head| head.is_root());
    let overhang = |at: usize| {
        let half = text_width(&words[at].label(), LABEL_SIZE) / 2;
        (half.saturating_sub(layout.center[at]), (layout.center[at] + half).saturating_sub(layout.total))
    };
    let roots: Vec<usize> = (0..words.len()).filter(|&at| rooted(&words[at])).collect();
    let (before, after) =
        roots.iter().fold((0, 0), |(b, a), &at| (b.max(overhang(at).0), a.max(overhang(at).1)));
    let total = before + layout.total + after;
    let x = |units: usize| {
        let units = before + units;
        MARGIN + if sentence.is_right_to_left() { total - units } else { units } as f64 / UNIT
    };
    let arc_top = frame.top + 20.0;
    let base = arc_top + LEVEL * layout.levels as f64 + LEGS + FONT_SIZE;
    let foot = base - CLEAR;
    let height = |level: usize| foot - LEGS + LEVEL - LEVEL * level as f64;
    for &at in &roots {
        let middle = x(layout.center[at]);
        arrow(frame, &words[at], &format!("M{middle:.1} {arc_top:.1}V{:.1}", foot - 5.0), middle, foot);
    }
    for arc in &layout.arcs {
        let (from, to, y) = (x(arc.from), x(arc.to), height(arc.level));
        let (start, tip) = match arc.end {
            ArrowEnd::Left => (to, from),
            ArrowEnd::Right => (from, to),
        };
        let radius = RADIUS.min((tip - start).abs() / 2.0);
        let side = radius.copysign(tip - start);
        let path = format!(
            "M{start:.1} {:.1}V{:.1}Q{start:.1} {y:.1} {:.1} {y:.1}H{:.1}Q{tip:.1} {y:.1} {tip:.1} {:.1}V{:.1}",
            foot,
            y + radius,
            start + side,
            tip - side,
            y + radius,
            foot - 5.0
        );
        arrow(frame, &words[arc.modifier], &path, tip, foot);
    }
    for arc in &layout.arcs {
        let (word, y) = (&words[arc.modifier], height(arc.level));
        let middle = (x(arc.from) + x(arc.to)) / 2.0;
        let width = text_width(&word.label(), LABEL_SIZE) as f64 / UNIT + 6.0;
        if word.relation.is_empty() && word.confidence.is_none() {
            continue;
        }
        let _ = writeln!(
            frame.body,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"14\" fill=\"#fff\"/>",
            middle - width / 2.0,
            y - 7.0
        );
        frame.text(&format!("small {}", class(word)), middle, y + 4.0, &word.label());
    }
    for &at in &roots {
        frame.text(
            &format!("small {}", class(&words[at])),
            x(layout.center[at]),
            arc_top - 6.0,
            &words[at].label(),
        );
    }
    for (at, word) in words.iter().enumerate() {
        let middle = x(layout.left[at] + layout.width[at] / 2);
        frame.text("", middle, base, &word.form);
        frame.text("small tag", middle, base + TAG_DROP, &word.tag);
    }
    (MARGIN + total as f64 / UNIT, base + TAG_DROP + BELOW)
}

/// A line with an arrowhead at the end, which points down.
fn arrow(frame: &mut Frame<'_>, word: &ArcWord, path: &str, x: f64, y: f64) {
    let class = class(word);
    let _ = writeln!(frame.body, "<path class=\"{class}\" d=\"{path}\"/>");
    let _ = writeln!(
        frame.body,
        "<path class=\"head {class}\" d=\"M{:.1} {:.1}L{:.1} {:.1}L{x:.1} {y:.1}z\"/>",
        x - 3.5,
        y - 8.0,
        x + 3.5,
        y - 8.0
    );
}

/// The class of an arc: what differs from another analysis, else how sure the model is.
fn class(word: &ArcWord) -> &'static str {
    match (word.mark, word.confidence) {
        (Mark::OtherHead, _) => "wrong",
        (Mark::OtherRelation, _) => "other",
        (Mark::Plain, Some(confidence)) => Certainty::of(confidence).class(),
        (Mark::Plain, None) => "",
    }
}
