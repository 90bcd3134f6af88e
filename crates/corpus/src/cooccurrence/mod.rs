//! Which words stand near which: the counts that word clusters are learnt from.
//!
//! For each distance d = 1..k one table holds how often word `a` stands `d` places before word `b`. All contexts of the
//! cluster paper (Stratos et al. 2014) are read off these tables: R1 is the table of distance 1, LR1 that table and its
//! transpose, LRk all of them with their transposes. Tables are sums over the text, so that those of two texts add up.

mod pair_counts;
mod text_counts;

pub use pair_counts::PairCounts;
pub use text_counts::TextCounts;
