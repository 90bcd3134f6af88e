//! The geometry of a chart.

/// Numbers the spans `i..j` (`0 ≤ i < j ≤ n`) of a sentence of `n` words: by start, then by end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Triangle {
    words: usize,
}

impl Triangle {
    /// The triangle of a sentence of `words` words.
    pub fn new(words: usize) -> Self {
        Self { words }
    }

    /// The number of words in the sentence.
    pub fn words(self) -> usize {
        self.words
    }

    /// The number of spans.
    pub fn len(self) -> usize {
        self.words * (self.words + 1) / 2
    }

    /// Whether there are no spans.
    pub fn is_empty(self) -> bool {
        self.words == 0
    }

    /// The number of the span `start..end`.
    #[inline]
    pub fn cell(self, start: usize, end: usize) -> usize {
        debug_assert!(start < end && end <= self.words);
        // Spans that start earlier: words + (words - 1) + …, one term per start.
        start * (2 * self.words + 1 - start) / 2 + (end - start - 1)
    }

    /// All spans of at least `width` words, smallest first.
    pub fn bottom_up(self, width: usize) -> impl Iterator<Item = (usize, usize)> {
        (width..=self.words).flat_map(move |w| (0..=self.words - w).map(move |start| (start, start + w)))
    }

    /// All spans of at least `width` words, largest first.
    pub fn top_down(self, width: usize) -> impl Iterator<Item = (usize, usize)> {
        (width..=self.words)
            .rev()
            .flat_map(move |w| (0..=self.words - w).map(move |start| (start, start + w)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_a_bijection() {
        for words in 0..9 {
            let triangle = Triangle::new(words);
            let mut seen = vec![false; triangle.len()];
            for (start, end) in triangle.bottom_up(1) {
                assert!(!std::mem::replace(&mut seen[triangle.cell(start, end)], true));
            }
            assert!(seen.iter().all(|&s| s));
            assert_eq!(triangle.top_down(1).count(), triangle.len());
        }
    }
}
