//! What a network sees of a word: rows of the table of embeddings.

use super::super::features::Templates;
use super::super::view::WordView;

/// Marks what a hash is of.
const FORM: u64 = 1;
const TAG: u64 = 2;
const SIGNATURE: u64 = 3;
const SHAPE: u64 = 4;
const CLUSTERS: [u64; 4] = [5, 6, 7, 8];

/// Calls `row` with the rows of a word, that of its form first.
pub(super) fn rows(word: &WordView, templates: Templates, bits: u32, mut row: impl FnMut(u32)) {
    let mut push = |view: u64, hash: u64| {
        let mixed = (hash ^ view.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        row(((mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93) >> (64 - bits)) as u32);
    };
    push(FORM, word.form);
    push(TAG, word.tag);
    push(SIGNATURE, word.signature);
    push(SHAPE, word.shape);
    match templates {
        Templates::Words => {}
        Templates::Clusters => {
            let clusters = word.clusters;
            let paths = [clusters.short, clusters.middle, clusters.long, clusters.whole];
            CLUSTERS.into_iter().zip(paths).for_each(|(view, path)| push(view, path));
        }
    }
}
