//! Words as numbers by their place in a hierarchy of clusters.

use models::representations::ClusterPaths;

/// Number of bits of a path that count, and of the branch of the hierarchy.
const LONGEST_PATH: usize = 30;
const BRANCH: usize = 6;

/// Number of different endings in signatures of unknown words.
const ENDINGS: u32 = 1009;

/// The cluster of a word and the branch of the hierarchy that it is on, as numbers: their bits after a leading one. A word
/// without a cluster has the number of its signature instead.
pub(super) fn places_in(paths: &ClusterPaths, form: &str) -> [u32; 2] {
    let number = |path: &str, length: usize| {
        path.bytes().take(length).fold(1, |number, bit| 2 * number + u32::from(bit == b'1'))
    };
    match paths.of(form) {
        Some(path) => [LONGEST_PATH, BRANCH].map(|length| number(path, length)),
        None => [signature(form); 2],
    }
}

/// A number for unknown words by capital, digits and the last two letters; paths have smaller ones.
fn signature(form: &str) -> u32 {
    let capital = u32::from(form.chars().next().is_some_and(char::is_uppercase));
    let digits = u32::from(form.contains(|letter: char| letter.is_ascii_digit()));
    let ending = form.chars().rev().take(2).flat_map(char::to_lowercase);
    let ending = ending.fold(0, |number: u32, letter| (number * 31 + letter as u32) % ENDINGS);
    (1 << 31) + (ending * 2 + capital) * 2 + digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use corpus::format::brown_paths::BrownPath;

    #[test]
    fn words_are_found_in_the_hierarchy_and_others_by_their_form() {
        let path =
            |word: &str, bits: &str| BrownPath { bits: bits.to_owned(), word: word.to_owned(), count: 1 };
        let paths = ClusterPaths::new([path("dog", "01101001"), path("cat", "01101011"), path("of", "1")]);
        let [dog, cat, of] = ["dog", "cat", "of"].map(|word| places_in(&paths, word));
        assert_eq!(dog, [0b1_0110_1001, 0b1_011010]);
        assert_ne!(dog[0], cat[0]);
        assert_eq!(dog[1], cat[1]);
        assert_eq!(of, [0b11; 2]);
        let signature = |word: &str| places_in(&paths, word)[0];
        assert_eq!(signature("walking"), signature("talking"));
        for other in ["Walking", "walked", "w4lking"] {
            assert_ne!(signature("walking"), signature(other), "{other}");
            assert!(signature(other) > dog[0].max(1 << LONGEST_PATH), "{other}");
        }
    }
}
