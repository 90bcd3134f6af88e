//! Text from files in messages for terminals.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with control characters written as escapes, such as `\u{1b}`. A corpus must not be able to move the cursor, rename
/// the window or reverse the direction of a message. Line ends and tabs stay.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_control) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_control(c) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "{}", c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

fn is_control(c: char) -> bool {
    // The marks that change the direction of the text around them count too.
    let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (c.is_control() && c != '\n' && c != '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_cannot_reach_the_terminal() {
        assert_eq!(printable("a\u{1b}]0;pwned\u{7}b\u{9b}2J\r"), "a\\u{1b}]0;pwned\\u{7}b\\u{9b}2J\\u{d}");
        assert_eq!(printable("abc\u{202e}def"), "abc\\u{202e}def");
    }

    #[test]
    fn ordinary_text_stays() {
        for text in ["one\n\ttwo", "猫 слово שלום é\u{301} \u{200d}"] {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text));
        }
    }
}
