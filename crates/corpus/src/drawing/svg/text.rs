//! Texts in SVG: escapes and estimated lengths.

use unicode_width::UnicodeWidthChar;

/// Layouts use tenths of a pixel.
pub(in crate::drawing) const UNIT: f64 = 10.0;

/// Appends `text` with XML special characters escaped. Control characters, which XML forbids, become U+FFFD.
///
/// ```
/// let mut svg = String::new();
/// eigentree_corpus::drawing::push_escaped(&mut svg, "a < b\u{0}");
/// assert_eq!(svg, "a &lt; b\u{fffd}");
/// ```
pub fn push_escaped(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if (c.is_control() && c != '\t') || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                out.push('\u{fffd}')
            }
            c => out.push(c),
        }
    }
}

/// Estimated length of a text of this font size in pixels, in tenths of a pixel. No font is available; margins around
/// texts absorb the error.
pub fn text_width(text: &str, font_size: f64) -> usize {
    text.chars().map(|c| (em(c) * font_size * UNIT) as usize).sum()
}

/// Estimated width of a character, relative to the font size.
fn em(c: char) -> f64 {
    match (c.width().unwrap_or(0), c) {
        (0, _) => 0.0,
        (2.., _) => 1.0,
        (_, 'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | 'I' | '`') => 0.28,
        (_, 'f' | 't' | 'r' | '-' | '(' | ')' | '[' | ']' | ' ' | '"') => 0.36,
        (_, 'm' | 'w' | 'M' | 'W' | '@' | '%') => 0.9,
        (_, c) if c.is_uppercase() => 0.7,
        _ => 0.57,
    }
}
