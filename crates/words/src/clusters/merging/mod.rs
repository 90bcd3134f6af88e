//! Greedy merging of clusters by the smallest loss of mutual information, with a table of the losses of all pairs.

mod clusters;
mod lanes;
mod rows;
mod table;
#[cfg(test)]
mod tests;
mod window;

pub(crate) use clusters::fewer_clusters;
pub use clusters::merge_clusters;
pub(crate) use window::{merge_in_window, work};
