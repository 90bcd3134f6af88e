//! A score for every possible arc of a sentence.

use corpus::dependency::Head;

/// `s(h, m)` for every head number `h` (0 is the root) and every word `m`. Unset scores are `−∞`: no tree has such an
/// arc.
///
/// ```
/// use eigentree_dependency::arcs::ArcScores;
/// let mut scores = ArcScores::new(2);
/// scores.set(0, 1, 1.5);
/// assert_eq!(scores.get(0, 1), 1.5);
/// assert_eq!(scores.get(2, 0), f32::NEG_INFINITY);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ArcScores {
    words: usize,
    /// By head number, then by index of the modifier: the modifiers of one head are contiguous.
    scores: Vec<f32>,
}

impl ArcScores {
    /// No arcs over `words` words.
    pub fn new(words: usize) -> Self {
        let mut scores = Self::default();
        scores.reset(words);
        scores
    }

    /// Removes all arcs and prepares for a sentence of `words` words, in the same memory.
    pub fn reset(&mut self, words: usize) {
        self.words = words;
        self.scores.clear();
        self.scores.resize((words + 1) * words, f32::NEG_INFINITY);
    }

    /// The number of words.
    #[inline]
    pub fn words(&self) -> usize {
        self.words
    }

    /// The score of the arc from head number `head` to the word at index `modifier`.
    #[inline]
    pub fn get(&self, head: usize, modifier: usize) -> f32 {
        self.scores[head * self.words + modifier]
    }

    /// Sets the score of an arc. A word is never its own head: such a score is ignored.
    #[inline]
    pub fn set(&mut self, head: usize, modifier: usize, score: f32) {
        self.scores[head * self.words + modifier] = score;
    }

    /// The scores of all modifiers of head number `head`.
    #[inline]
    pub fn of_head(&self, head: usize) -> &[f32] {
        &self.scores[head * self.words..][..self.words]
    }

    /// The scores of all modifiers of head number `head`, mutable.
    #[inline]
    pub fn of_head_mut(&mut self, head: usize) -> &mut [f32] {
        &mut self.scores[head * self.words..][..self.words]
    }

    /// The score of a tree: the sum over its arcs.
    pub fn of_tree(&self, heads: &[Head]) -> f64 {
        heads.iter().enumerate().map(|(word, head)| f64::from(self.get(head.number(), word))).sum()
    }
}
