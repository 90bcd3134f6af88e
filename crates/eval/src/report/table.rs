//! Tables as plain text or Markdown.

use std::fmt::Write;

/// Cells in rows. The first column holds names, the others figures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// Names of the columns.
    pub header: Vec<String>,
    /// Rows with one cell per column of the header.
    pub rows: Vec<Vec<String>>,
}

/// A percentage as shown in tables.
pub(super) fn figure(value: f64) -> String {
    format!("{value:.2}")
}

/// Width in characters, not bytes; good enough for label names.
fn width(cell: &str) -> usize {
    cell.chars().count()
}

impl Table {
    /// Figures followed by counts, in two columns under `name`.
    pub(super) fn of_figures(name: &str, figures: &[(&str, f64)], counts: &[(&str, u64)]) -> Self {
        let figures = figures.iter().map(|&(name, value)| vec![name.to_owned(), figure(value)]);
        let counts = counts.iter().map(|&(name, count)| vec![name.to_owned(), count.to_string()]);
        Self { header: vec![name.to_owned(), String::new()], rows: figures.chain(counts).collect() }
    }

    fn widths(&self) -> Vec<usize> {
        let column = |at: usize| {
            let cells = std::iter::once(&self.header).chain(&self.rows).filter_map(|row| row.get(at));
            cells.map(|cell| width(cell)).max().unwrap_or(0)
        };
        (0..self.header.len()).map(column).collect()
    }

    /// Plain text with aligned columns: names to the left, figures to the right.
    pub fn to_text(&self) -> String {
        let widths = self.widths();
        let mut text = String::new();
        for row in std::iter::once(&self.header).chain(&self.rows) {
            for (at, (cell, &column)) in row.iter().zip(&widths).enumerate() {
                let padding = " ".repeat(column - width(cell).min(column));
                match at {
                    0 => text.extend([cell.as_str(), padding.as_str()]),
                    _ => text.extend(["  ", padding.as_str(), cell.as_str()]),
                }
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        text
    }

    /// An aligned Markdown table.
    pub fn to_markdown(&self) -> String {
        let rows: Vec<Vec<String>> = std::iter::once(&self.header)
            .chain(&self.rows)
            .map(|row| row.iter().map(|cell| cell.replace('|', "\\|")).collect())
            .collect();
        let escaped = Table { header: rows.first().cloned().unwrap_or_default(), rows };
        let widths = escaped.widths();
        let mut text = String::new();
        for (index, row) in escaped.rows.iter().enumerate() {
            for (at, (cell, &column)) in row.iter().zip(&widths).enumerate() {
                let padding = " ".repeat(column - width(cell).min(column));
                let _infallible = match at {
                    0 => write!(text, "| {cell}{padding} "),
                    _ => write!(text, "| {padding}{cell} "),
                };
            }
            text.push_str("|\n");
            if index == 0 {
                for (at, &column) in widths.iter().enumerate() {
                    text.extend(["|", if at == 0 { ":" } else { "-" }, &"-".repeat(column)]);
                    text.push(if at == 0 { '-' } else { ':' });
                }
                text.push_str("|\n");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_drawings_line_up() {
        let table = Table {
            header: vec!["label".to_owned(), "F1".to_owned()],
            rows: vec![vec!["S|VP".to_owned(), "97.25".to_owned()], vec!["ÄP".to_owned(), "5.00".to_owned()]],
        };
        assert_eq!(table.to_text(), "label     F1\nS|VP   97.25\nÄP      5.00\n");
        assert_eq!(
            table.to_markdown(),
            "| label |    F1 |\n|:------|------:|\n| S\\|VP | 97.25 |\n| ÄP    |  5.00 |\n"
        );
    }
}
