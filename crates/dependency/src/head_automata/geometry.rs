//! How far an arc reaches, and over what: the part of Collins' (1999) distance that does not depend on other arcs.
//!
//! `g(h, m)` is the distance in buckets, whether there is a verb between, and whether there is no, one or more punctuation between. `P(g | t_h, t_m, d)` multiplies the
//! score of an arc. Luque et al. (2012) have no such factor; Eisner and Smith (2010) show what lengths are worth to models of this kind.

use super::lexical::Lexeme;

/// Different outcomes of [`Landscape::between`].
pub(super) const OUTCOMES: u32 = 6 * 2 * 3;

/// Verbs and punctuation of a sentence, summed up from the left.
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

    /// What is between two words.
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
