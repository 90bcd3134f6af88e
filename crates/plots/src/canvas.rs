//! The elements of charts.

use std::fmt::Write;

use corpus::drawing::push_escaped;

/// The number of colours.
pub(super) const COLOUR_COUNT: usize = 10;

/// Colours that most eyes tell apart (Okabe and Ito 2008), without the yellow, which is faint on white.
const COLOURS: [&str; COLOUR_COUNT] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#6b6b6b", "#a3a3a3",
    "#000000",
];

const STYLE: &str = ".chart text{font:13px 'Helvetica Neue',Arial,'Noto Sans',sans-serif;fill:#1b2733}\
.chart .title{font-size:16px;font-weight:bold}.chart .axis{fill:#4a5763}\
.chart .grid{stroke:#e3e8ec;stroke-width:1}.chart .frame{stroke:#8a97a3;stroke-width:1.2;fill:none}";

/// The colour of a number; they repeat.
pub(super) fn colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

/// Where a text stands about its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stroke {
    Solid,
    Dashed,
}

/// A document under construction.
#[derive(Clone, Debug)]
pub(super) struct Canvas {
    width: f64,
    height: f64,
    body: String,
}

impl Canvas {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    pub(super) fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        let anchor = anchor.name();
        let _ =
            write!(self.body, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">");
        push_escaped(&mut self.body, text);
        self.body.push_str("</text>\n");
    }

    /// Text that runs upwards, around its middle.
    pub(super) fn text_upwards(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        let _ = write!(
            self.body,
            "<text class=\"{class}\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\">"
        );
        push_escaped(&mut self.body, text);
        self.body.push_str("</text>\n");
    }

    pub(super) fn grid_line(&mut self, from: (f64, f64), to: (f64, f64)) {
        let _ = writeln!(
            self.body,
            "<line class=\"grid\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
            from.0, from.1, to.0, to.1
        );
    }

    /// The two lines of the axes: down from `top`, then along to `right`.
    pub(super) fn frame(&mut self, top: (f64, f64), corner: (f64, f64), right: (f64, f64)) {
        let _ = writeln!(
            self.body,
            "<path class=\"frame\" d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}\"/>",
            top.0, top.1, corner.0, corner.1, right.0, right.1
        );
    }

    pub(super) fn line(&mut self, points: &[(f64, f64)], number: usize, stroke: Stroke) {
        let dashes = match stroke {
            Stroke::Solid => "",
            Stroke::Dashed => " stroke-dasharray=\"7 4\"",
        };
        let places: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            self.body,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{dashes}/>",
            places.join(" "),
            colour(number)
        );
    }

    /// A translucent area between two lines over the same places.
    pub(super) fn area(&mut self, lower: &[(f64, f64)], upper: &[(f64, f64)], number: usize) {
        let around = lower.iter().chain(upper.iter().rev());
        let places: Vec<String> = around.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            self.body,
            "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.16\"/>",
            places.join(" "),
            colour(number)
        );
    }

    /// Lines of text in the colour of a number on a white ground, from a left upper corner.
    pub(super) fn boxed_lines(&mut self, (x, y): (f64, f64), width: f64, lines: &[String], number: usize) {
        let height = 15.0 * lines.len() as f64;
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"#fff\" fill-opacity=\"0.9\"/>"
        );
        for (line, text) in lines.iter().enumerate() {
            let _ = write!(
                self.body,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" style=\"fill:{}\">",
                x + width / 2.0,
                y + 12.0 + 15.0 * line as f64,
                colour(number)
            );
            push_escaped(&mut self.body, text);
            self.body.push_str("</text>\n");
        }
    }

    /// A small mark whose shape goes with the colour, for those who see no colours.
    pub(super) fn mark(&mut self, (x, y): (f64, f64), number: usize) {
        let fill = colour(number);
        let _ = match number % 4 {
            0 => writeln!(self.body, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{fill}\"/>"),
            1 => {
                let (left, top) = (x - 3.6, y - 3.6);
                writeln!(
                    self.body,
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"7.2\" height=\"7.2\" fill=\"{fill}\"/>"
                )
            }
            2 => writeln!(self.body, "<path d=\"M{x:.1} {:.1}l4.6 8h-9.2z\" fill=\"{fill}\"/>", y - 4.8),
            _ => writeln!(self.body, "<path d=\"M{x:.1} {:.1}l5 5l-5 5l-5 -5z\" fill=\"{fill}\"/>", y - 5.0),
        };
    }

    pub(super) fn bar(&mut self, (x, y): (f64, f64), width: f64, height: f64, number: usize) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\" fill=\"{}\"/>",
            colour(number)
        );
    }

    /// A circle of a graph.
    pub(super) fn node(&mut self, (x, y): (f64, f64), radius: f64) {
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#f4f7fa\" stroke=\"#4a5763\" stroke-width=\"1.5\"/>"
        );
    }

    /// A curve from one place to another, bent towards a third, with a point at its end.
    pub(super) fn arrow(&mut self, from: (f64, f64), towards: (f64, f64), to: (f64, f64), number: usize) {
        let fill = colour(number);
        let _ = writeln!(
            self.body,
            "<path d=\"M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}\" fill=\"none\" stroke=\"{fill}\" stroke-width=\"1.4\"/>",
            from.0, from.1, towards.0, towards.1, to.0, to.1
        );
        let (dx, dy) = (to.0 - towards.0, to.1 - towards.1);
        let length = dx.hypot(dy).max(1e-9);
        let (ux, uy) = (dx / length, dy / length);
        let _ = writeln!(
            self.body,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}z\" fill=\"{fill}\"/>",
            to.0,
            to.1,
            to.0 - 9.0 * ux - 4.0 * uy,
            to.1 - 9.0 * uy + 4.0 * ux,
            to.0 - 9.0 * ux + 4.0 * uy,
            to.1 - 9.0 * uy - 4.0 * ux
        );
    }

    pub(super) fn finish(self) -> String {
        let (width, height) = (self.width.ceil(), self.height.ceil());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<style>{STYLE}</style>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
            self.body
        )
    }
}
