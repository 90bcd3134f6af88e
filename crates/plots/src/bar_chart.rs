//! Bars from left to right, one per line.

use super::axis::{Axis, Scale, label};
use super::canvas::{Anchor, Canvas};
use super::line_chart::Series;

const PLOT_WIDTH: f64 = 560.0;
const TOP: f64 = 48.0;
const LINE: f64 = 27.0;
const THICKNESS: f64 = 17.0;
const BELOW: f64 = 56.0;
/// Room for a character of a name, and for a value behind its bar.
const CHARACTER: f64 = 7.2;
const VALUE: f64 = 80.0;

/// A value with a name.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bar {
    /// Stands before it.
    pub name: String,
    /// Positive on a logarithmic scale; other values have no bar there.
    pub value: f64,
    /// The number of its colour.
    pub colour: usize,
}

/// A chart of bars.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BarChart {
    /// Stands above.
    pub title: String,
    /// Stands below.
    pub label: String,
    /// Stands behind each value.
    pub unit: String,
    /// How values are spread; a linear axis begins at 0.
    pub scale: Scale,
    /// From top to bottom.
    pub bars: Vec<Bar>,
}

impl BarChart {
    /// The chart as a document.
    pub fn to_svg(&self) -> String {
        let longest = self.bars.iter().map(|bar| bar.name.chars().count()).max().unwrap_or(0) as f64;
        let left = 24.0 + longest * CHARACTER;
        let (right, bottom) = (left + PLOT_WIDTH, TOP + LINE * self.bars.len().max(1) as f64);
        let zero = (self.scale == Scale::Linear).then_some(0.0);
        let values = self.bars.iter().map(|bar| bar.value).chain(zero);
        let axis = Axis::around(self.scale, values, (left, right));
        let mut canvas = Canvas::new(right + VALUE, bottom + BELOW);
        canvas.text("title", (left, 28.0), Anchor::Start, &self.title);
        for &tick in &axis.ticks {
            let at = axis.place(tick);
            canvas.grid_line((at, TOP), (at, bottom));
            canvas.text("axis", (at, bottom + 20.0), Anchor::Middle, &label(tick));
        }
        for (number, bar) in self.bars.iter().enumerate() {
            let middle = TOP + LINE * (number as f64 + 0.5);
            canvas.text("name", (left - 8.0, middle + 4.5), Anchor::End, &bar.name);
            if bar.value.is_finite() && bar.value > 0.0 {
                let end = axis.place(bar.value);
                canvas.bar((left, middle - THICKNESS / 2.0), (end - left).max(1.0), THICKNESS, bar.colour);
                let shown = format!("{}{}", short(bar.value), self.unit);
                canvas.text("value", (end + 6.0, middle + 4.5), Anchor::Start, &shown);
            }
        }
        canvas.frame((left, TOP), (left, bottom), (right, bottom));
        canvas.text("axis", ((left + right) / 2.0, bottom + 44.0), Anchor::Middle, &self.label);
        canvas.finish()
    }

    /// A chart with one bar per line of another chart, for lines of a single point. The scale begins at 0.
    pub fn of_series(title: &str, label: &str, series: &[Series]) -> Self {
        let bar = |series: &Series| {
            let value = series.points.first()?.1;
            Some(Bar { name: series.name.clone(), value, colour: series.colour })
        };
        Self {
            title: title.to_owned(),
            label: label.to_owned(),
            bars: series.iter().filter_map(bar).collect(),
            ..Self::default()
        }
    }
}

/// A value with three digits or so.
fn short(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 1.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenfold_value_has_a_bar_longer_by_a_decade() {
        let bar = |name: &str, value| Bar { name: name.to_owned(), value, colour: 1 };
        let bars = vec![bar("a", 1.0), bar("b", 10.0), bar("c", 100.0), bar("none", 0.0)];
        let scale = Scale::Logarithmic;
        let svg = BarChart { bars, scale, unit: " s".to_owned(), ..BarChart::default() }.to_svg();
        let widths: Vec<f64> = svg
            .lines()
            .filter(|line| line.starts_with("<rect x="))
            .map(|line| line.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(widths.len(), 3);
        assert!((widths[2] - widths[1] - (PLOT_WIDTH / 2.0)).abs() < 0.2, "{widths:?}");
        assert!(svg.contains(">100 s<") && svg.contains(">none<"));
    }
}
