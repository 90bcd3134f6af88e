//! Plots that several comparisons share.

use plots::{BarChart, LineChart};

use crate::document::Plot;

/// The chart as a plot: lines, or bars where all points stand at one place of the x-axis. `None` without points.
pub(crate) fn lines_or_bars(file: String, chart: &LineChart) -> Option<Plot> {
    let mut places: Vec<f64> =
        chart.series.iter().flat_map(|one| one.points.iter().map(|&(x, _)| x)).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let svg = match places[..] {
        [] => return None,
        [place] => {
            let title = format!("{}, {} {place}", chart.title, chart.x_label);
            BarChart::of_series(&title, &chart.y_label, &chart.series).to_svg()
        }
        _ => chart.to_svg(),
    };
    Some(Plot { file, svg })
}
