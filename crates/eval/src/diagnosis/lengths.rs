//! Classes of lengths.

/// Lengths of sentences, in words.
pub(super) const SENTENCES: [&str; 7] = ["1-5", "6-10", "11-15", "16-20", "21-30", "31-40", "over 40"];

/// The class of a sentence length.
pub(super) fn sentence(words: usize) -> &'static str {
    SENTENCES[[5, 10, 15, 20, 30, 40].iter().take_while(|&&most| words > most).count()]
}

/// Lengths of spans, and distances.
pub(super) const SPANS: [&str; 7] = ["1", "2", "3", "4-5", "6-10", "11-20", "over 20"];

/// The class of the length of a span.
pub(super) fn span(words: usize) -> &'static str {
    SPANS[[1, 2, 3, 5, 10, 20].iter().take_while(|&&most| words > most).count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_is_in_its_class() {
        assert_eq!([1, 5, 6, 40, 41].map(sentence), ["1-5", "1-5", "6-10", "31-40", "over 40"]);
        assert_eq!([1, 3, 4, 20, 21].map(span), ["1", "3", "4-5", "11-20", "over 20"]);
    }
}
