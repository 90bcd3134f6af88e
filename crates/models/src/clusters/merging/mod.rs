//! Greedy merging of clusters by the least loss of mutual information, with a table of the losses of all pairs.

mod clusters;
mod lanes;
mod table;
mod window;

pub use clusters::merge_clusters;
pub(crate) use window::{merge_in_window, work};
