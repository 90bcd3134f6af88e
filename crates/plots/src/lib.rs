//! Charts as SVG: one self-contained document each, with axes and a legend.
//!
//! ```
//! use eigentree_plots::{LineChart, Scale, Series};
//! let chart = LineChart {
//!     title: "F1 over m".to_owned(),
//!     x_label: "m".to_owned(),
//!     y_label: "F1".to_owned(),
//!     x_scale: Scale::Logarithmic,
//!     series: vec![Series { name: "spectral".to_owned(), points: vec![(8.0, 80.5), (16.0, 82.1)], colour: 0 }],
//!     ..LineChart::default()
//! };
//! assert!(chart.to_svg().starts_with("<svg"));
//! ```

mod axis;
mod bar_chart;
mod canvas;
mod colours;
mod graph;
mod line_chart;

pub use axis::Scale;
pub use bar_chart::{Bar, BarChart};
pub use colours::learner_colours;
pub use graph::{Graph, GraphArrow, GraphNode};
pub use line_chart::{Band, Level, LineChart, Series, series_by_name};
