//! Rules that the treebank does not have, from the parts of those that it has.
//!
//! In normal form a phrase `P` with many children is a chain of rules, and each rule says two things: which *sister* `y`
//! is split off next, and whether more are to come or one child `z`, the *last*, is left. With left-branching binarisation and
//! horizontal order 1
//!
//! ```text
//! @P~x → @P~y y      beside x there is y, and more
//! @P~x → z y         beside x there is y, beside that z, and no more
//! ```
//!
//! so that a rule is a piece of a Markov chain over children, and one that was never seen is estimated from shorter pieces.
//! A parent `a` with `n` rules, `t` of them different, has
//!
//! ```text
//! p(rule | a) = (c(rule) - d + (θ + d t) q(rule | a)) / (n + θ)
//! q(rule | a) = p(side | a) p(y | a, side) · { p(more | a, y)  or  p(end | a, y) p(z | a, y) }
//! ```
//!
//! Each factor is smoothed in the same way, by the same factor in a wider context. Contexts widen by forgetting the ancestors
//! of the parent, its siblings from the farthest on, the top of its unary chain (`S|VP` has the children of a `VP`), whether it
//! is an intermediate symbol, and its category. A child `y` that is rare beside `x` is drawn in two steps, first its top
//! label, since this is what siblings see, then the rest of its unary chain, `NP|NN` among all `NP`. Counts in wider contexts are
//! numbers of narrower contexts that an event is seen in (Kneser and Ney 1995); `d` and `θ` are those of a Pitman–Yor
//! process (Teh 2006), which its strength 0 turns into absolute discounting.
//!
//! Only labels are looked at, so any normal form will do: all directions (`side` matters for head-outward binarisation
//! alone), all orders. New rules consist of symbols that there are. Of the infinitely or at least very many that have a
//! probability only those are made that are expected most often, `n p(rule | a)`; what the others would have had goes to all
//! rules of the same parent.

mod backoff;
mod config;
mod labels;
mod steps;
mod table;

pub use config::{Discount, LowerOrder, RuleSmoothing, SiblingSmoothing};
pub use table::SmoothedRules;
