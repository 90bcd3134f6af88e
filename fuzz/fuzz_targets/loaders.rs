//! Every loader of models, as the target `models` but without the use of what is loaded, which takes most of the time there.

#![no_main]

use eigentree_fuzzing::{exercise, samples};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(file) = samples::forged(data) {
        exercise::load(file);
    }
});
