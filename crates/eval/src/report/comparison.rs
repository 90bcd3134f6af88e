//! The report on a significance test.

use serde::Serialize;

use super::figures::percent;
use super::table::{Table, figure};
use crate::significance::Comparison;

/// One figure of two systems; scores in percent, differences in percentage points.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ComparisonReport {
    /// Name of the figure, as in the other reports.
    pub metric: String,
    /// Score of the first system.
    pub first: f64,
    /// Score of the second system.
    pub second: f64,
    /// Second minus first.
    pub difference: f64,
    /// Lower and upper end of the confidence interval of the difference.
    pub interval: [f64; 2],
    /// Two-sided p-value.
    pub p_value: f64,
    /// Share of the resamples in which the second system is better, in percent.
    pub second_better: f64,
    /// Number of resamples.
    pub resamples: usize,
    /// Confidence level of the interval, in percent.
    pub confidence: f64,
}

impl ComparisonReport {
    /// Compares `metric`, a share from 0 to 1.
    pub fn new(metric: impl Into<String>, comparison: &Comparison) -> Self {
        let (low, high) = comparison.interval;
        Self {
            metric: metric.into(),
            first: percent(comparison.first),
            second: percent(comparison.second),
            difference: percent(comparison.difference),
            interval: [percent(low), percent(high)],
            p_value: comparison.p_value,
            second_better: percent(comparison.second_better),
            resamples: comparison.resamples,
            confidence: percent(comparison.confidence),
        }
    }

    /// One table for all comparisons.
    pub(super) fn table(comparisons: &[Self]) -> Option<Table> {
        let confidence = comparisons.first()?.confidence;
        let row = |report: &Self| {
            vec![
                report.metric.clone(),
                figure(report.first),
                figure(report.second),
                format!("{:+.2}", report.difference),
                format!("[{:+.2}, {:+.2}]", report.interval[0], report.interval[1]),
                format!("{:.4}", report.p_value),
            ]
        };
        let interval = format!("{confidence:.0} % interval");
        let header = ["comparison", "first", "second", "difference", &interval, "p"];
        Some(Table {
            header: header.map(str::to_owned).to_vec(),
            rows: comparisons.iter().map(row).collect(),
        })
    }
}
