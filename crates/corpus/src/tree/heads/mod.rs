//! Head rules: which child of a phrase carries its head word.
//!
//! Rules come from a readable table: [`HeadRules::english`] has one, [`HeadRules::parse`] reads others. Labels without
//! a line in the table are decided by [`HeadRules::by_similarity`], a default for any label set:
//!
//! 1. a child with the same label as the parent (the last one, if several);
//! 2. else the child whose label shares the longest prefix with that of the parent (`VB` in a `VP`, `N-D` in an `NP`,
//!    `grup.verb` in a `grup`), at least one character; the first such child from the left;
//! 3. else the first child that is neither punctuation nor a function word with a tag of one character;
//! 4. else the first child.

mod rules;
mod table;

pub use rules::HeadRules;
pub use table::HeadTableError;
