//! Exchange: moves words between clusters as long as that increases the mutual information of neighbours.
//!
//! Each word in turn, the most frequent first, moves to the cluster that maximises the mutual information of adjacent
//! clusters ([`information`](super::information)), with all other words fixed (Kneser and Ney 1993; Martin, Liermann
//! and Ney 1998, for bigrams). A pass costs `O(m)` per word and neighbouring cluster.
//!
//! Departures: words are scored in single precision and in blocks against the same table, on all processors, and a move
//! is made only if its exact gain, in double precision and after the earlier moves, is positive. So mutual information
//! never decreases, and the number of threads does not matter. When passes gain little, the clusters that cost least
//! are merged, their places go to the words that gain most by being alone, and the moves continue; this frees clusters
//! from local optima that single moves cannot leave. The best clusters found are the result.

mod lanes;
mod passes;
mod profile;
mod score;
mod table;
#[cfg(test)]
mod tests;

pub use passes::exchange;
