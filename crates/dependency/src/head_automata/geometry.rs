//! Distance of an arc and what lies between: the part of Collins' (1999) distance that does not depend on other arcs.
//!
//! `g(h, m)` consists of the distance in buckets, whether there is a verb in between, and whether there are zero, one
//! or more punctuation marks in between. `P(g | t_h, t_m, d)` multiplies the score of an arc. Luque et al. (2012) have
//! no such factor; Eisner and Smith (2010) show the value of lengths for models of this kind.

use super::lexical::Lexeme;

/// Number of outcomes of [`Landscape::between`].
pub(super) const OUTCOMES: u32 = 6 * 2 * 3;

/// Cumulative counts of verbs and punctuation in a sentence.
#[derive(Clone, Default, Debug)]
pub(super) struct Landscape {
    verbs: Vec<u32>,
    punctuation: Vec<u32>,
}

impl Landscape {
    pub(super) fn reset(&mut self, lexemes: &[Lexeme]) {
        let sum = |sums: &mut Vec<u32>, counted: &dyn Fn(&Lexeme) -> bool| {
            sums.clear();
            sums.push(0);
            let mut total = 0;
            for lexeme in lexemes {
                total += u32::from(counted(lexeme));
                sums.push(total);
            }
        };
        sum(&mut self.verbs, &|lexeme| lexeme.verb == 1);
        sum(&mut self.punctuation, &|lexeme| lexeme.class == 2);
    }

    /// The outcome for two words.
    pub(super) fn between(&self, head: usize, modifier: usize) -> u32 {
        let (low, high) = (head.min(modifier), head.max(modifier));
        let distance = match high - low {
            0..=1 => 0,
            2 => 1,
            3 => 2,
            4..=6 => 3,
            7..=12 => 4,
            _ => 5,
        };
        let verbs = (self.verbs[high] - self.verbs[low + 1]).min(1);
        let punctuation = (self.punctuation[high] - self.punctuation[low + 1]).min(2);
        (distance * 2 + verbs) * 3 + punctuation
    }
}
