//! States and transitions: circles in layers, with arrows between them.
//!
//! A node stands in the layer of its distance from the first node. Arrows to the next layers run above, those back run below, those within a layer bend to the right.

use super::canvas::{Anchor, Canvas};

const RADIUS: f64 = 36.0;
const LAYER_WIDTH: f64 = 320.0;
const ROW_HEIGHT: f64 = 200.0;
const LEFT: f64 = 70.0;
/// Room for the title and for a loop with its text above the first row.
const TOP: f64 = 200.0;
/// Room for a character.
const CHARACTER: f64 = 7.2;

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
        let places = places(&layers);
        let rows = places.iter().map(|place| place.1).fold(TOP, f64::max);
        let widest = layers.iter().copied().max().unwrap_or(0) as f64;
        let title_width = self.title.chars().count() as f64 * 1.3 * CHARACTER;
        let width = (LEFT + widest * LAYER_WIDTH + 180.0).max(title_width + 2.0 * LEFT);
        let mut canvas = Canvas::new(width, rows + 110.0);
        canvas.text("title", (width / 2.0, 30.0), Anchor::Middle, &self.title);
        for (number, arrow) in arrows.iter().enumerate() {
            draw_arrow(&mut canvas, arrow, number, &places, &layers);
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

fn places(layers: &[usize]) -> Vec<(f64, f64)> {
    let mut filled = vec![0usize; layers.iter().max().map_or(0, |most| most + 1)];
    let totals: Vec<usize> =
        (0..filled.len()).map(|layer| layers.iter().filter(|&&other| other == layer).count()).collect();
    let most = totals.iter().copied().max().unwrap_or(1) as f64;
    layers
        .iter()
        .map(|&layer| {
            let row = filled[layer] as f64 + (most - totals[layer] as f64) / 2.0;
            filled[layer] += 1;
            (LEFT + layer as f64 * LAYER_WIDTH, TOP + row * ROW_HEIGHT)
        })
        .collect()
}

fn draw_arrow(
    canvas: &mut Canvas,
    arrow: &GraphArrow,
    number: usize,
    places: &[(f64, f64)],
    layers: &[usize],
) {
    let ((x0, y0), (x1, y1)) = (places[arrow.from], places[arrow.to]);
    let middle = ((x0 + x1) / 2.0, (y0 + y1) / 2.0);
    let (bend, anchor) = if arrow.from == arrow.to {
        ((x0, y0 - 3.2 * RADIUS), Anchor::Middle)
    } else if layers[arrow.from] < layers[arrow.to] {
        let span = (layers[arrow.to] - layers[arrow.from]) as f64;
        ((middle.0, middle.1 - 24.0 * (2.0 * span - 1.0)), Anchor::Middle)
    } else if layers[arrow.from] > layers[arrow.to] {
        let span = (layers[arrow.from] - layers[arrow.to]) as f64;
        ((middle.0, middle.1 + 34.0 * (2.0 * span - 1.0)), Anchor::Middle)
    } else {
        let side = if arrow.from < arrow.to { 1.0 } else { -1.0 };
        ((x0 + side * 60.0, middle.1), if side > 0.0 { Anchor::Start } else { Anchor::End })
    };
    // Ends stand on the circles, on the way to the bend; a loop leaves and comes back on two sides of the top.
    let edge = |(x, y): (f64, f64), shift: f64| {
        let (dx, dy) = (bend.0 + shift - x, bend.1 - y);
        let length = dx.hypot(dy).max(1e-9);
        (x + RADIUS * dx / length, y + RADIUS * dy / length)
    };
    let shift = if arrow.from == arrow.to { 1.2 * RADIUS } else { 0.0 };
    canvas.arrow(edge((x0, y0), -shift), bend, edge((x1, y1), shift), number);
    // The curve passes half-way between the bend and the middle of its ends.
    let label = if arrow.from == arrow.to {
        (bend.0, bend.1 + 24.0)
    } else {
        ((bend.0 + middle.0) / 2.0, (bend.1 + middle.1) / 2.0)
    };
    for (line, text) in arrow.lines.iter().enumerate() {
        let up = (arrow.lines.len() - 1 - line) as f64;
        let y =
            if label.1 > middle.1 { label.1 + 14.0 + line as f64 * 14.0 } else { label.1 - 5.0 - up * 14.0 };
        canvas.text("axis", (label.0, y), anchor, text);
    }
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
}
