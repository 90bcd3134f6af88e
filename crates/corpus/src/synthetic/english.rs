//! The embedded sample grammar.

use std::sync::LazyLock;

use super::grammar_text;
use super::lpcfg::LatentGrammar;

/// The text of the embedded grammar, in the format of [`grammar_text`].
pub const ENGLISH: &str = include_str!("english.grammar");

static GRAMMAR: LazyLock<LatentGrammar> =
    LazyLock::new(|| grammar_text::parse(ENGLISH).expect("the embedded grammar is checked by the tests"));

/// An English-like grammar with hidden number, case, verb frames, selection and attachment preferences. Its trees have
/// the labels of the Penn Treebank.
pub fn english() -> &'static LatentGrammar {
    &GRAMMAR
}
