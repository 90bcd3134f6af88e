//! Where words stand in the text.

use std::ops::Range;

use corpus::format::conllu::{Sentence, Token, TokenId};

/// The surface tokens of a sentence, which are what the text consists of, and the words that each covers.
pub(super) fn surface_tokens(sentence: &Sentence) -> impl Iterator<Item = (Token<'_>, Range<usize>)> {
    let mut covered = 0;
    sentence.tokens().filter_map(move |token| match token.id() {
        TokenId::Range { first, last } => {
            covered = last;
            Some((token, first as usize - 1..last as usize))
        }
        TokenId::Word(number) if number > covered => Some((token, number as usize - 1..number as usize)),
        TokenId::Word(_) | TokenId::Empty { .. } => None,
    })
}

/// The characters of each word by `start_char` and `end_char` in MISC; `None` unless every token has them.
pub(super) fn from_misc(sentence: &Sentence) -> Option<Vec<Range<usize>>> {
    let mut places = Vec::with_capacity(sentence.len());
    for (token, words) in surface_tokens(sentence) {
        let number = |key| token.misc_value(key)?.parse::<usize>().ok();
        let place = number("start_char")?..number("end_char")?;
        if place.start > place.end {
            return None;
        }
        places.extend(words.map(|_| place.clone()));
    }
    Some(places)
}

/// Whether a space follows the last token.
pub(crate) fn last_space_after(sentence: &Sentence) -> bool {
    surface_tokens(sentence).last().is_none_or(|(token, _)| token.space_after())
}

/// The text of a sentence by its tokens and `SpaceAfter=No`.
pub(crate) fn surface(sentence: &Sentence) -> String {
    surface_of(sentence, &(0..sentence.len()))
}

/// The text of some words.
pub(super) fn surface_of(sentence: &Sentence, words: &Range<usize>) -> String {
    let mut text = String::new();
    let mut space = false;
    let within = |covered: &Range<usize>| covered.start < words.end && words.start < covered.end;
    for (token, _) in surface_tokens(sentence).filter(|(_, covered)| within(covered)) {
        if space {
            text.push(' ');
        }
        text.push_str(token.form());
        space = token.space_after();
    }
    text
}

/// The characters of each word if the sentence is written by its tokens from `start` on.
pub(super) fn laid_out(sentence: &Sentence, start: usize) -> Vec<Range<usize>> {
    let mut at = start;
    let mut places = Vec::with_capacity(sentence.len());
    for (token, words) in surface_tokens(sentence) {
        let end = at + token.form().chars().count();
        places.extend(words.map(|_| at..end));
        at = end + usize::from(token.space_after());
    }
    places
}
