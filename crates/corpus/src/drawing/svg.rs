//! Trees as SVG: one self-contained document for any browser or editor.
//!
//! Text lengths are estimated from character classes, since no font is available. A margin around each text absorbs the
//! error.

use std::fmt::Write;

use unicode_width::UnicodeWidthChar;

use super::layout::{Layout, is_leaf, leaf_texts, units};
use crate::tree::Tree;

/// The layout uses tenths of a pixel.
const UNIT: f64 = 10.0;
const FONT_SIZE: f64 = 15.0;
/// Distance from the label of a phrase to those below it.
const LEVEL: f64 = 46.0;
/// Distance from a tag to its word.
const WORD_DROP: f64 = 19.0;
/// Distance between neighbours, around the picture, and between trees.
const GAP: usize = 140;
const MARGIN: f64 = 16.0;
const BETWEEN: f64 = 28.0;
/// Clearance of lines: the height of a text above its base line, and the depth below it.
const ABOVE: f64 = 14.0;
const BELOW: f64 = 5.0;

const STYLE: &str = "text{font:15px 'Helvetica Neue',Arial,'Noto Sans','Noto Sans CJK SC',sans-serif;\
text-anchor:middle;fill:#1b2733}.tag{fill:#2467a8}.word{font-style:italic}\
path{stroke:#8a97a3;stroke-width:1.2;fill:none}";

/// A document under construction, with trees one below the other.
///
/// ```
/// use eigentree_corpus::{drawing::SvgDocument, tree::Tree};
/// let tree: Tree = "(S (NP (NN R&D)) (VP (VBZ pays)))".parse()?;
/// let mut document = SvgDocument::new();
/// document.push(&tree);
/// let svg = document.finish();
/// assert!(svg.starts_with("<svg") && svg.contains(">R&amp;D</text>"));
/// # Ok::<(), eigentree_corpus::error::ReadError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SvgDocument {
    body: String,
    width: f64,
    height: f64,
}

impl SvgDocument {
    /// Creates a document without trees.
    pub fn new() -> Self {
        Self::default()
    }

    /// Draws another tree.
    pub fn push(&mut self, tree: &Tree) {
        let top = if self.height == 0.0 { MARGIN } else { self.height + BETWEEN };
        let layout = Layout::new(tree, text_width, GAP);
        let base = |level: usize| top + FONT_SIZE + LEVEL * level as f64;
        let x = |units: usize| MARGIN + units as f64 / UNIT;
        let _ = writeln!(self.body, "<g>");
        for node in units(tree) {
            let (middle, y) = (x(layout.center(node)), base(layout.level(node)));
            if is_leaf(node) {
                let (tag, word) = leaf_texts(node);
                self.text("tag", middle, y, tag);
                self.text("word", middle, y + WORD_DROP, word);
                continue;
            }
            // A long label over a narrow phrase is moved aside rather than cut.
            let length = text_width(node.text());
            let label = x(layout.text_start(node, length)) + length as f64 / UNIT / 2.0;
            self.text("phrase", label, y, node.text());
            for child in node.children() {
                // Slanted to the next level, then straight down: nothing else is in the column of a child.
                let (to_x, bend) = (x(layout.center(child)), base(layout.level(node) + 1) - ABOVE);
                let (from_y, to_y) = (y + BELOW, base(layout.level(child)) - ABOVE);
                let _ = write!(self.body, "<path d=\"M{middle:.1} {from_y:.1}L{to_x:.1} {bend:.1}");
                if to_y > bend {
                    let _ = write!(self.body, "V{to_y:.1}");
                }
                self.body.push_str("\"/>\n");
            }
        }
        let _ = writeln!(self.body, "</g>");
        self.height = base(layout.tag_depth) + WORD_DROP + BELOW;
        self.width = self.width.max(x(layout.total_width()));
    }

    fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        if !text.is_empty() {
            let _ = write!(self.body, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">");
            push_escaped(&mut self.body, text);
            self.body.push_str("</text>\n");
        }
    }

    /// Returns the whole document.
    pub fn finish(self) -> String {
        let (width, height) = ((self.width + MARGIN).ceil(), (self.height + MARGIN).ceil());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<style>{STYLE}</style>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// Appends `text` with XML special characters escaped. Control characters, which XML forbids, become U+FFFD.
///
/// ```
/// let mut svg = String::new();
/// eigentree_corpus::drawing::push_escaped(&mut svg, "a < b\u{0}");
/// assert_eq!(svg, "a &lt; b\u{fffd}");
/// ```
pub fn push_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if (c.is_control() && c != '\t') || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                out.push('\u{fffd}')
            }
            c => out.push(c),
        }
    }
}

/// Estimated length of a text, in tenths of a pixel.
fn text_width(text: &str) -> usize {
    text.chars().map(|c| (em(c) * FONT_SIZE * UNIT) as usize).sum()
}

/// Estimated width of a character, relative to the font size.
fn em(c: char) -> f64 {
    match (c.width().unwrap_or(0), c) {
        (0, _) => 0.0,
        (2.., _) => 1.0,
        (_, 'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | 'I' | '`') => 0.28,
        (_, 'f' | 't' | 'r' | '-' | '(' | ')' | '[' | ']' | ' ' | '"') => 0.36,
        (_, 'm' | 'w' | 'M' | 'W' | '@' | '%') => 0.9,
        (_, c) if c.is_uppercase() => 0.7,
        _ => 0.57,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_texts_stand_inside_the_picture_and_do_not_overlap() {
        let tree: Tree =
            "(ROOT (S (NP-SBJ-LONG-LABEL (NN 東京)) (VP (VBZ is) (ADJP (JJ <big>))) (. .)))".parse().unwrap();
        let mut document = SvgDocument::new();
        document.push(&tree);
        document.push(&tree);
        let svg = document.finish();
        assert!(svg.contains("&lt;big&gt;") && !svg.contains("<big>"));
        let number = |line: &str, key: &str| -> f64 {
            let from = line.find(key).unwrap() + key.len();
            line[from..].split('"').next().unwrap().parse().unwrap()
        };
        let (width, height) = (number(&svg, "width=\""), number(&svg, "height=\""));
        let mut texts = Vec::new();
        for line in svg.lines().filter(|line| line.starts_with("<text")) {
            let text = line.split(['>', '<']).nth(2).unwrap();
            let (x, y) = (number(line, "x=\""), number(line, "y=\""));
            let half = text_width(text) as f64 / UNIT / 2.0;
            assert!(
                x - half >= 0.0 && x + half <= width && y - ABOVE >= 0.0 && y + BELOW <= height,
                "{line}"
            );
            texts.push((y, x - half, x + half));
        }
        // Two trees with 5 phrases, 4 tags and 4 words each.
        assert_eq!(texts.len(), 2 * 13);
        for (at, one) in texts.iter().enumerate() {
            for other in &texts[at + 1..] {
                assert!(one.0 != other.0 || one.2 < other.1 || other.2 < one.1, "{one:?} {other:?}");
            }
        }
    }
}
