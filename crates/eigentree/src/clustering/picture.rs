//! Draws the hierarchy: a tree that grows to the right, with the most frequent words of each cluster.
//!
//! A thousand clusters do not fit into a picture, so the tree is cut at some depth: everything below is drawn as one
//! row, with the words of all its clusters.

use std::fmt::Write;

use corpus::drawing::push_escaped;
use corpus::ids::{Id, WordId};
use words::clusters::BrownModel;

use crate::conversion::Drawing;

/// Maximum number of rows, unless a depth is given.
const MOST_ROWS: usize = 96;
const ROW_HEIGHT: f64 = 19.0;
const STEP: f64 = 22.0;
const MARGIN: f64 = 16.0;
const TOP: f64 = 44.0;
/// Approximate width of a letter.
const LETTER: f64 = 7.2;
/// Maximum number of letters per row.
const MOST_LETTERS: usize = 110;

const STYLE: &str = "text{font:13px 'Helvetica Neue',Arial,'Noto Sans',sans-serif;fill:#1b2733}\
.title{font-size:16px;font-weight:bold}.bits{font-family:ui-monospace,Menlo,Consolas,monospace;fill:#0072b2}\
.size{fill:#6b7783}path{fill:none;stroke:#8a97a3;stroke-width:1.2}";

/// Draws the hierarchy.
pub fn draw(model: &BrownModel, format: Drawing, config: &PictureConfig) -> String {
    match format {
        Drawing::Svg => draw_svg(model, config),
        Drawing::Html => draw_html(model, config),
        Drawing::Terminal => draw_text(model, config),
    }
}

/// Configuration of a drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PictureConfig {
    /// The tree is cut below this many bits; if `None`, at the largest readable depth.
    pub depth: Option<usize>,
    /// Number of words per row.
    pub words: usize,
}

impl Default for PictureConfig {
    fn default() -> Self {
        Self { depth: None, words: 10 }
    }
}

/// A leaf of the picture.
struct Row<'m> {
    bits: &'m str,
    clusters: Vec<(&'m str, Vec<WordId>)>,
    words: Vec<WordId>,
}

impl Row<'_> {
    /// How many words it has, and in how many clusters if they are several.
    fn size(&self) -> String {
        match self.clusters.len() {
            1 => self.words.len().to_string(),
            clusters => format!("{} in {clusters}", self.words.len()),
        }
    }
}

fn rows<'m>(ordered: &'m [(usize, String, Vec<WordId>)], config: &PictureConfig) -> Vec<Row<'m>> {
    let count = |depth: usize| {
        let mut before = None;
        let shown = ordered.iter().filter(|(_, bits, _)| {
            let cut = Some(&bits[..bits.len().min(depth)]);
            let new = cut != before;
            before = cut;
            new
        });
        shown.count()
    };
    let deepest = ordered.iter().map(|(_, bits, _)| bits.len()).max().unwrap_or(0);
    let depth = config.depth.unwrap_or_else(|| {
        let mut depth = 0;
        while depth < deepest && count(depth + 1) <= MOST_ROWS {
            depth += 1;
        }
        depth
    });
    let mut rows: Vec<Row<'m>> = Vec::new();
    for (_, bits, words) in ordered {
        let cut = &bits[..bits.len().min(depth)];
        match rows.last_mut().filter(|row| row.bits == cut) {
            Some(row) => row.clusters.push((bits, words.clone())),
            None => rows.push(Row { bits: cut, clusters: vec![(bits, words.clone())], words: Vec::new() }),
        }
    }
    for row in &mut rows {
        row.words = row.clusters.iter().flat_map(|(_, words)| words.iter().copied()).collect();
        // Words are numbered by decreasing frequency.
        row.words.sort_unstable();
    }
    rows
}

fn listed(model: &BrownModel, words: &[WordId], most: usize) -> String {
    let mut text = String::new();
    for (number, &word) in words.iter().take(most).enumerate() {
        let word = model.vocab().text(word);
        if text.chars().count() + word.chars().count() > MOST_LETTERS && number > 0 {
            return text + " …";
        }
        text.push_str(if number == 0 { "" } else { " " });
        text.push_str(word);
    }
    if words.len() > most { text + " …" } else { text }
}

/// The drawing as SVG.
pub fn draw_svg(model: &BrownModel, config: &PictureConfig) -> String {
    let ordered = super::clusters_in_order(model);
    svg_of(model, &rows(&ordered, config), config)
}

fn svg_of(model: &BrownModel, rows: &[Row<'_>], config: &PictureConfig) -> String {
    let deepest = rows.iter().map(|row| row.bits.len()).max().unwrap_or(0);
    let x = |depth: usize| MARGIN + STEP * depth as f64;
    let y = |row: usize| TOP + ROW_HEIGHT * (row as f64 + 0.5);
    let mut body = String::new();
    let (clusters, words) = (model.hierarchy().clusters(), model.word_counts().len());
    let _ = writeln!(
        body,
        "<text class=\"title\" x=\"{MARGIN}\" y=\"26\">{clusters} clusters of {words} words</text>"
    );
    // Nodes that wait for their sibling: bits and height. Rows are in tree order, so siblings end next to each other.
    let mut open: Vec<(&str, f64)> = Vec::new();
    let mut widest = 0.0f64;
    for (number, row) in rows.iter().enumerate() {
        let end = x(deepest);
        if row.bits.len() < deepest {
            let _ = writeln!(body, "<path d=\"M{:.1} {:.1}H{end:.1}\"/>", x(row.bits.len()), y(number));
        }
        let mut node = (row.bits, y(number));
        while let Some(&(other, height)) = open.last()
            && !node.0.is_empty()
            && other.len() == node.0.len()
            && other[..other.len() - 1] == node.0[..node.0.len() - 1]
        {
            open.pop();
            let (parent, middle) = (&node.0[..node.0.len() - 1], (height + node.1) / 2.0);
            let (left, right) = (x(parent.len()), x(node.0.len()));
            let _ =
                writeln!(body, "<path d=\"M{right:.1} {height:.1}H{left:.1}V{:.1}H{right:.1}\"/>", node.1);
            node = (parent, middle);
        }
        open.push(node);
        let size = row.size();
        let text = listed(model, &row.words, config.words);
        let letters = row.bits.len() + size.len() + text.chars().count() + 6;
        widest = widest.max(end + 8.0 + LETTER * letters as f64);
        let _ = write!(
            body,
            "<text x=\"{:.1}\" y=\"{:.1}\"><tspan class=\"bits\">{}</tspan> <tspan class=\"size\">({size})</tspan> ",
            end + 8.0,
            y(number) + 4.5,
            row.bits
        );
        push_escaped(&mut body, &text);
        body.push_str("</text>\n");
    }
    let (width, height) = ((widest.max(320.0) + MARGIN).ceil(), (y(rows.len()) + MARGIN).ceil());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n"
    )
}

/// The drawing for a terminal: one row per line, indented by its depth.
fn draw_text(model: &BrownModel, config: &PictureConfig) -> String {
    let ordered = super::clusters_in_order(model);
    let mut text = String::new();
    for row in &rows(&ordered, config) {
        let words = listed(model, &row.words, config.words);
        let _ =
            writeln!(text, "{:indent$}{} ({}) {words}", "", row.bits, row.size(), indent = row.bits.len());
    }
    text
}

/// A page with the drawing, followed by all clusters, row by row, in collapsible sections.
pub fn draw_html(model: &BrownModel, config: &PictureConfig) -> String {
    let ordered = super::clusters_in_order(model);
    let rows = rows(&ordered, config);
    let mut page = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Word clusters</title>\n<style>\n\
         body{font:14px 'Helvetica Neue',Arial,'Noto Sans',sans-serif;color:#1b2733;margin:1.5em}\n\
         code{color:#0072b2}summary{cursor:pointer}.size{color:#6b7783}li{margin:.2em 0}svg{max-width:none}\n\
         </style>\n</head>\n<body>\n",
    );
    page.push_str(&svg_of(model, &rows, config));
    page.push_str("<h2>All clusters</h2>\n");
    for row in &rows {
        let _ = write!(
            page,
            "<details><summary><code>{}</code> <span class=\"size\">({})</span> ",
            row.bits,
            row.words.len()
        );
        push_escaped(&mut page, &listed(model, &row.words, config.words));
        page.push_str("</summary>\n<ul>\n");
        for (bits, words) in &row.clusters {
            let _ = write!(page, "<li><code>{bits}</code> <span class=\"size\">({})</span> ", words.len());
            for &word in words.iter().take(config.words * 3) {
                push_escaped(&mut page, model.vocab().text(word));
                let _ = write!(page, " <span class=\"size\">{}</span> ", model.word_counts()[word.index()]);
            }
            page.push_str("</li>\n");
        }
        page.push_str("</ul></details>\n");
    }
    page.push_str("</body>\n</html>\n");
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Silent;
    use crate::training::ClustersJob;
    use words::clusters::ClusterConfig;

    #[test]
    fn every_drawing_shows_every_cluster() {
        let text = "the dog ran\nthe cat ran\na dog sat\na cat sat\n".repeat(20);
        let job = ClustersJob::new(ClusterConfig { clusters: 4, ..ClusterConfig::default() });
        let counted = job.count(text.as_bytes(), "text").unwrap();
        let found = job.learn(counted, None, &mut Silent).unwrap();
        let model = &found.trained.model;
        let paths: Vec<String> =
            super::super::clusters_in_order(model).into_iter().map(|(_, bits, _)| bits).collect();
        for format in Drawing::ALL {
            let drawn = draw(model, format, &PictureConfig::default());
            for word in ["the", "dog", "ran"] {
                assert!(drawn.contains(word), "{format:?}: {drawn}");
            }
            assert!(paths.iter().all(|bits| drawn.contains(bits.as_str())), "{format:?}: {drawn}");
        }
        let lines = draw(model, Drawing::Terminal, &PictureConfig::default());
        assert_eq!(lines.lines().count(), paths.len());
    }
}
