//! Every model loaded and used, behind right checksums: the first byte chooses the family, the others what is changed in its sample.

#![no_main]

use eigentree_fuzzing::{exercise, samples};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(file) = samples::forged(data) {
        exercise::file(file);
    }
});
