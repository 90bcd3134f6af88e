//! Hashed features: strings and their combinations are hashed; there is no dictionary of features.
//!
//! These functions are part of the model file format, since they determine where a weight is stored. They must not
//! change.

const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xbf58_476d_1ce4_e5b9;
const THIRD: u64 = 0x94d0_49bb_1331_11eb;

/// Spreads a number over 64 bits.
#[inline]
pub(super) fn spread(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(SECOND);
    x = (x ^ (x >> 27)).wrapping_mul(THIRD);
    x ^ (x >> 31)
}

/// The hash of a string.
pub(super) fn string(text: &str) -> u64 {
    characters(text.chars())
}

/// The hash of a string given by its characters.
pub(super) fn characters(text: impl Iterator<Item = char>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for character in text {
        hash = (hash ^ u64::from(u32::from(character))).wrapping_mul(0x0000_0100_0000_01b3);
    }
    spread(hash)
}

/// Combines two hashes in order.
#[inline]
pub(super) fn pair(left: u64, right: u64) -> u64 {
    (left.wrapping_mul(FIRST) ^ right.rotate_left(23)).wrapping_mul(SECOND)
}

/// Combines two hashes in order, for a given purpose. One multiplication, as it runs for every feature of every arc.
#[inline]
pub(super) fn cross(left: u64, right: u64, purpose: u64) -> u64 {
    let mixed = (left ^ right.rotate_left(29) ^ purpose.wrapping_mul(FIRST)).wrapping_mul(SECOND);
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_purpose_count() {
        let (a, b) = (string("dog"), string("dogs"));
        assert_ne!(a, b);
        assert_ne!(pair(a, b), pair(b, a));
        assert_ne!(cross(a, b, 1), cross(b, a, 1));
        assert_ne!(cross(a, b, 1), cross(a, b, 2));
    }

    /// Model files depend on these values.
    #[test]
    fn hashes_stay_what_they_are() {
        assert_eq!(string("NOUN"), characters("NOUN".chars()));
        assert_eq!(string(""), 0xf52a_15e9_a9b5_e89b);
    }
}
