//! A document of drawings, one below the other.

use std::fmt::Write;

use super::{push_escaped, sideways, text_width, top_down};
use crate::drawing::arcs::{ArcSentence, push_arcs};
use crate::drawing::confidence::{self, Certainty};
use crate::tree::Tree;

pub(in crate::drawing) const FONT_SIZE: f64 = 15.0;
/// Distance around the picture, and between drawings.
pub(in crate::drawing) const MARGIN: f64 = 16.0;
const BETWEEN: f64 = 28.0;
/// Depth of a text below its base line.
pub(in crate::drawing) const BELOW: f64 = 5.0;
/// Trees that would be wider grow from left to right instead.
const WIDEST_TOP_DOWN: f64 = 1400.0;

const STYLE: &str = ".tree text{font:15px 'Helvetica Neue',Arial,'Noto Sans','Noto Sans CJK SC',sans-serif;\
text-anchor:middle;fill:#1b2733}.tree .tag{fill:#2467a8}.tree .word{font-style:italic}\
.tree .left{text-anchor:start}.tree .right{text-anchor:end}.tree .small{font-size:12px}\
.tree .caption{text-anchor:start;fill:#4a5763;font-size:13px}\
.tree path{stroke:#8a97a3;stroke-width:1.2;fill:none}";

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
    legend: Legend,
}

/// Whether colours must be explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Legend {
    #[default]
    None,
    Confidences,
}

/// The part of a document that one drawing fills.
pub(in crate::drawing) struct Frame<'d> {
    pub(in crate::drawing) body: &'d mut String,
    /// Upper edge.
    pub(in crate::drawing) top: f64,
}

impl Frame<'_> {
    /// A text at a place, with the classes that decide its look and anchor. An empty text leaves nothing.
    pub(in crate::drawing) fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        if !text.is_empty() {
            let _ = write!(self.body, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">");
            push_escaped(self.body, text);
            self.body.push_str("</text>\n");
        }
    }
}

/// How a node of a tree is shown.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum NodeLook {
    /// Like any other.
    #[default]
    Plain,
    /// By the confidence of the model, from 0 to 1.
    Confident(f32),
    /// As an error.
    Wrong,
}

/// The class of a node, by its number in pre-order.
pub(super) fn class_of(looks: &[NodeLook], node: usize) -> Option<&'static str> {
    match looks.get(node).copied().unwrap_or_default() {
        NodeLook::Plain => None,
        NodeLook::Confident(confidence) => Some(Certainty::of(f64::from(confidence)).class()),
        NodeLook::Wrong => Some("wrong"),
    }
}

impl SvgDocument {
    /// Creates a document without trees.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes a line of text above the next drawing.
    pub fn caption(&mut self, text: &str) {
        let top = self.top();
        self.height = top + FONT_SIZE;
        self.width = self.width.max(MARGIN + text_width(text, 13.0) as f64 / super::UNIT);
        Frame { body: &mut self.body, top }.text("caption", MARGIN, top + FONT_SIZE - BELOW, text);
    }

    /// Draws another tree.
    pub fn push(&mut self, tree: &Tree) {
        self.push_with(tree, &[]);
    }

    /// Draws another tree with looks for its nodes, in pre-order. Nodes beyond the list are plain.
    pub fn push_with(&mut self, tree: &Tree, looks: &[NodeLook]) {
        if looks.iter().any(|look| matches!(look, NodeLook::Confident(_))) {
            self.legend = Legend::Confidences;
        }
        self.draw(|frame| {
            top_down::push(frame, tree, looks, WIDEST_TOP_DOWN)
                .unwrap_or_else(|| sideways::push(frame, tree, looks))
        });
    }

    /// Draws another sentence with its dependency arcs, coloured by their confidence if they have one.
    pub fn push_arcs(&mut self, sentence: &ArcSentence) {
        if sentence.words().iter().any(|word| word.confidence.is_some()) {
            self.legend = Legend::Confidences;
        }
        self.draw(|frame| push_arcs(frame, sentence));
    }

    fn top(&self) -> f64 {
        if self.height == 0.0 { MARGIN } else { self.height + BETWEEN }
    }

    /// Adds a drawing, which returns where it ends at the right and at the bottom.
    fn draw(&mut self, drawing: impl FnOnce(&mut Frame<'_>) -> (f64, f64)) {
        let top = self.top();
        self.body.push_str("<g>\n");
        let (right, bottom) = drawing(&mut Frame { body: &mut self.body, top });
        self.body.push_str("</g>\n");
        self.width = self.width.max(right);
        self.height = bottom;
    }

    /// What the colours mean.
    fn push_legend(&mut self) {
        let y = self.height + BETWEEN;
        let mut frame = Frame { body: &mut self.body, top: y };
        frame.text("caption", MARGIN, y, "confidence");
        let mut x = MARGIN + 80.0;
        for certainty in Certainty::ALL {
            let class = certainty.class();
            let _ = writeln!(frame.body, "<path class=\"{class}\" d=\"M{x:.1} {:.1}h26\"/>", y - BELOW);
            frame.text(&format!("left small {class}"), x + 32.0, y, certainty.legend());
            x += 90.0;
        }
        self.width = self.width.max(x);
        self.height = y;
    }

    /// Returns the whole document.
    pub fn finish(mut self) -> String {
        if self.legend == Legend::Confidences {
            self.push_legend();
        }
        let (width, height) = ((self.width + MARGIN).ceil(), (self.height + MARGIN).ceil());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tree\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<style>{STYLE}{}</style>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
            confidence::STYLE,
            self.body
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::svg::UNIT;

    /// A text: its base line, its left and right end.
    type Placed = (f64, f64, f64);

    /// All texts, after a check that they are inside the picture.
    fn texts(svg: &str) -> Vec<Placed> {
        let number = |line: &str, key: &str| -> f64 {
            let from = line.find(key).unwrap() + key.len();
            line[from..].split('"').next().unwrap().parse().unwrap()
        };
        let (width, height) = (number(svg, "width=\""), number(svg, "height=\""));
        let mut texts = Vec::new();
        for line in svg.lines().filter(|line| line.starts_with("<text")) {
            let text = line.split(['>', '<']).nth(2).unwrap().replace("&lt;", "<").replace("&gt;", ">");
            let (x, y) = (number(line, "x=\""), number(line, "y=\""));
            let size = if line.contains("small") { 12.0 } else { FONT_SIZE };
            let length = text_width(&text, size) as f64 / UNIT;
            let left = match () {
                () if line.contains("left") || line.contains("caption") => x,
                () if line.contains("right") => x - length,
                () => x - length / 2.0,
            };
            assert!(
                left >= 0.0 && left + length <= width && y - 14.0 >= 0.0 && y + BELOW <= height,
                "{line}"
            );
            texts.push((y, left, left + length));
        }
        texts
    }

    fn assert_apart(texts: &[Placed]) {
        for (at, one) in texts.iter().enumerate() {
            for other in &texts[at + 1..] {
                let apart = (one.0 - other.0).abs() >= 11.0 || one.2 < other.1 || other.2 < one.1;
                assert!(apart, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn all_texts_stand_inside_the_picture_and_do_not_overlap() {
        let tree: Tree =
            "(ROOT (S (NP-SBJ-LONG-LABEL (NN 東京)) (VP (VBZ is) (ADJP (JJ <big>))) (. .)))".parse().unwrap();
        let mut document = SvgDocument::new();
        document.push(&tree);
        document.push(&tree);
        let svg = document.finish();
        assert!(svg.contains("&lt;big&gt;") && !svg.contains("<big>"));
        let texts = texts(&svg);
        // Two trees with 5 phrases, 4 tags and 4 words each.
        assert_eq!(texts.len(), 2 * 13);
        assert_apart(&texts);
    }

    #[test]
    fn a_wide_tree_grows_to_the_right() {
        let words: String = (0..60).map(|word| format!("(NP (NN word{word}))")).collect();
        let tree: Tree = format!("(S {words} (VP (VB is) (NP (DT a) (NN b))))").parse().unwrap();
        let mut document = SvgDocument::new();
        document.push(&tree);
        let svg = document.finish();
        let width: f64 = svg.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
        assert!(width < 600.0, "{width}");
        let texts = texts(&svg);
        assert_eq!(texts.len(), 1 + 60 * 3 + 2 + 6);
        assert_apart(&texts);
    }

    #[test]
    fn arcs_and_their_labels_are_apart_in_both_directions() {
        use crate::dependency::Head;
        use crate::drawing::arcs::ArcWord;
        let sentence = |forms: [&str; 6]| {
            let heads = [3, 3, 0, 5, 3, 1];
            let words = forms.iter().zip(heads).map(|(form, head)| ArcWord {
                form: (*form).to_owned(),
                tag: "NOUN".to_owned(),
                head: Head::from_number(head),
                relation: "nmod:longsubtype".to_owned(),
                confidence: Some(0.4),
                ..ArcWord::default()
            });
            ArcSentence::new(words.collect())
        };
        for forms in [["a", "b", "東京", "c", "d", "."], ["ئا", "بى", "دى", "ئى", "كى", "."]] {
            let mut document = SvgDocument::new();
            document.push_arcs(&sentence(forms));
            let svg = document.finish();
            let texts = texts(&svg);
            // Words, tags, relations, and the legend.
            assert_eq!(texts.len(), 18 + 5);
            assert_apart(&texts);
        }
    }
}
