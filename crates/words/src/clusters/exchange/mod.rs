//! Exchange: words are moved between clusters as long as that raises the mutual information of neighbours.
//!
//! Each word in turn, the most frequent first, goes to the cluster where the mutual information of adjacent clusters
//! ([`information`](super::information)) is largest, all others staying where they are (Kneser and Ney 1993; Martin, Liermann
//! and Ney 1998, for bigrams). A pass costs `O(m)` for each word and each cluster next to it.
//!
//! Departures: words are scored in single precision and in blocks against the same table, on all processors, and a move is made
//! only if the exact gain, in double precision and after the moves before it, is positive: mutual information never falls, and the number of
//! threads does not matter. When little is gained any more, the clusters that cost least are merged, their places go to
//! the words that gain most by being alone, and the moves go on, which frees clusters from where single moves cannot lead
//! them out. The best clusters met are the result.

mod lanes;
mod passes;
mod profile;
mod score;
mod table;
#[cfg(test)]
mod tests;

pub use passes::exchange;
