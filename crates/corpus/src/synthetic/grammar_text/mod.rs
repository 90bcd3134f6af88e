//! Grammars as readable text.
//!
//! A line that starts in the first column begins a statement; indented lines continue it. `#` at the start of a line or
//! after a space begins a comment. Tokens are separated by spaces.
//!
//! ```text
//! %root 9 S | 1 SQ                      where derivations start, with weights
//! %capitalize first-word                sentences begin with a capital letter (default: as-written)
//! %var n = sg:2 pl                      a variable, its values, and their weights
//!
//! S -> NP[$n] VP[$n] .=.                rules
//! NP[$n] -> 3 DT[$n] &noun[$n] | 1 NP[$n] PP
//! &noun[sg] -> 9 NN | 1 JJ NN           a fragment: it is put in place, without a node of its own
//! &noun[pl] -> NNS
//! DT[sg] => the:2 a                     words with weights
//! DT[pl] => the
//! NN/NNS ~> man/men dog/dogs            two columns of forms, by falling frequency
//! ```
//!
//! **Categories.** `NP[sg,person]` is the label `NP` in the hidden state `sg,person`. Sampled trees show only the
//! label. A category without brackets has one state. `IN=of` is the tag `IN` in a state of its own with the single word
//! *of*.
//!
//! **Rules.** `A -> 3 B C | D` lists alternatives, each with a weight (1 by default). Weights are relative: they are
//! normalised over all alternatives of a category, which may be spread over several statements.
//!
//! **Variables** occur inside brackets. A variable of the left side has the same value throughout the rule, so
//! `NP[$n] -> DT[$n] NN[$n]` is two rules with agreement. A variable that occurs only in an alternative is expanded
//! there: `S -> 6 NP[$n] VP[$n]` distributes its weight 6 among the values of `n`, in proportion to their weights. A
//! variable declared as `%var v = *` takes any value, but only from the left side. A rule is created only for values
//! that some derivation needs, and all statements whose left side matches a category contribute to it, so `VP[$f]` may
//! list what all forms share and `VP[past]` what is special.
//!
//! **Fragments** begin with `&`. An alternative that contains a fragment is expanded over the alternatives of the
//! fragment, which share its weight; `()` is the empty alternative. A fragment may use others but not itself. The
//! resulting grammar has rules with several children and no trace of fragments.
//!
//! **Words.** `T => a b:2` lists words with weights. `~>` does the same but divides the weight of the r-th word by r +
//! 1, so that a list in order of frequency has the long tail of natural vocabularies. `*0.1` in a list multiplies the
//! weights of all words after it, for rare words. A left side with columns, `VB+VBP/VBZ/VBD[tr]`, fills several tags
//! from entries such as `see/sees/saw`; tags joined by `+` share a form, and brackets at the end apply to all columns
//! without brackets of their own. `\` escapes the next character, as in `1\/2`.
//!
//! Errors are reported with line and column: undefined categories and variables, statements that no derivation reaches,
//! weights that are not positive, recursion that does not terminate.

mod expand;
mod scan;
mod statement;
#[cfg(test)]
mod tests;

use super::error::GrammarError;
use super::lpcfg::LatentGrammar;

/// Reads a grammar.
///
/// ```
/// use eigentree_corpus::synthetic::grammar_text;
/// let grammar = grammar_text::parse("%root NP\nNP -> 3 NN | 1 NN NN\nNN => dog cat:2").unwrap();
/// assert_eq!(grammar.expected_length(), 1.25);
/// let error = grammar_text::parse("%root NP\nNP -> DT NN\nDT => the").unwrap_err();
/// assert!(error.to_string().starts_with("grammar:2:10: nothing defines NN"));
/// ```
///
/// # Errors
/// If the text violates the format or the grammar is invalid.
pub fn parse(text: &str) -> Result<LatentGrammar, GrammarError> {
    expand::expand(statement::statements(text)?)
}
