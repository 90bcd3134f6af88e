//! Decisions without a model; the rules are listed in the [module](super).

use super::features::{Characters, is_letter, is_mark};
use super::model::Decision;

const STOPS: [char; 12] = ['.', '!', '?', '…', '؟', '۔', '।', '॥', '։', '።', '‼', '⁇'];
/// Stops that need no white space after them.
const WIDE_STOPS: [char; 4] = ['。', '！', '？', '｡'];

pub(super) fn decide(characters: &Characters, at: usize) -> Decision {
    let (c, _, class) = characters.all[at];
    let next = characters.all.get(at + 1).map(|own| own.0);
    if WIDE_STOPS.contains(&c) && next.is_none_or(|next| !is_closing(characters, at + 1, next)) {
        return Decision::Sentence;
    }
    if characters.is_space(at + 1) || next.is_none() {
        let ends = stop_before(characters, at) && !small_letter_after(characters, at);
        return if ends { Decision::Sentence } else { Decision::Token };
    }
    if next == Some(c) && is_mark(class) {
        return Decision::Inside;
    }
    let mark_next = is_mark(characters.class(at + 1));
    let splits = match (is_mark(class), mark_next) {
        // Marks at the beginning or the end of their chunk.
        (true, _) => marks_only(characters, at, Side::Left) || marks_only(characters, at + 1, Side::Right),
        (false, true) => marks_only(characters, at + 1, Side::Right) && !keeps_stop(characters, at),
        (false, false) => false,
    };
    if splits { Decision::Token } else { Decision::Inside }
}

fn is_closing(characters: &Characters, at: usize, c: char) -> bool {
    characters.class(at) == 7 || matches!(c, '"' | '\'' | '」' | '』')
}

/// Whether there is a stop here, ignoring closing quotes and brackets.
fn stop_before(characters: &Characters, at: usize) -> bool {
    let mut place = at;
    loop {
        let c = characters.all[place].0;
        if STOPS.contains(&c) {
            return !(c == '.' && place > 0 && keeps_stop(characters, place - 1));
        }
        match place.checked_sub(1) {
            Some(before) if is_closing(characters, place, c) && !characters.is_space(before) => {
                place = before
            }
            _ => return false,
        }
    }
}

fn small_letter_after(characters: &Characters, at: usize) -> bool {
    let next = characters.all[at + 1..].iter().find(|own| !own.0.is_whitespace());
    next.is_some_and(|own| own.0.is_lowercase())
}

/// Whether a full stop after the letter at `at` belongs to it: after a single letter, or after letters with a stop
/// between them.
fn keeps_stop(characters: &Characters, at: usize) -> bool {
    let one_stop = characters.all.get(at + 1).is_some_and(|own| own.0 == '.')
        && characters.all.get(at + 2).is_none_or(|own| own.0 != '.');
    if !one_stop || !is_letter(characters.class(at)) {
        return false;
    }
    match at.checked_sub(1).map(|before| characters.all[before].0) {
        None => true,
        Some(before) => before == '.' || before.is_whitespace(),
    }
}

/// A side of a character within its chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    /// From the beginning of the chunk up to the character.
    Left,
    /// From the character to the end of the chunk.
    Right,
}

/// Maximum number of marks examined at the ends of a chunk: more are one run, whatever they are.
const MOST_MARKS: usize = 64;

fn marks_only(characters: &Characters, at: usize, side: Side) -> bool {
    let mark = |place: &usize| is_mark(characters.class(*place));
    let inside = |place: &usize| *place < characters.all.len() && !characters.is_space(*place);
    match side {
        Side::Left => (0..=at).rev().take_while(inside).take(MOST_MARKS).all(|place| mark(&place)),
        Side::Right => {
            (at..characters.all.len()).take_while(inside).take(MOST_MARKS).all(|place| mark(&place))
        }
    }
}
