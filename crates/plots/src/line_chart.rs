//! Lines through points, and levels.

use super::axis::{Axis, Scale, label};
use super::canvas::{Anchor, Canvas, Stroke};
use super::colours::learner_colours;

const PLOT_WIDTH: f64 = 560.0;
const PLOT_HEIGHT: f64 = 360.0;
const LEFT: f64 = 72.0;
const TOP: f64 = 48.0;
const BELOW: f64 = 56.0;
/// The legend: from the plot, between lines, and the width of a sample.
const LEGEND_GAP: f64 = 20.0;
const LEGEND_LINE: f64 = 21.0;
const SAMPLE: f64 = 30.0;
/// Room for a character of the legend.
const CHARACTER: f64 = 7.2;

/// Points that belong together.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Series {
    /// What the legend says.
    pub name: String,
    /// Places, in the order of the line. Those that are not finite are left out.
    pub points: Vec<(f64, f64)>,
    /// The number of its colour.
    pub colour: usize,
}

/// A value that does not depend on x: a dashed line across the chart.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Level {
    /// What the legend says.
    pub name: String,
    /// Where it stands.
    pub value: f64,
    /// The number of its colour.
    pub colour: usize,
}

/// An area between two lines, such as an interval.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Band {
    /// What the legend says; nothing for a band that belongs to a line.
    pub name: String,
    /// x, lower end, upper end. Points that are not finite are left out.
    pub points: Vec<(f64, f64, f64)>,
    /// The number of its colour.
    pub colour: usize,
}

/// A chart of lines.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LineChart {
    /// Stands above.
    pub title: String,
    /// Stands below.
    pub x_label: String,
    /// Stands at the left.
    pub y_label: String,
    /// How x is spread.
    pub x_scale: Scale,
    /// The ticks of x, rising; round numbers if none are given.
    pub x_ticks: Option<Vec<f64>>,
    /// The lines.
    pub series: Vec<Series>,
    /// The levels.
    pub levels: Vec<Level>,
    /// Areas behind the lines.
    pub bands: Vec<Band>,
    /// Lines without marks, dashed: what is expected rather than measured.
    pub forecasts: Vec<Series>,
}

/// Lines from points that come in any order: a series for each name, in the order in which names come, and the places on the x-axis that have points.
pub fn series_by_name<'a>(points: impl Iterator<Item = (&'a str, f64, f64)>) -> (Vec<Series>, Vec<f64>) {
    let (mut series, mut ticks): (Vec<Series>, Vec<f64>) = Default::default();
    for (name, x, y) in points {
        ticks.push(x);
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push((x, y)),
            None => {
                series.push(Series { name: name.to_owned(), points: vec![(x, y)], colour: 0 });
            }
        }
    }
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    let colours = learner_colours(series.iter().map(|series| series.name.as_str()));
    series.iter_mut().zip(colours).for_each(|(series, colour)| series.colour = colour);
    series.iter_mut().for_each(|series| series.points.sort_by(|one, other| one.0.total_cmp(&other.0)));
    (series, ticks)
}

impl Band {
    fn finite(&self) -> Vec<(f64, f64, f64)> {
        let finite = |(x, low, high): &(f64, f64, f64)| x.is_finite() && low.is_finite() && high.is_finite();
        self.points.iter().copied().filter(finite).collect()
    }
}

impl LineChart {
    /// The chart as a document.
    pub fn to_svg(&self) -> String {
        let finite = |&&(x, y): &&(f64, f64)| x.is_finite() && y.is_finite();
        let lines = || self.series.iter().chain(&self.forecasts);
        let points = || lines().flat_map(|series| &series.points).filter(finite);
        let bands: Vec<Vec<(f64, f64, f64)>> = self.bands.iter().map(Band::finite).collect();
        let band_ends = || bands.iter().flatten().flat_map(|&(x, low, high)| [(x, low), (x, high)]);
        let levels: Vec<&Level> = self.levels.iter().filter(|level| level.value.is_finite()).collect();
        let (right, bottom) = (LEFT + PLOT_WIDTH, TOP + PLOT_HEIGHT);
        let across = (LEFT, right);
        let x = match &self.x_ticks {
            Some(ticks) => Axis::with_ticks(self.x_scale, ticks.clone(), across),
            None => {
                let places = points().copied().chain(band_ends()).map(|(x, _)| x);
                Axis::around(self.x_scale, places, across)
            }
        };
        let x = x.with_margin(0.04);
        let values = points().copied().chain(band_ends()).map(|(_, y)| y);
        let values = values.chain(levels.iter().map(|level| level.value));
        let y = Axis::around(Scale::Linear, values, (bottom, TOP));

        let names = lines().map(|series| &series.name).chain(levels.iter().map(|level| &level.name));
        let longest = names.map(|name| name.chars().count()).max().unwrap_or(0) as f64;
        let width = right + LEGEND_GAP + SAMPLE + 8.0 + longest * CHARACTER + 16.0;
        let legend_lines = (self.series.len() + self.forecasts.len() + levels.len()) as f64;
        let height = (bottom + BELOW).max(TOP + legend_lines * LEGEND_LINE + 16.0);
        let mut canvas = Canvas::new(width, height);
        canvas.text("title", (LEFT, 28.0), Anchor::Start, &self.title);
        for &tick in &y.ticks {
            let at = y.place(tick);
            canvas.grid_line((LEFT, at), (right, at));
            canvas.text("axis", (LEFT - 8.0, at + 4.5), Anchor::End, &label(tick));
        }
        for &tick in &x.ticks {
            let at = x.place(tick);
            canvas.grid_line((at, TOP), (at, bottom));
            canvas.text("axis", (at, bottom + 20.0), Anchor::Middle, &label(tick));
        }
        canvas.frame((LEFT, TOP), (LEFT, bottom), (right, bottom));
        canvas.text("axis", (LEFT + PLOT_WIDTH / 2.0, bottom + 44.0), Anchor::Middle, &self.x_label);
        canvas.text_upwards("axis", (22.0, TOP + PLOT_HEIGHT / 2.0), &self.y_label);

        let legend_x = right + LEGEND_GAP;
        let mut legend_y = TOP + 8.0;
        for (band, points) in self.bands.iter().zip(&bands) {
            let place = |end: fn(&(f64, f64, f64)) -> f64| -> Vec<(f64, f64)> {
                points.iter().map(|point| (x.place(point.0), y.place(end(point)))).collect()
            };
            canvas.area(&place(|point| point.1), &place(|point| point.2), band.colour);
        }
        for level in &levels {
            let at = y.place(level.value);
            canvas.line(&[(LEFT, at), (right, at)], level.colour, Stroke::Dashed);
        }
        for series in &self.series {
            let places: Vec<(f64, f64)> =
                series.points.iter().filter(finite).map(|&(px, py)| (x.place(px), y.place(py))).collect();
            canvas.line(&places, series.colour, Stroke::Solid);
            places.iter().for_each(|&place| canvas.mark(place, series.colour));
            canvas.line(&[(legend_x, legend_y), (legend_x + SAMPLE, legend_y)], series.colour, Stroke::Solid);
            canvas.mark((legend_x + SAMPLE / 2.0, legend_y), series.colour);
            canvas.text("legend", (legend_x + SAMPLE + 8.0, legend_y + 4.5), Anchor::Start, &series.name);
            legend_y += LEGEND_LINE;
        }
        for series in &self.forecasts {
            let points = series.points.iter().filter(finite);
            let places: Vec<(f64, f64)> = points.map(|&(px, py)| (x.place(px), y.place(py))).collect();
            canvas.line(&places, series.colour, Stroke::Dashed);
            let sample = [(legend_x, legend_y), (legend_x + SAMPLE, legend_y)];
            canvas.line(&sample, series.colour, Stroke::Dashed);
            canvas.text("legend", (legend_x + SAMPLE + 8.0, legend_y + 4.5), Anchor::Start, &series.name);
            legend_y += LEGEND_LINE;
        }
        for level in &levels {
            canvas.line(&[(legend_x, legend_y), (legend_x + SAMPLE, legend_y)], level.colour, Stroke::Dashed);
            canvas.text("legend", (legend_x + SAMPLE + 8.0, legend_y + 4.5), Anchor::Start, &level.name);
            legend_y += LEGEND_LINE;
        }
        canvas.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_values_stand_higher_and_odd_ones_are_left_out() {
        let chart = LineChart {
            title: "a < b".to_owned(),
            series: vec![Series {
                name: "one & two".to_owned(),
                points: vec![(1.0, 10.0), (2.0, f64::NAN), (3.0, 30.0)],
                colour: 0,
            }],
            levels: vec![Level { name: "level".to_owned(), value: 20.0, colour: 1 }],
            ..LineChart::default()
        };
        let svg = chart.to_svg();
        assert!(svg.contains("a &lt; b") && svg.contains("one &amp; two") && !svg.contains("NaN"));
        let marks: Vec<f64> = svg
            .lines()
            .filter(|line| line.starts_with("<circle"))
            .map(|line| line.split("cy=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap())
            .collect();
        // Two points, and the sample of the legend.
        assert_eq!(marks.len(), 3);
        assert!(marks[0] > marks[1], "{marks:?}");
        assert_eq!(svg.matches("stroke-dasharray").count(), 2);
    }

    #[test]
    fn a_chart_of_nothing_is_still_a_document() {
        let svg = LineChart::default().to_svg();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    }
}
