//! Drawings for terminals that cannot be told what to do.

/// The drawing with a sign of one column in the place of each control character, so that no label moves the cursor or turns the
/// direction of the text. Line feeds stay.
pub(crate) fn visible(drawing: String) -> String {
    if drawing.chars().all(|c| c == '\n' || sign(c) == c) {
        drawing
    } else {
        drawing.chars().map(sign).collect()
    }
}

fn sign(c: char) -> char {
    match c {
        '\n' => c,
        // The pictures of the control characters of ASCII.
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            char::REPLACEMENT_CHARACTER
        }
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_cannot_reach_the_terminal() {
        let drawing = "S\u{1b}[31m\n├─ a\u{9b}2J\n└─ \u{202e}b\u{7f}é猫\n".to_owned();
        assert_eq!(visible(drawing), "S␛[31m\n├─ a\u{fffd}2J\n└─ \u{fffd}b␡é猫\n");
    }
}
