//! Fast interning of tokens.
//!
//! Half of all tokens are among a hundred words, and nearly all have fewer than 16 bytes. Such a token is read as two
//! machine words. Its end is found by arithmetic on their bytes, and it is looked up by those words alone: one
//! multiplication, usually one cache line, and no string comparison. Longer tokens, and those with control characters,
//! take the general path.
//!
//! Tokens are split at ASCII white space, which is never part of a longer character. So a text is valid UTF-8 if its
//! tokens are, and it suffices to check each type once, when it is new.

use std::hash::BuildHasher;

use hashbrown::HashTable;

use super::{Boundaries, Encoding};

/// In a sequence of ids, marks the end of a sentence.
pub(super) const BREAK: u32 = u32::MAX;

/// Number of spaces that must follow the scanned text.
pub(super) const PADDING: usize = 16;

const WORD: usize = 8;
const EMPTY: u32 = u32::MAX;

/// Why a token was rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refused {
    /// It is not valid UTF-8.
    NotText {
        /// Byte where it begins in the scanned text.
        at: usize,
    },
    /// There are too many types.
    TooMany,
}

#[derive(Clone, Copy)]
struct Slot {
    low: u64,
    high: u64,
    id: u32,
}

const FREE: Slot = Slot { low: 0, high: 0, id: EMPTY };

/// A short token that occurred early.
#[derive(Clone, Copy)]
struct Early {
    /// Its bytes, zero-padded; 0, which is not a token, for an empty slot.
    low: u64,
    id: u32,
}

/// Small enough for the second-level cache.
const EARLY_BITS: u32 = 13;

/// The types seen by one thread, with their counts; ids in order of first appearance.
pub(super) struct TypeTable {
    /// One token of up to 7 bytes per slot: the first one seen. Those are mostly frequent words, so most tokens are
    /// found here without accessing the large table.
    early: Vec<Early>,
    /// Tokens of up to 15 bytes without control characters, zero-padded; open addressing, at most half full.
    slots: Vec<Slot>,
    short: usize,
    /// All other tokens.
    long: HashTable<u32>,
    hasher: foldhash::fast::FixedState,
    text: Vec<u8>,
    ends: Vec<usize>,
    counts: Vec<u64>,
}

impl TypeTable {
    pub(super) fn new() -> Self {
        Self {
            early: vec![Early { low: 0, id: EMPTY }; 1 << EARLY_BITS],
            slots: vec![FREE; 1 << 12],
            short: 0,
            long: HashTable::new(),
            hasher: foldhash::fast::FixedState::with_seed(0x5eed),
            text: Vec::new(),
            ends: Vec::new(),
            counts: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The bytes of type `id`, which are valid UTF-8.
    pub(super) fn bytes(&self, id: usize) -> &[u8] {
        bytes_of(&self.text, &self.ends, id)
    }

    pub(super) fn text(&self, id: usize) -> &str {
        std::str::from_utf8(self.bytes(id)).expect("every type was checked when it was new")
    }

    /// Appends the ids of all tokens of `padded`, whose last [`PADDING`] bytes are spaces, to `ids`.
    pub(super) fn scan(
        &mut self,
        padded: &[u8],
        boundaries: Boundaries,
        encoding: Encoding,
        ids: &mut Vec<u32>,
    ) -> Result<(), Refused> {
        let end = padded.len().saturating_sub(PADDING);
        let mut at = 0;
        while at < end {
            let byte = padded[at];
            if is_blank(byte) {
                if byte == b'\n' && boundaries == Boundaries::Lines {
                    ids.push(BREAK);
                }
                at += 1;
                continue;
            }
            let low = load(padded, at);
            let marks = controls(low);
            let (length, low, high) = if marks != 0 {
                let length = marks.trailing_zeros() as usize / WORD;
                let low = keep(low, length);
                let found = self.early[early_place(low)];
                // A space is what usually follows; everything else takes the path below.
                if found.low == low && padded[at + length] == b' ' {
                    self.counts[found.id as usize] += 1;
                    ids.push(found.id);
                    at += length + 1;
                    continue;
                }
                (length, low, 0)
            } else {
                let high = load(padded, at + WORD);
                let marks = controls(high);
                if marks == 0 {
                    at = self.long_token(padded, at, encoding, ids)?;
                    continue;
                }
                let length = marks.trailing_zeros() as usize / WORD;
                (WORD + length, low, keep(high, length))
            };
            if !is_blank(padded[at + length]) {
                at = self.long_token(padded, at, encoding, ids)?;
                continue;
            }
            let id = match self.find(low, high) {
                Ok(id) => id,
                Err(slot) => self.add_short(slot, low, high, &padded[at..at + length], at, encoding)?,
            };
            self.counts[id as usize] += 1;
            ids.push(id);
            at += length;
        }
        Ok(())
    }

    /// The id of a short token, or the slot where it belongs.
    #[inline]
    fn find(&self, low: u64, high: u64) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash(low, high) & mask;
        loop {
            let found = &self.slots[slot];
            if found.low == low && found.high == high && found.id != EMPTY {
                return Ok(found.id);
            }
            if found.id == EMPTY {
                return Err(slot);
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn add_short(
        &mut self,
        slot: usize,
        low: u64,
        high: u64,
        token: &[u8],
        at: usize,
        encoding: Encoding,
    ) -> Result<u32, Refused> {
        if std::str::from_utf8(token).is_err() {
            return self.malformed(token, at, encoding);
        }
        let id = self.push(token)?;
        self.slots[slot] = Slot { low, high, id };
        let early = &mut self.early[early_place(low)];
        if high == 0 && token.len() < WORD && early.low == 0 {
            *early = Early { low, id };
        }
        self.short += 1;
        if self.short * 2 > self.slots.len() {
            self.grow();
        }
        Ok(id)
    }

    fn grow(&mut self) {
        let larger = vec![FREE; self.slots.len() * 2];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.id != EMPTY
                && let Err(place) = self.find(slot.low, slot.high)
            {
                self.slots[place] = slot;
            }
        }
    }

    /// Reads the token at `at`, of any length and bytes, and returns its end.
    fn long_token(
        &mut self,
        padded: &[u8],
        at: usize,
        encoding: Encoding,
        ids: &mut Vec<u32>,
    ) -> Result<usize, Refused> {
        let length = padded[at..].iter().position(|&byte| is_blank(byte)).unwrap_or(padded.len() - at);
        let token = &padded[at..at + length];
        let id = match self.find_long(token) {
            Some(id) => id,
            None if std::str::from_utf8(token).is_err() => self.malformed(token, at, encoding)?,
            None => self.add_long(token)?,
        };
        self.counts[id as usize] += 1;
        ids.push(id);
        Ok(at + length)
    }

    fn find_long(&self, token: &[u8]) -> Option<u32> {
        let hash = self.hasher.hash_one(token);
        self.long.find(hash, |&id| bytes_of(&self.text, &self.ends, id as usize) == token).copied()
    }

    fn add_long(&mut self, token: &[u8]) -> Result<u32, Refused> {
        let id = self.push(token)?;
        let Self { long, hasher, text, ends, .. } = self;
        let hash = |&id: &u32| hasher.hash_one(bytes_of(text, ends, id as usize));
        long.insert_unique(hash(&id), id, hash);
        Ok(id)
    }

    /// The id of a token that is not valid UTF-8, if such tokens are allowed: that of the token with replacement
    /// characters.
    #[cold]
    fn malformed(&mut self, token: &[u8], at: usize, encoding: Encoding) -> Result<u32, Refused> {
        match encoding {
            Encoding::Strict => Err(Refused::NotText { at }),
            Encoding::Lossy => {
                let mut token = String::from_utf8_lossy(token).into_owned().into_bytes();
                let length = token.len();
                token.resize(length + PADDING, b' ');
                let mut ids = Vec::new();
                self.scan(&token, Boundaries::None, Encoding::Strict, &mut ids)?;
                // The scan counted the token, and so does the caller.
                let id = ids.first().copied().ok_or(Refused::NotText { at })?;
                self.counts[id as usize] -= 1;
                Ok(id)
            }
        }
    }

    fn push(&mut self, token: &[u8]) -> Result<u32, Refused> {
        let id = u32::try_from(self.ends.len()).ok().filter(|&id| id < BREAK - 1).ok_or(Refused::TooMany)?;
        self.text.extend_from_slice(token);
        self.ends.push(self.text.len());
        self.counts.push(0);
        Ok(id)
    }
}

fn bytes_of<'a>(text: &'a [u8], ends: &[usize], id: usize) -> &'a [u8] {
    let start = if id == 0 { 0 } else { ends[id - 1] };
    &text[start..ends[id]]
}

/// White space of plain text.
pub(super) fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

#[inline]
fn load(bytes: &[u8], at: usize) -> u64 {
    let word: [u8; WORD] = bytes[at..at + WORD].try_into().expect("a slice of eight bytes");
    u64::from_le_bytes(word)
}

/// The top bit of each byte up to 0x20, which includes all white space. Bits above the lowest one may be wrong.
#[inline]
fn controls(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    word.wrapping_sub(ONES * 0x21) & !word & TOPS
}

/// The lowest `bytes` bytes, fewer than eight.
#[inline]
fn keep(word: u64, bytes: usize) -> u64 {
    word & ((1u64 << (8 * bytes)) - 1)
}

#[inline]
fn early_place(low: u64) -> usize {
    // The digits of the golden ratio.
    (low.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - EARLY_BITS)) as usize
}

#[inline]
fn hash(low: u64, high: u64) -> usize {
    // Digits of pi: odd, and without pattern.
    const A: u64 = 0x243f_6a88_85a3_08d3;
    const B: u64 = 0x1319_8a2e_0370_7345;
    let product = u128::from(low ^ A) * u128::from(high ^ B);
    (product as u64 ^ (product >> 64) as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn padded(text: &[u8]) -> Vec<u8> {
        let mut bytes = text.to_vec();
        bytes.resize(text.len() + PADDING, b' ');
        bytes
    }

    fn tokens(text: &str, boundaries: Boundaries) -> Vec<String> {
        let mut table = TypeTable::new();
        let mut ids = Vec::new();
        table.scan(&padded(text.as_bytes()), boundaries, Encoding::Strict, &mut ids).unwrap();
        ids.iter()
            .map(|&id| if id == BREAK { "|".to_owned() } else { table.text(id as usize).to_owned() })
            .collect()
    }

    #[test]
    fn tokens_are_those_between_blanks_whatever_their_length() {
        let mut text = String::new();
        for length in 1..70usize {
            let token: String = "abcdefghij".chars().cycle().take(length).collect();
            text.push_str(&token);
            text.push_str([" ", "\t", "  ", " \r", "\x0c"][length % 5]);
            text.push_str(&"ä€\u{1f600}\u{3000}".chars().cycle().take(length % 9 + 1).collect::<String>());
            text.push_str(&" \u{1}a\0b c\0 c \u{b}x "[..length % 14]);
            text.push(' ');
        }
        let expected: Vec<&str> =
            text.split(|c: char| c.is_ascii_whitespace()).filter(|token| !token.is_empty()).collect();
        assert_eq!(tokens(&text, Boundaries::None), expected);
        assert_eq!(tokens(&text, Boundaries::Lines), expected);
    }

    #[test]
    fn line_ends_are_breaks_only_if_lines_are_boundaries() {
        assert_eq!(tokens("a b\r\n\nc", Boundaries::Lines), ["a", "b", "|", "|", "c"]);
        assert_eq!(tokens("a b\r\n\nc", Boundaries::None), ["a", "b", "c"]);
    }

    #[test]
    fn thousands_of_types_are_told_apart_and_counted() {
        let mut table = TypeTable::new();
        let mut ids = Vec::new();
        let number = |i: usize| (i as u64 % 20_000).pow(3);
        let text: String = (0..60_000).map(|i| format!("{} ", number(i))).collect();
        table.scan(&padded(text.as_bytes()), Boundaries::None, Encoding::Strict, &mut ids).unwrap();
        assert_eq!(ids.len(), 60_000);
        for (i, &id) in ids.iter().enumerate() {
            assert_eq!(table.text(id as usize), number(i).to_string());
        }
        assert_eq!(table.counts().iter().sum::<u64>(), 60_000);
    }

    #[test]
    fn malformed_tokens_are_placed_or_replaced() {
        let text = padded(b"good \xffbad a\xe2\x82 a_rather_long_token_with_\xc3 good");
        let mut table = TypeTable::new();
        let mut ids = Vec::new();
        let refused = table.scan(&text, Boundaries::None, Encoding::Strict, &mut ids);
        assert_eq!(refused, Err(Refused::NotText { at: 5 }));
        let mut table = TypeTable::new();
        for _ in 0..2 {
            table.scan(&text, Boundaries::None, Encoding::Lossy, &mut ids).unwrap();
        }
        let texts: Vec<&str> = (0..table.len()).map(|id| table.text(id)).collect();
        assert_eq!(texts, ["good", "\u{fffd}bad", "a\u{fffd}", "a_rather_long_token_with_\u{fffd}"]);
        assert_eq!(table.counts(), [4, 2, 2, 2]);
    }
}
