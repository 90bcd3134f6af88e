//! Chunks, the stretches of text between spaces, and what they say about the decisions in them and at their ends.
//!
//! The characters around a decision do not show everything: whether `neredesin?` ends a sentence depends on the words before
//! and after, on their capitals, and on how far the other stops are.

use super::features::{Characters, is_letter, is_mark};
use models::log_linear::{Key, Namer};

/// Name space of these features.
const KIND: u64 = 5 << 32;

/// Further stops and further words do not count.
const FARTHEST: usize = 12;

/// Length of the beginnings of words.
const BEGINNING: usize = 5;

/// The chunks of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunks {
    all: Vec<Chunk>,
    /// For each character the number of its chunk; for white space that of the next one.
    number: Vec<u32>,
}

/// What features use of a chunk. Beyond the ends of the text all parts are 1.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    start: usize,
    end: usize,
    /// Its letters and digits in lower case.
    word: u64,
    /// The first letters and digits of these.
    beginning: u64,
    /// The classes of its characters, runs counted once; marks are themselves.
    shape: u64,
    /// Its first letter or digit: capital, small, digit, no case; all capitals and single capitals are kinds of their own.
    case: u64,
    /// Whether it ends with a stop.
    stop: bool,
}

const BEYOND: Chunk = Chunk { start: 0, end: 0, word: 1, beginning: 1, shape: 1, case: 1, stop: false };

const CAPITAL: u8 = 2;
const DIGIT: u8 = 4;
const ALL_CAPITALS: u64 = 20;
const SINGLE_CAPITAL: u64 = 21;

impl Chunks {
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.number.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The chunks of `characters`.
    pub(super) fn read(&mut self, characters: &[(char, usize, u8)]) {
        self.clear();
        let mut at = 0;
        while at < characters.len() {
            let rest = &characters[at..];
            let length = rest.iter().position(|own| own.0.is_whitespace()).unwrap_or(rest.len());
            let number = self.all.len() as u32;
            if length == 0 {
                self.number.push(number);
                at += 1;
            } else {
                self.number.resize(at + length, number);
                self.all.push(Chunk::of(&characters[at..at + length], at));
                at += length;
            }
        }
    }

    fn get(&self, number: usize, steps: isize) -> Chunk {
        number.checked_add_signed(steps).and_then(|at| self.all.get(at)).copied().unwrap_or(BEYOND)
    }

    /// Number of chunks up to the nearest stop before, and to the nearest after: the end of this chunk does not count.
    fn stops(&self, number: usize) -> (u64, u64) {
        let before =
            self.all[..number].iter().rev().take(FARTHEST - 1).take_while(|chunk| !chunk.stop).count() + 1;
        let rest = &self.all[number + 1..];
        let after = rest
            .iter()
            .take(FARTHEST)
            .position(|chunk| chunk.stop)
            .map_or(rest.len().min(FARTHEST), |at| at + 1);
        (bucket(before), bucket(after))
    }
}

/// Lengths that are about the same have the same number.
fn bucket(length: usize) -> u64 {
    match length {
        0..=4 => length as u64 + 1,
        5..=6 => 6,
        7..=9 => 7,
        10..=11 => 8,
        _ => 9,
    }
}

impl Chunk {
    fn of(characters: &[(char, usize, u8)], start: usize) -> Self {
        let (mut word, mut shape) = (Key::of(40), Key::of(41));
        let (mut case, mut last) = (1, None);
        let (mut letters, mut capitals, mut parts) = (0, 0, 0);
        let mut beginning = 1;
        for &(c, _, class) in characters {
            if is_letter(class) || class == DIGIT {
                word = word.chars(c.to_lowercase());
                parts += 1;
                if parts <= BEGINNING {
                    beginning = word.value();
                }
                if case == 1 {
                    case = 1 + u64::from(class);
                }
            }
            letters += usize::from(is_letter(class));
            capitals += usize::from(class == CAPITAL);
            if last != Some(class) {
                shape = shape.with(if is_mark(class) { u64::from(c) } else { u64::from(class) });
                last = Some(class);
            }
        }
        if case == 1 + u64::from(CAPITAL) && letters == capitals {
            case = if letters == 1 { SINGLE_CAPITAL } else { ALL_CAPITALS };
        }
        let stop = characters.last().is_some_and(|own| matches!(own.0, '.' | '!' | '?' | ':' | '…' | '。'));
        Self {
            start,
            end: start + characters.len(),
            word: word.value(),
            beginning,
            shape: shape.value(),
            case,
            stop,
        }
    }
}

impl Characters {
    /// The names of the features that come from chunks, for the decision after the character at `at`.
    pub(super) fn chunk_features(&self, at: usize, mut feature: impl FnMut(u32)) {
        let mut name = Namer::new(KIND, &mut feature);
        let [l4, l3, l2, l1, l0, r1, r2, r3, r4] =
            [-4, -3, -2, -1, 0, 1, 2, 3, 4].map(|offset| self.lower(at, offset));
        let (own, own_class) = self.near(at, 0);
        let (next, next_class) = self.near(at, 1);
        name.feature([l3, l2, l1, l0, next]);
        name.feature([l4, l3, l2, l1, l0, next]);
        name.feature([l0, r1, r2, r3]);
        name.feature([l0, r1, r2, r3, r4]);
        name.feature([l2, l1, l0, r1, r2]);
        name.feature([l1, l0, r1, r2, r3]);
        let number = self.chunks.number[at] as usize;
        let [before, previous, chunk, follows, after] =
            [-2, -1, 0, 1, 2].map(|steps| self.chunks.get(number, steps));
        if at + 1 < chunk.end {
            let place = (at - chunk.start).min(9) as u64 + 1;
            let (left, right) = self.sides(at);
            name.feature([chunk.shape, own_class, next_class]);
            name.feature([chunk.shape, own, next, place]);
            name.feature([chunk.word, own, next]);
            name.feature([previous.word, own, next]);
            name.feature([follows.word, own, next]);
            name.feature([left, previous.word]);
            name.feature([right, follows.word]);
            name.feature([left, own_class, follows.word]);
            name.feature([right, follows.beginning]);
            name.feature([own, next, follows.case]);
            name.feature([l1, l0, right, follows.case]);
            name.feature([l2, l1, l0, right, follows.case]);
            name.feature([own_class, right, follows.case]);
            name.feature([left, right, follows.case]);
            name.feature([own_class, right, follows.shape]);
            return;
        }
        let mut name = Namer::new(KIND + 1, &mut feature);
        name.feature([own, follows.case, after.case]);
        name.feature([chunk.shape, follows.shape]);
        name.feature([chunk.case, own, follows.case]);
        name.feature([own, follows.word]);
        name.feature([own, follows.beginning]);
        name.feature([own_class, follows.word, follows.case]);
        name.feature([own, after.word]);
        name.feature([own_class, follows.case, after.word]);
        name.feature([chunk.word, follows.word]);
        name.feature([chunk.word, own]);
        name.feature([chunk.word, own, follows.case]);
        name.feature([previous.word, own, follows.case]);
        name.feature([before.word, own, follows.case]);
        name.feature([l1, l0, follows.case]);
        name.feature([l3, l2, l1, l0, follows.case]);
        let (since, until) = self.chunks.stops(number);
        name.feature([own, since]);
        name.feature([own_class, since, follows.case]);
        name.feature([own_class, until, follows.case]);
        name.feature([own_class, since, until, follows.case]);
    }

    /// A character in lower case; white space is all the same, and so is what lies beyond the text.
    fn lower(&self, at: usize, offset: isize) -> u64 {
        let own = at.checked_add_signed(offset).and_then(|at| self.all.get(at));
        own.map_or(
            1,
            |&(c, ..)| if c.is_whitespace() { 2 } else { Key::of(43).chars(c.to_lowercase()).value() },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenizer::Features;

    fn chunks(text: &str) -> Chunks {
        let mut characters = Characters::default();
        characters.read(text, Features::Chunks);
        characters.chunks
    }

    #[test]
    fn chunks_lie_between_spaces() {
        let chunks = chunks("  Sen \tneredesin?Ben\n");
        let bounds: Vec<(usize, usize)> = chunks.all.iter().map(|chunk| (chunk.start, chunk.end)).collect();
        assert_eq!(bounds, [(2, 5), (7, 20)]);
        assert_eq!(chunks.number[..9], [0, 0, 0, 0, 0, 1, 1, 1, 1]);
    }

    #[test]
    fn words_shapes_and_capitals() {
        let chunks = chunks("(Prof.) prof NATO X 9. --- prof.");
        let part = |part: fn(&Chunk) -> u64| -> Vec<u64> { chunks.all.iter().map(part).collect() };
        let words = part(|chunk| chunk.word);
        assert_eq!([words[0], words[0]], [words[1], words[6]]);
        let shapes = part(|chunk| chunk.shape);
        assert!(shapes[1] != shapes[6] && shapes[1] != shapes[2]);
        assert_eq!(part(|chunk| chunk.case), [3, 4, ALL_CAPITALS, SINGLE_CAPITAL, 5, 1, 4]);
    }

    #[test]
    fn stops_are_counted_in_chunks() {
        let chunks = chunks("a. b c d. e f g");
        assert_eq!(chunks.stops(2), (bucket(2), bucket(1)), "c: b is after a stop, d has one");
        assert_eq!(chunks.stops(4), (bucket(1), bucket(2)), "no stop after e: the end of the text");
        assert_eq!(chunks.stops(0), (bucket(1), bucket(3)));
        let long = self::chunks(&"x ".repeat(50));
        assert_eq!(long.stops(25), (9, 9));
    }
}
