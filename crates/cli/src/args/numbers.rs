//! Numbers of options, with the range that makes sense.

use std::ops::RangeInclusive;

use clap::builder::RangedU64ValueParser;

/// The largest number of singular vectors or states: a decomposition of this rank takes hours.
pub(crate) const MAX_RANK: u64 = 10_000;

/// A parser of sizes and counts. The upper end is beyond any sensible use: it turns a slip of the finger into a message, where
/// the program would otherwise ask for all memory or run for ever.
pub(crate) fn numbers(range: RangeInclusive<u64>) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(range)
}
