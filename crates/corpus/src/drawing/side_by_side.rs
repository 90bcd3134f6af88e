//! Two drawings next to each other.

use unicode_width::UnicodeWidthStr;

/// The lines of `left`, each followed by the same line of `right`, `gap` columns to the right of the widest.
///
/// ```
/// use eigentree_corpus::drawing::side_by_side;
/// assert_eq!(side_by_side("a\nlong\n", "1\n2\n3\n", 2), "a     1\nlong  2\n      3\n");
/// ```
pub fn side_by_side(left: &str, right: &str, gap: usize) -> String {
    let column = left.lines().map(UnicodeWidthStr::width).max().unwrap_or(0) + gap;
    let (mut left, mut right) = (left.lines(), right.lines());
    let mut out = String::new();
    loop {
        let (one, other) = match (left.next(), right.next()) {
            (None, None) => return out,
            (one, other) => (one.unwrap_or(""), other.unwrap_or("")),
        };
        out.push_str(one);
        if !other.is_empty() {
            out.extend(std::iter::repeat_n(' ', column - one.width()));
            out.push_str(other);
        }
        out.push('\n');
    }
}
