//! Numbers of options, with the range that makes sense.

use std::ops::RangeInclusive;

use clap::builder::RangedU64ValueParser;

use crate::interrupt::MaxMemory;

/// The largest number of singular vectors or states: a decomposition of this rank takes hours.
pub(crate) const MAX_RANK: u64 = 10_000;

/// The largest number of passes over the data.
pub(crate) const MAX_STEPS: u64 = 10_000;

/// A parser of sizes and counts. The upper end is beyond any sensible use: it turns a slip of the finger into a message, where
/// the program would otherwise ask for all memory or run for ever.
pub(crate) fn numbers(range: RangeInclusive<u64>) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(range)
}

/// A share of a whole.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("give a number between 0 and 1".to_owned()),
    }
}

/// Memory that no command can do with less than.
const LEAST_MEMORY: u64 = 10_000_000;

/// A number of bytes with an optional unit: `4G`, `1.5GB`, `800M`.
pub(crate) fn max_memory(text: &str) -> Result<MaxMemory, String> {
    let digits = text.trim_end_matches(|last: char| last.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().trim_end_matches('B') {
        "" => 1.0,
        "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        _ => return Err("the units are K, M, G and T, as in 4G".to_owned()),
    };
    let number: f64 =
        digits.trim_end().parse().map_err(|_| "give a number with a unit, as in 4G".to_owned())?;
    // A cast of what is negative or no number gives 0, and of what is too large the maximum.
    let bytes = (number * unit) as u64;
    if bytes < LEAST_MEMORY {
        return Err(format!("it must be at least {}M", LEAST_MEMORY / 1_000_000));
    }
    Ok(MaxMemory(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_has_units() {
        for (text, bytes) in [
            ("4G", 4_000_000_000),
            ("1.5gb", 1_500_000_000),
            ("800 M", 800_000_000),
            ("20000000", 20_000_000),
        ] {
            assert_eq!(max_memory(text), Ok(MaxMemory(bytes)), "{text}");
        }
        for text in ["", "G", "4X", "-4G", "NaN", "1K", "4Gé"] {
            assert!(max_memory(text).is_err(), "{text}");
        }
    }
}
