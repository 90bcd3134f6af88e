//! Named numbers as text.

use std::fmt::Write as _;

pub(super) fn put(text: &mut String, figures: &[(&'static str, f64)]) {
    let width = figures.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, value) in figures {
        let _ = writeln!(text, "  {name:width$}  {}", number(*value));
    }
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.2}") }
}
