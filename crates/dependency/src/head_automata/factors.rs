//! Factors of an arc in addition to its automaton.
//!
//! In the combination `s = log P_tags + λ log P_words` (Luque et al. 2012, equation 21) the deterministic model of
//! words multiplies every step of an automaton by a factor that depends on the two words and on the state σ of the
//! deterministic automaton. That state depends on the previous modifier alone, so a chart item only has to distinguish
//! the `S` classes of last modifiers.

use corpus::dependency::Direction;

/// Factors of arcs, with `S` classes of previous modifiers and one more state for no modifier yet.
pub(super) trait Factors<const S: usize> {
    /// Factors of the arc, as a first modifier and after a modifier of each class.
    fn arc(&self, direction: Direction, head: usize, modifier: usize) -> (f64, [f64; S]);
    /// Factors of stopping without modifiers, and after a modifier of each class.
    fn stop(&self, direction: Direction, head: usize) -> (f64, [f64; S]);
    /// The class of a word as the previous modifier, below `S`.
    fn class(&self, word: usize) -> usize;
    /// Factor of the arc from the root.
    fn root(&self, modifier: usize) -> f64;
}

/// No words: all factors are one.
pub(super) struct Unit;

impl Factors<1> for Unit {
    #[inline(always)]
    fn arc(&self, _: Direction, _: usize, _: usize) -> (f64, [f64; 1]) {
        (1.0, [1.0])
    }

    #[inline(always)]
    fn stop(&self, _: Direction, _: usize) -> (f64, [f64; 1]) {
        (1.0, [1.0])
    }

    #[inline(always)]
    fn class(&self, _: usize) -> usize {
        0
    }

    #[inline(always)]
    fn root(&self, _: usize) -> f64 {
        1.0
    }
}

/// Maximum number of classes.
pub(super) const MAX_CLASSES: usize = 3;

/// Factors in tables, computed for one sentence. The first entry of four is for no modifier yet.
#[derive(Clone, Default, Debug)]
pub(super) struct FactorTable {
    pub(super) words: usize,
    /// `[(direction · words + head) · words + modifier]`
    pub(super) arcs: Vec<[f64; MAX_CLASSES + 1]>,
    /// `[direction · words + head]`
    pub(super) stops: Vec<[f64; MAX_CLASSES + 1]>,
    pub(super) classes: Vec<u8>,
    pub(super) roots: Vec<f64>,
}

impl FactorTable {
    pub(super) fn reset(&mut self, words: usize) {
        self.words = words;
        self.arcs.clear();
        self.arcs.resize(2 * words * words, [1.0; MAX_CLASSES + 1]);
        self.stops.clear();
        self.stops.resize(2 * words, [1.0; MAX_CLASSES + 1]);
        self.classes.clear();
        self.classes.resize(words, 0);
        self.roots.clear();
        self.roots.resize(words, 1.0);
    }
}

#[inline(always)]
fn split<const S: usize>(numbers: &[f64; MAX_CLASSES + 1]) -> (f64, [f64; S]) {
    let mut rest = [0.0; S];
    rest.copy_from_slice(&numbers[1..=S]);
    (numbers[0], rest)
}

impl<const S: usize> Factors<S> for FactorTable {
    #[inline(always)]
    fn arc(&self, direction: Direction, head: usize, modifier: usize) -> (f64, [f64; S]) {
        split(&self.arcs[(direction as usize * self.words + head) * self.words + modifier])
    }

    #[inline(always)]
    fn stop(&self, direction: Direction, head: usize) -> (f64, [f64; S]) {
        split(&self.stops[direction as usize * self.words + head])
    }

    #[inline(always)]
    fn class(&self, word: usize) -> usize {
        if S == 1 { 0 } else { usize::from(self.classes[word]) }
    }

    #[inline(always)]
    fn root(&self, modifier: usize) -> f64 {
        self.roots[modifier]
    }
}
