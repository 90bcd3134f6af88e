//! Counts that can be added up, and the scalings that make frequent and rare features comparable.
//!
//! Everything counted here is additive: shards of the data can be counted apart and merged, and the result is the
//! same as counting at once. For whole-number counts it is the same bit for bit, in any order of merging.
//!
//! * [`CountTable`]: how often each pair (row, column) occurred; built by [`CountTableBuilder`].
//! * [`FeatureCounts`]: how often each feature of a view occurred.
//! * [`Scaling`], [`CountTransform`]: from counts to the factors of the scaled cross moment.

mod count_pairs;
mod count_table;
mod count_weight;
mod feature_counts;
mod scaling;

pub use count_pairs::CountTableBuilder;
pub use count_table::CountTable;
pub use count_weight::CountWeight;
pub use feature_counts::FeatureCounts;
pub use scaling::{CountTransform, Scaling};
