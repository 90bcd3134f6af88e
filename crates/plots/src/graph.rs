//! States and transitions: circles in layers, with arrows between them.
//!
//! A node stands in the layer of its distance from the first node. Arrows to the next layers run above, those back run below, those within a layer bend to the right.

use std::cmp::Ordering;

use super::canvas::{Anchor, Canvas};

const RADIUS: f64 = 36.0;
const LAYER_WIDTH: f64 = 320.0;
const ROW_HEIGHT: f64 = 200.0;
const LEFT: f64 = 70.0;
/// Room for the title and for a loop with its text above the first row.
const TOP: f64 = 200.0;
/// Room for a character, and for a line of text.
const CHARACTER: f64 = 7.2;
const LINE: f64 = 15.0;
/// How far a text may stand from its curve, in its own widths and heights.
const ASIDE: i32 = 2;
const ABOVE: i32 = 6;

/// A node.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GraphNode {
    /// Stands in the circle.
    pub name: String,
    /// Stands in the circle, too, below the name.
    pub note: String,
}

/// An arrow.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GraphArrow {
    /// The number of the node it leaves.
    pub from: usize,
    /// The number of the node it reaches.
    pub to: usize,
    /// Stands beside it, a line each.
    pub lines: Vec<String>,
}

/// A directed graph.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Graph {
    /// Stands above.
    pub title: String,
    /// The nodes; the first is where everything begins.
    pub nodes: Vec<GraphNode>,
    /// The arrows. Those to nodes that there are not are left out.
    pub arrows: Vec<GraphArrow>,
}

impl Graph {
    /// The graph as a document.
    ///
    /// ```
    /// use eigentree_plots::{Graph, GraphArrow, GraphNode};
    /// let node = |name: &str| GraphNode { name: name.to_owned(), ..GraphNode::default() };
    /// let arrow = GraphArrow { from: 0, to: 1, lines: vec!["DET".to_owned()] };
    /// let graph = Graph { title: "NOUN, left".to_owned(), nodes: vec![node("I"), node("1")], arrows: vec![arrow] };
    /// assert!(graph.to_svg().contains("DET"));
    /// ```
    pub fn to_svg(&self) -> String {
        let arrows: Vec<&GraphArrow> =
            self.arrows.iter().filter(|arrow| arrow.from.max(arrow.to) < self.nodes.len()).collect();
        let layers = self.layers(&arrows);
        let longest = arrows.iter().flat_map(|arrow| &arrow.lines).map(|line| line.chars().count()).max();
        let layer_width = LAYER_WIDTH.max(2.0 * RADIUS + 80.0 + longest.unwrap_or(0) as f64 * CHARACTER);
        let places = places(&layers, layer_width);
        let rows = places.iter().map(|place| place.1).fold(TOP, f64::max);
        let widest = layers.iter().copied().max().unwrap_or(0) as f64;
        let title_width = self.title.chars().count() as f64 * 1.3 * CHARACTER;
        let width = (LEFT + widest * layer_width + 180.0).max(title_width + 2.0 * LEFT);
        let mut canvas = Canvas::new(width, rows + 110.0);
        canvas.text("title", (width / 2.0, 30.0), Anchor::Middle, &self.title);
        let curves: Vec<Curve<'_>> = arrows.iter().map(|arrow| Curve::new(arrow, &places, &layers)).collect();
        for (number, curve) in curves.iter().enumerate() {
            canvas.arrow(curve.from, curve.bend, curve.to, number);
        }
        let areas = label_areas(&curves, &places, width - 2.0);
        for ((number, curve), area) in curves.iter().enumerate().zip(areas) {
            canvas.boxed_lines((area.0, area.1), area.2 - area.0, &curve.arrow.lines, number);
        }
        for (node, &(x, y)) in self.nodes.iter().zip(&places) {
            canvas.node((x, y), RADIUS);
            let lift = if node.note.is_empty() { -5.0 } else { 3.0 };
            canvas.text("", (x, y - lift), Anchor::Middle, &node.name);
            canvas.text("axis", (x, y + 14.0), Anchor::Middle, &node.note);
        }
        canvas.finish()
    }

    /// The distance of each node from the first. What cannot be reached stands beyond all others.
    fn layers(&self, arrows: &[&GraphArrow]) -> Vec<usize> {
        let mut layers = vec![usize::MAX; self.nodes.len()];
        if let Some(first) = layers.first_mut() {
            *first = 0;
        }
        let (mut layer, mut current) = (0, vec![0]);
        while !current.is_empty() {
            let mut next = Vec::new();
            for arrow in arrows.iter().filter(|arrow| current.contains(&arrow.from)) {
                if layers[arrow.to] == usize::MAX {
                    layers[arrow.to] = layer + 1;
                    next.push(arrow.to);
                }
            }
            layer += 1;
            current = next;
        }
        layers.into_iter().map(|found| if found == usize::MAX { layer } else { found }).collect()
    }
}

fn places(layers: &[usize], layer_width: f64) -> Vec<(f64, f64)> {
    let mut filled = vec![0usize; layers.iter().max().map_or(0, |most| most + 1)];
    let totals: Vec<usize> =
        (0..filled.len()).map(|layer| layers.iter().filter(|&&other| other == layer).count()).collect();
    let most = totals.iter().copied().max().unwrap_or(1) as f64;
    layers
        .iter()
        .map(|&layer| {
            let row = filled[layer] as f64 + (most - totals[layer] as f64) / 2.0;
            filled[layer] += 1;
            (LEFT + layer as f64 * layer_width, TOP + row * ROW_HEIGHT)
        })
        .collect()
}

/// A curve between two nodes: its ends, the point it bends to, and the arrow.
struct Curve<'a> {
    from: (f64, f64),
    bend: (f64, f64),
    to: (f64, f64),
    arrow: &'a GraphArrow,
}

impl Curve<'_> {
    fn new<'a>(arrow: &'a GraphArrow, places: &[(f64, f64)], layers: &[usize]) -> Curve<'a> {
        let ((x0, y0), (x1, y1)) = (places[arrow.from], places[arrow.to]);
        let middle = ((x0 + x1) / 2.0, (y0 + y1) / 2.0);
        let span = layers[arrow.from].abs_diff(layers[arrow.to]) as f64;
        let bend = match layers[arrow.from].cmp(&layers[arrow.to]) {
            _ if arrow.from == arrow.to => (x0, y0 - 3.2 * RADIUS),
            Ordering::Less => (middle.0, middle.1 - 30.0 * (2.0 * span - 1.0)),
            Ordering::Greater => (middle.0, middle.1 + 44.0 * (2.0 * span - 1.0)),
            Ordering::Equal => {
                let side = if arrow.from < arrow.to { 1.0 } else { -1.0 };
                // The further apart, the wider the bend, so that it passes the nodes between.
                (x0 + side * (60.0 + (y1 - y0).abs() / 4.0), middle.1)
            }
        };
        // Ends stand on the circles, on the way to the bend; a loop leaves and comes back on two sides of the top.
        let edge = |(x, y): (f64, f64), shift: f64| {
            let (dx, dy) = (bend.0 + shift - x, bend.1 - y);
            let length = dx.hypot(dy).max(1e-9);
            (x + RADIUS * dx / length, y + RADIUS * dy / length)
        };
        let shift = if arrow.from == arrow.to { 1.2 * RADIUS } else { 0.0 };
        Curve { from: edge((x0, y0), -shift), bend, to: edge((x1, y1), shift), arrow }
    }

    fn is_loop(&self) -> bool {
        self.arrow.from == self.arrow.to
    }

    /// The place on the curve at `share` of the way.
    fn at(&self, share: f64) -> (f64, f64) {
        let mix = |a: f64, b: f64, c: f64| {
            (1.0 - share).powi(2) * a + 2.0 * share * (1.0 - share) * b + share.powi(2) * c
        };
        (mix(self.from.0, self.bend.0, self.to.0), mix(self.from.1, self.bend.1, self.to.1))
    }
}

/// A rectangle: left, top, right, bottom.
type Area = (f64, f64, f64, f64);

/// The area that two rectangles share.
fn shared(one: Area, other: Area) -> f64 {
    let width = one.2.min(other.2) - one.0.max(other.0);
    let height = one.3.min(other.3) - one.1.max(other.1);
    width.max(0.0) * height.max(0.0)
}

/// Chooses a place for each text, near its curve and clear of circles, of other texts and, if possible, of other
/// curves. Texts of few choices, the largest, come first.
fn label_areas(curves: &[Curve<'_>], places: &[(f64, f64)], right: f64) -> Vec<Area> {
    let circles: Vec<Area> =
        places.iter().map(|&(x, y)| (x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS)).collect();
    let size = |curve: &Curve<'_>| {
        let longest = curve.arrow.lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        (longest as f64 * CHARACTER + 6.0, LINE * curve.arrow.lines.len() as f64)
    };
    let mut order: Vec<usize> = (0..curves.len()).collect();
    order.sort_by(|&one, &other| {
        let area = |at: usize| size(&curves[at]).0 * size(&curves[at]).1;
        area(other).total_cmp(&area(one)).then(one.cmp(&other))
    });
    let mut areas: Vec<Option<Area>> = vec![None; curves.len()];
    for at in order {
        let (width, height) = size(&curves[at]);
        let mut best: Option<(f64, Area)> = None;
        for share in (3..=17).map(|step| f64::from(step) / 20.0) {
            let (x, y) = curves[at].at(share);
            for (dx, dy) in offsets() {
                let (cx, cy) = (x + dx * (width / 2.0 + 4.0), y + dy * (height / 2.0 + 3.0));
                let area = (cx - width / 2.0, cy - height / 2.0, cx + width / 2.0, cy + height / 2.0);
                if area.0 < 2.0 || area.1 < 40.0 || area.2 > right {
                    continue;
                }
                let texts = areas.iter().flatten().map(|&other| shared(area, other)).sum::<f64>();
                let nodes = circles.iter().map(|&other| shared(area, other)).sum::<f64>();
                let crossed = curves.iter().enumerate().filter(|&(other, curve)| {
                    other != at && (1..20).any(|step| contains(area, curve.at(f64::from(step) / 20.0)))
                });
                let distance = (share - 0.5).abs() + 0.5 * (dx.abs() + dy.abs());
                // A text may interrupt its own curve, but hardly anything would be left of a loop.
                let own =
                    (1..20).filter(|&step| contains(area, curves[at].at(f64::from(step) / 20.0))).count();
                let hidden = if curves[at].is_loop() { own as f64 } else { 0.0 };
                let cost = 100.0 * (texts + nodes) + 1.5 * crossed.count() as f64 + distance + hidden;
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, area));
                }
            }
        }
        let (x, y) = curves[at].at(0.5);
        areas[at] = Some(best.map_or((x, y, x + width, y + height), |(_, area)| area));
    }
    areas.into_iter().map(Option::unwrap_or_default).collect()
}

/// Places about a point, in halves of the size of a text.
fn offsets() -> impl Iterator<Item = (f64, f64)> {
    (-ASIDE..=ASIDE).flat_map(|dx| (-ABOVE..=ABOVE).map(move |dy| (f64::from(dx), f64::from(dy))))
}

fn contains(area: Area, (x, y): (f64, f64)) -> bool {
    area.0 <= x && x <= area.2 && area.1 <= y && y <= area.3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stand_in_layers_and_every_arrow_is_drawn() {
        let node = |name: &str| GraphNode { name: name.to_owned(), note: String::new() };
        let arrow = |from, to, text: &str| GraphArrow { from, to, lines: vec![text.to_owned()] };
        let graph = Graph {
            title: "a < b".to_owned(),
            nodes: vec![node("I"), node("1"), node("2"), node("lost")],
            arrows: vec![
                arrow(0, 1, "x"),
                arrow(1, 2, "y"),
                arrow(2, 1, "z"),
                arrow(2, 2, "loop"),
                arrow(2, 9, "nowhere"),
            ],
        };
        let arrows: Vec<&GraphArrow> = graph.arrows[..4].iter().collect();
        assert_eq!(graph.layers(&arrows), [0, 1, 2, 3]);
        let svg = graph.to_svg();
        assert_eq!(svg.matches("<circle").count(), 4);
        assert_eq!(svg.matches("Q").count(), 4);
        assert!(
            svg.contains("a &lt; b")
                && svg.contains("loop")
                && !svg.contains("nowhere")
                && !svg.contains("NaN")
        );
        assert!(!Graph::default().to_svg().is_empty());
    }

    #[test]
    fn the_text_of_a_loop_leaves_it_visible() {
        let lines = ["NN", "DT", "JJ", "and 17 more"].map(str::to_owned).to_vec();
        let arrow = GraphArrow { from: 0, to: 0, lines };
        let places = [(200.0, 200.0)];
        let curve = Curve::new(&arrow, &places, &[0]);
        let areas = label_areas(&[curve], &places, 400.0);
        let curve = Curve::new(&arrow, &places, &[0]);
        let seen = (0..=20).filter(|&step| !contains(areas[0], curve.at(f64::from(step) / 20.0))).count();
        assert!(seen >= 15, "{seen} of 21 points of the loop {:?}", areas[0]);
        assert_eq!(shared(areas[0], (200.0 - RADIUS, 200.0 - RADIUS, 200.0 + RADIUS, 200.0 + RADIUS)), 0.0);
    }

    #[test]
    fn texts_of_a_dense_graph_do_not_overprint() {
        let nodes: Vec<GraphNode> =
            (0..5).map(|name| GraphNode { name: name.to_string(), note: "STOP 0.50".to_owned() }).collect();
        let mut arrows = Vec::new();
        for from in 0..5 {
            for to in 0..5 {
                if (from + 2 * to) % 3 != 1 {
                    let lines = ["NOUN", "ADJ", "and 12 more"].map(str::to_owned).to_vec();
                    arrows.push(GraphArrow { from, to, lines });
                }
            }
        }
        let graph = Graph { title: String::new(), nodes, arrows };
        let arrows: Vec<&GraphArrow> = graph.arrows.iter().collect();
        let layers = graph.layers(&arrows);
        let places = places(&layers, LAYER_WIDTH);
        let curves: Vec<Curve<'_>> = arrows.iter().map(|arrow| Curve::new(arrow, &places, &layers)).collect();
        let areas = label_areas(&curves, &places, 2000.0);
        for (at, &one) in areas.iter().enumerate() {
            for &other in &areas[at + 1..] {
                assert_eq!(shared(one, other), 0.0, "{one:?} {other:?}");
            }
            for &(x, y) in &places {
                let circle = (x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS);
                assert_eq!(shared(one, circle), 0.0, "{one:?} on a node");
            }
        }
    }
}
