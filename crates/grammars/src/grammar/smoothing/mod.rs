//! Estimates rules that the treebank lacks from the parts of those that it has.
//!
//! In normal form a phrase `P` with many children is a chain of rules. Each rule makes two choices: which *sister* `y`
//! is split off next, and whether more follow or one child `z`, the *last*, is left. With left-branching binarisation
//! and horizontal order 1
//!
//! ```text
//! @P~x → @P~y y      next to x comes y, and more
//! @P~x → z y         next to x comes y, then z, and no more
//! ```
//!
//! so a rule is a piece of a Markov chain over children, and an unseen rule is estimated from shorter pieces. A parent
//! `a` with `n` rules, `t` of them different, has
//!
//! ```text
//! p(rule | a) = (c(rule) - d + (θ + d t) q(rule | a)) / (n + θ)
//! q(rule | a) = p(side | a) p(y | a, side) · { p(more | a, y)  or  p(end | a, y) p(z | a, y) }
//! ```
//!
//! Each factor is smoothed in the same way, by the same factor in a more general context. Contexts generalise by
//! dropping the ancestors of the parent, its siblings from the farthest on, the top of its unary chain (`S|VP` has the
//! children of a `VP`), whether it is an intermediate symbol, and its category. A child `y` that is rare next to `x` is
//! drawn in two steps: first its top label, since this is what siblings see, then the rest of its unary chain, `NP|NN`
//! among all `NP`. Counts in more general contexts are numbers of specific contexts in which an event is seen (Kneser
//! and Ney 1995). `d` and `θ` are the parameters of a Pitman–Yor process (Teh 2006); with strength 0 it is absolute
//! discounting.
//!
//! The method looks at labels only, so it works for any normal form: all directions (`side` matters for head-outward
//! binarisation alone) and all orders. New rules consist of existing symbols. Of the very many rules with positive
//! probability only those with the largest expected count `n p(rule | a)` are created; the mass of the others is shared
//! by all rules of the same parent.

mod backoff;
mod config;
mod labels;
mod steps;
mod table;

pub use config::{Discount, LowerOrder, RuleSmoothing, SiblingSmoothing};
pub use table::SmoothedRules;
