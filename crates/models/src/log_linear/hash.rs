//! The hash function that names features.
//!
//! Model files contain these names, so the function is fixed here and does not depend on the version of a library.

/// A hash built up from numbers and characters.
#[derive(Clone, Copy, Debug)]
pub struct Key(u64);

/// 2⁶⁴ divided by the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Key {
    /// Starts a hash; different kinds of things have different hashes.
    pub const fn of(kind: u64) -> Self {
        Key(FACTOR).with(kind)
    }

    /// Adds a value to the key.
    pub const fn with(self, value: u64) -> Self {
        let mixed = (self.0.rotate_left(23) ^ value).wrapping_mul(FACTOR);
        Key(mixed ^ (mixed >> 32))
    }

    /// Adds characters to the key.
    pub fn chars(self, chars: impl IntoIterator<Item = char>) -> Self {
        chars.into_iter().fold(self, |key, c| key.with(u64::from(c)))
    }

    /// The hash for use in other keys. Never 0, which stands for a missing part.
    pub const fn value(self) -> u64 {
        self.0 | 1
    }

    /// The name of a feature. Among a million features about a hundred share a name with another one, which does no
    /// harm.
    pub const fn short(self) -> u32 {
        (self.0.wrapping_mul(FACTOR) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Model files contain these numbers.
    #[test]
    fn names_of_features_are_fixed() {
        assert_eq!(Key::of(1).chars("word".chars()).with(7).short(), 128_288_388);
        let names: std::collections::HashSet<u32> =
            (0..100_000).map(|n| Key::of(2).with(n).short()).collect();
        assert!(names.len() > 99_990, "{} different names of 100000", names.len());
    }
}
