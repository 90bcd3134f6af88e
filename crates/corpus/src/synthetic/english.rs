//! The embedded sample grammars.

use std::sync::LazyLock;

use super::grammar_text;
use super::lpcfg::LatentGrammar;

/// The text of [`english`], in the format of [`grammar_text`].
pub const ENGLISH: &str = include_str!("english.grammar");

/// The text of [`cycle`], in the same format.
pub const CYCLE: &str = include_str!("cycle.grammar");

static GRAMMAR: LazyLock<LatentGrammar> = LazyLock::new(|| parsed(ENGLISH));
static SMALL: LazyLock<LatentGrammar> = LazyLock::new(|| parsed(CYCLE));

fn parsed(text: &str) -> LatentGrammar {
    grammar_text::parse(text).expect("the embedded grammars are checked by the tests")
}

/// An English-like grammar with hidden number, case, verb frames, selection and attachment preferences. Its trees have
/// the labels of the Penn Treebank.
pub fn english() -> &'static LatentGrammar {
    &GRAMMAR
}

/// A small grammar in the normal form of the theory, whose one phrase label has eight hidden states in a circle.
pub fn cycle() -> &'static LatentGrammar {
    &SMALL
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cycle_has_eight_states_and_two_children_per_phrase() {
        let grammar = cycle();
        assert_eq!(grammar.states_of("X").len(), 8);
        // A phrase continues with probability 0.9, and every phrase adds one word.
        assert!((grammar.expected_length() - 11.0).abs() < 1e-9);
        assert_eq!(grammar.most_states(), 8);
        assert_eq!(grammar.longest_rule(), 2);
        assert!(english().most_states() > 100 && english().longest_rule() > 2);
    }
}
