//! Estimates of the memory needed for counting.
//!
//! The size of a text is extrapolated from a sample of its beginning. The numbers of types and pairs grow more slowly
//! than the text, like a power of its length below 1 (Heaps' law). The exponents used here are above those of ordinary
//! text (0.51 for types and 0.75 for pairs over 56 million tokens of English), so the estimate is an upper bound; it is
//! mostly within a factor of two. Text made up of ever new words can need more.

use super::bucket::count_pairs;
use super::sequence::{Ids, Owner, with_ahead};
use super::type_table::{BREAK, PADDING, TypeTable};
use super::{Boundaries, CountConfig, Encoding};

const TYPES_POWER: f64 = 0.62;
const PAIRS_POWER: f64 = 0.82;
/// Words two positions apart are more varied than adjacent words.
const FARTHER: f64 = 1.6;

/// Size of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextSize {
    /// Bytes of decompressed text.
    pub bytes: u64,
    /// Number of tokens.
    pub tokens: u64,
    /// Number of lines.
    pub lines: u64,
    /// Number of distinct words.
    pub types: u64,
    /// Number of distinct pairs of adjacent words.
    pub pairs: u64,
}

impl TextSize {
    /// Estimates the size of a text of `bytes` bytes that begins with `sample`. A good sample has a megabyte or more.
    pub fn of_sample(sample: &[u8], bytes: u64) -> Self {
        let cut = sample.iter().rposition(u8::is_ascii_whitespace).map_or(sample.len(), |blank| blank + 1);
        let mut padded = sample[..cut].to_vec();
        padded.resize(cut + PADDING, b' ');
        let mut table = TypeTable::new();
        let mut ids = Vec::new();
        // A sample with too many types to number does not fit into memory.
        if table.scan(&padded, Boundaries::Lines, Encoding::Lossy, &mut ids).is_err() {
            ids.clear();
        }
        let lines = ids.iter().filter(|&&id| id == BREAK).count() as u64;
        let tokens = ids.len() as u64 - lines;
        let pieces = [Ids { owner: Owner::Shared, ids: ids.into() }];
        let pairs = count_pairs(&with_ahead(&pieces, &[], 1), table.len(), 1);
        let factor = (bytes as f64 / cut.max(1) as f64).max(1.0);
        let grown = |count: u64, power: f64| (count as f64 * factor.powf(power)).ceil() as u64;
        Self {
            bytes,
            tokens: grown(tokens, 1.0),
            lines: grown(lines, 1.0),
            types: grown(table.len() as u64, TYPES_POWER),
            pairs: grown(pairs[0].len() as u64, PAIRS_POWER),
        }
    }
}

/// Memory estimate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryEstimate {
    /// Peak memory in bytes, for ordinary text.
    pub bytes: u64,
}

impl MemoryEstimate {
    /// Memory needed to count a text of this size with this many threads.
    pub fn new(size: &TextSize, config: &CountConfig, threads: usize) -> Self {
        let threads = threads.max(1) as f64;
        let (tokens, types) = (size.tokens as f64, size.types as f64);
        let several_blocks = size.tokens + size.lines > config.block_tokens as u64;
        let held = (tokens + size.lines as f64).min(config.block_tokens as f64);
        // Each thread has its own table: slots, text and string ends, counts.
        let tables = threads * types * 110.0 + types * 50.0;
        let rows = match &config.vocab {
            Some(limit) if !several_blocks => types.min(limit.size.map_or(types, |size| size as f64)),
            _ => types,
        };
        let cursors = threads * rows * 30.0;
        // Ids, and the buckets of their right neighbours.
        let ids = held * 8.0;
        let farther = FARTHER * (config.distance as f64 - 1.0);
        let pairs = size.pairs as f64 * 12.0;
        // The finished tables, and one under construction; with blocks, also the sum so far and the next table.
        let finished = pairs * (1.0 + farther);
        let making = pairs * if config.distance > 1 { FARTHER } else { 1.0 };
        let tables_of_pairs = finished + making * if several_blocks { 3.0 } else { 1.0 };
        let buffers = (threads * 4.0 + 2.0) * (1 << 20) as f64;
        let bytes = tables + cursors + ids + tables_of_pairs + buffers;
        Self { bytes: bytes as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_grow_with_the_text_and_need_grows_with_sizes() {
        let sample = "the dog saw the cat\nthe cat saw a dog\n".repeat(100);
        let small = TextSize::of_sample(sample.as_bytes(), sample.len() as u64);
        assert_eq!((small.tokens, small.lines, small.types, small.pairs), (1000, 200, 5, 7));
        let large = TextSize::of_sample(sample.as_bytes(), 1000 * sample.len() as u64);
        assert_eq!((large.tokens, large.lines), (1_000_000, 200_000));
        assert!(large.types > small.types && large.pairs < 1000 * small.pairs);
        let need =
            |size: &TextSize, config: &CountConfig, threads| MemoryEstimate::new(size, config, threads).bytes;
        let near = CountConfig::default();
        let far = CountConfig { distance: 2, ..CountConfig::default() };
        assert!(need(&large, &near, 1) >= 8 * 1_200_000);
        assert!(need(&large, &near, 1) > need(&small, &near, 1));
        assert!(need(&large, &near, 8) > need(&large, &near, 1));
        assert!(need(&large, &far, 1) > need(&large, &near, 1));
        let blocks = CountConfig { block_tokens: 1000, ..CountConfig::default() };
        assert!(need(&large, &blocks, 1) < need(&large, &near, 1));
        assert_eq!(TextSize::of_sample(b"", 0).tokens, 0);
    }
}
