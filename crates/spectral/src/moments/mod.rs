//! Additive counts, and the scalings that make frequent and rare features comparable.
//!
//! All counts are additive: parts of the data can be counted separately and merged, with the same result as counting at
//! once. For whole-number counts the result is bit-identical, in any order of merging.
//!
//! * [`CountTable`]: counts of pairs (row, column); built by [`CountTableBuilder`].
//! * [`FeatureCounts`]: counts of the features of a view.
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
