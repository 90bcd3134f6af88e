//! Plain help text as Markdown: escaped, and filled to the width of all documents.

/// The longest line of prose.
const WIDTH: usize = 120;

/// Appends a paragraph: `first` before its first line, as many spaces before the others.
pub(super) fn fill(page: &mut String, first: &str, text: &str) {
    let indent = " ".repeat(first.chars().count());
    let mut line = first.to_owned();
    let mut empty = true;
    for word in text.split_whitespace() {
        let width = line.chars().count() + 1 + word.chars().count();
        if !empty && width > WIDTH && !begins_a_block(word) {
            page.push_str(&line);
            page.push('\n');
            line.clone_from(&indent);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    page.push_str(line.trim_end());
    page.push('\n');
}

/// Whether a line that begins with this word would be a list item, a heading or a quotation.
fn begins_a_block(word: &str) -> bool {
    let number = word.strip_suffix(['.', ')']);
    matches!(word, "-" | "+" | "*")
        || word.starts_with(['#', '>'])
        || number.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Escapes what Markdown would take for markup. Text between backticks is code already.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (index, part) in text.split('`').enumerate() {
        if index > 0 {
            escaped.push('`');
        }
        for sign in part.chars() {
            if index % 2 == 0 && matches!(sign, '<' | '*') {
                escaped.push('\\');
            }
            escaped.push(sign);
        }
    }
    escaped
}

/// A code span around text that may hold backticks itself.
pub(super) fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_filled_and_lists_are_not_broken() {
        let mut page = String::new();
        let text = format!("{} - {}", "word ".repeat(23), "word ".repeat(3));
        fill(&mut page, "- ", &text);
        let lines: Vec<&str> = page.lines().collect();
        assert_eq!(lines, [format!("- {} -", "word ".repeat(23).trim_end()), "  word word word".to_owned()]);
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH));
    }

    #[test]
    fn markup_is_escaped_outside_code() {
        assert_eq!(escape("a <b> and `<c> *` and *d*"), "a \\<b> and `<c> *` and \\*d\\*");
        assert_eq!(code("a`b"), "`` a`b ``");
    }
}
